"use client";
import Link from "next/link";
import type { ReactNode } from "react";
import { dueText } from "@/lib/client/schedules/schedule-labels";
import { formatCost } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { Firing } from "@/lib/schema/triggers/firing";

interface FiringDetailsProps {
  firing: Firing;
  timezone: string;
  glyph: ReactNode;
  /** What came of it, in words. */
  outcome: string;
  /** Beside the outcome. */
  aside?: ReactNode;
  said?: string | null;
  /** More lines of the list. */
  children?: ReactNode;
}

/** One firing of a strip: when, why, what it cost, and the way to its run. */
export function FiringDetails({ firing, timezone, glyph, outcome, aside, said = null, children }: FiringDetailsProps) {
  const now = useHalfMinute() ?? 0;
  const { dueAt, reason, runId, threadId, costUsd } = firing;
  return (
    <div aria-live="polite">
      <p className="flex items-center gap-2 text-sm font-semibold">
        {glyph}
        {outcome.charAt(0).toUpperCase() + outcome.slice(1)}
        {aside}
      </p>
      {said === null ? null : <p className="mt-2 line-clamp-6 text-sm whitespace-pre-line">{said}</p>}
      <dl className="mt-2 grid grid-cols-[56px_1fr] gap-y-1 text-xs">
        <dt className="text-muted">Due</dt>
        <dd>{dueText(dueAt, timezone, now)}</dd>
        {reason === null ? null : (
          <>
            <dt className="text-muted">Why</dt>
            <dd>{reason}</dd>
          </>
        )}
        {children}
        <dt className="text-muted">Cost</dt>
        <dd className="tnum">{runId === null ? "nothing" : formatCost(costUsd)}</dd>
      </dl>
      {runId === null ? null : (
        <p className="mt-2 flex gap-3 text-xs">
          <Link href={`/traces/${runId}`} className="text-link hover:underline">
            Open trace
          </Link>
          {threadId === null ? null : (
            <Link href={`/threads/${threadId}`} className="text-link hover:underline">
              Open thread
            </Link>
          )}
        </p>
      )}
    </div>
  );
}
