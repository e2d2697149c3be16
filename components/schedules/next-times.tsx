"use client";
import { dueText, untilText } from "@/lib/client/schedules/schedule-labels";
import { useHalfMinute } from "@/lib/client/ui/use-now";

/** Due times in their time zone, soonest first, each with how far off it is. */
export function NextTimes({ next, timezone }: { next: readonly string[]; timezone: string }) {
  const now = useHalfMinute();
  if (now === null) return null;
  return (
    <ol className="tnum">
      {next.map((due) => (
        <li key={due} className="flex min-h-5 gap-3">
          <time dateTime={due} title={timezone}>
            {dueText(due, timezone, now)}
          </time>
          <span className="text-muted">{untilText(due, now)}</span>
        </li>
      ))}
    </ol>
  );
}
