"use client";
import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { ShowMore } from "@/components/ui/show-more";
import { QueryState } from "@/components/ui/states/query-state";
import { StateRing } from "@/components/ui/states/state-ring";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { dueText, SIGN_LABELS, signOf } from "@/lib/client/schedules/schedule-labels";
import { pastRunsQuery } from "@/lib/client/schedules/schedule-queries";
import { classNames } from "@/lib/client/ui/class-names";
import { formatCost, formatMoney } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import { formatDuration } from "@/lib/schema/format-duration";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { PastRun } from "@/lib/schema/triggers/firing";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { FiringGlyph } from "./firing-strip";

const COLUMNS = [
  { id: "started", label: "Started" },
  { id: "answer", label: "Answer", className: "w-full" },
  { id: "worked", label: "Worked", className: "max-sm:hidden", align: "right" },
  { id: "waited", label: "Waited", className: "max-md:hidden", align: "right" },
  { id: "cost", label: "Cost", className: "max-sm:hidden", align: "right" },
  { id: "links", label: "Thread and trace", isLabelHidden: true },
] as const;

/** What a schedule's runs answered, what they cost and where they are. */
export function PastRuns({ schedule }: { schedule: Schedule }) {
  const query = useInfiniteQuery(pastRunsQuery(schedule.id));
  const { monthUsd, nextDueAt, timezone } = schedule;
  const now = useHalfMinute();
  return (
    <section aria-labelledby="past-runs" className="border-t border-border">
      <h2
        id="past-runs"
        className="flex flex-wrap items-baseline gap-x-2 px-5 pt-4 pb-2 text-sm font-medium max-sm:px-3"
      >
        Past runs
        <span className="tnum text-xs font-normal text-muted">
          {monthUsd === null ? "30-day cost unknown" : `${formatMoney(monthUsd)} in 30 days`}
        </span>
      </h2>
      <QueryState what="past runs" query={query}>
        {(firings) =>
          firings.length === 0 ? (
            <p className="px-5 pb-5 text-sm text-muted max-sm:px-3">
              No runs yet.
              {nextDueAt === null || now === null ? "" : ` The first is ${dueText(nextDueAt, timezone, now)}.`}
            </p>
          ) : (
            <>
              <Table label="Past runs">
                <TableHead columns={COLUMNS} />
                <tbody>
                  {firings.map((firing) => (
                    <PastRunRow key={firing.id} firing={firing} timezone={timezone} now={now} />
                  ))}
                </tbody>
              </Table>
              <ShowMore query={query} className="p-4" />
            </>
          )
        }
      </QueryState>
    </section>
  );
}

interface PastRunRowProps {
  firing: PastRun;
  timezone: string;
  now: number | null;
}

function PastRunRow({ firing, timezone, now }: PastRunRowProps) {
  const { dueAt, startedAt, runId, threadId, costUsd, waitedMs, status } = firing;
  const sign = signOf(firing);
  const workedMs = workedOf(firing);
  const link = "text-link hover:underline touch-target";
  return (
    <TableRow>
      <TableCell className="max-sm:pr-1">
        <span className="flex items-center gap-2 whitespace-nowrap">
          {sign === "ran" ? <StateRing status="completed" size={12} labelled /> : <FiringGlyph sign={sign} />}
          <span className="tnum">{now === null ? "" : dueText(startedAt ?? dueAt, timezone, now)}</span>
        </span>
      </TableCell>
      <TableCell className="max-w-0 truncate max-sm:px-1">
        <Answer firing={firing} />
      </TableCell>
      <TableCell align="right" className="tnum text-muted max-sm:hidden">
        {workedMs === null ? "" : formatDuration(workedMs)}
      </TableCell>
      <TableCell
        align="right"
        className={classNames("tnum max-md:hidden", waitedMs ? "text-signal-text" : "text-muted")}
      >
        {waitedMs ? formatDuration(waitedMs) : "–"}
      </TableCell>
      <TableCell align="right" className="tnum max-sm:hidden">
        {runId === null || status === null ? "" : formatCost(costUsd)}
      </TableCell>
      <TableCell align="right">
        <span className="inline-flex gap-3 text-xs">
          {threadId === null ? null : (
            <Link href={`/threads/${threadId}`} prefetch={false} className={link}>
              Thread
            </Link>
          )}
          {runId === null ? null : (
            <Link href={`/traces/${runId}`} prefetch={false} className={link}>
              Trace
            </Link>
          )}
        </span>
      </TableCell>
    </TableRow>
  );
}

/** The first line of the answer, or why there is none. */
function Answer({ firing }: { firing: PastRun }) {
  const { answer, error, reason } = firing;
  const sign = signOf(firing);
  if (error !== null) {
    const cause = failureText(error);
    return (
      <span className="text-fail-text" title={cause}>
        {cause}
      </span>
    );
  }
  const firstLine = answer?.split("\n").find((line) => line.trim() !== "");
  const words = SIGN_LABELS[sign];
  const note = sign === "ran" ? reason : (reason ?? words);
  if (firstLine === undefined) return <span className="text-muted">{note ?? "No answer"}</span>;
  return (
    <span title={answer ?? undefined}>
      {firstLine}
      {note === null ? null : <span className="ml-2 text-xs text-muted">{note}</span>}
    </span>
  );
}

/** The time between start and end without what a person took; null while it goes on. */
function workedOf({ startedAt, endedAt, waitedMs }: PastRun): number | null {
  if (startedAt === null || endedAt === null) return null;
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt) - (waitedMs ?? 0));
}
