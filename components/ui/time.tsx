"use client";
import { formatExact, formatRelative, formatRemaining } from "@/lib/client/format";
import { useHalfMinute } from "@/lib/client/use-now";

export interface TimeProps {
  /** ISO 8601 or Unix ms, the server's. */
  at: string | number;
  className?: string;
}

/** Relative words that keep up with the clock, the exact time on hover. */
export function Time({ at, className }: TimeProps) {
  const now = useHalfMinute();
  const atMs = typeof at === "number" ? at : Date.parse(at);
  const iso = new Date(atMs).toISOString();
  return (
    <time dateTime={iso} title={now === null ? undefined : formatExact(atMs)} className={className}>
      {now === null ? "" : formatRelative(atMs, now)}
    </time>
  );
}

/** How long it is until something ends, the exact time on hover. */
export function TimeLeft({ until, className }: { until: string; className?: string }) {
  const now = useHalfMinute();
  const untilMs = Date.parse(until);
  return (
    <time dateTime={until} title={now === null ? undefined : formatExact(untilMs)} className={className}>
      {now === null ? "" : formatRemaining(untilMs, now)}
    </time>
  );
}
