"use client";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { StartLink } from "@/components/shell/start-link";
import { EmptyState } from "@/components/ui/states/state-block";
import { outlookQuery } from "@/lib/client/inbox/inbox-queries";
import { untilText } from "@/lib/client/schedules/schedule-labels";
import { formatExact } from "@/lib/client/ui/text/format";
import { useHalfMinute } from "@/lib/client/ui/use-now";
import type { InboxOutlook } from "@/lib/schema/inbox/inbox-outlook";

/** The empty inbox: what is listed in it, what runs now, and what starts next. */
export function NothingNeedsYou() {
  const { data: outlook } = useQuery(outlookQuery);
  return (
    <EmptyState title="Nothing is waiting for you" actions={<StartLink>Start a thread</StartLink>}>
      Approvals and questions from every thread are listed here until they are decided, and what you should know of
      until you are done with it.
      {outlook ? <Outlook outlook={outlook} /> : null}
    </EmptyState>
  );
}

const LINK = "text-link underline underline-offset-2";

function Outlook({ outlook: { runningThreads, nextSchedule } }: { outlook: InboxOutlook }) {
  return (
    <>
      {runningThreads === 0 ? null : (
        <span className="mt-3 block">
          <Link href="/" className={LINK}>
            {runningThreads === 1 ? "1 thread" : `${runningThreads} threads`}
          </Link>{" "}
          {runningThreads === 1 ? "runs" : "run"} now.
        </span>
      )}
      {nextSchedule === null ? null : (
        <span className="mt-3 block">
          <Link href={`/automations/schedules/${encodeURIComponent(nextSchedule.id)}`} className={LINK}>
            {nextSchedule.name}
          </Link>{" "}
          starts <Until at={nextSchedule.dueAt} />.
        </span>
      )}
    </>
  );
}

function Until({ at }: { at: string }) {
  const now = useHalfMinute();
  return (
    <time dateTime={at} title={now === null ? undefined : formatExact(Date.parse(at))}>
      {now === null ? "" : untilText(at, now)}
    </time>
  );
}
