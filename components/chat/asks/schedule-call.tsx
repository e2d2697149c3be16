"use client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { NextTimes } from "@/components/schedules/next-times";
import { errorMessage } from "@/lib/client/http/api";
import { type ScheduleCall as Call, sentenceOf } from "@/lib/client/schedules/schedule-call";
import { scheduleTimesQuery } from "@/lib/client/schedules/schedule-queries";
import type { ScheduleTimesReply } from "@/lib/schema/triggers/schedule";

const TARGET_LABELS: Readonly<Record<string, string>> = {
  thread: "Thread",
  notify: "Notification",
  email: "Email",
  chat: "Linked chat",
};

/** A schedule that an agent wants to make: what it does and when, for a person. Nothing that it is made of is left out. */
export function ScheduleCall({ call }: { call: Call }) {
  const { name, time, prompt, timezone, deliver } = call;
  const times = useQuery(scheduleTimesQuery({ ...time, ...(timezone === undefined ? {} : { timezone }) }));
  const zone = timezone ?? times.data?.timezone;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["When", `${sentenceOf(time)}${zone === undefined ? "" : `, ${zone}`}`],
    ["Next runs", <Next key="next" times={times} />],
    ["Task", prompt],
    ["Results", deliver?.map((place) => TARGET_LABELS[place] ?? place).join(", ")],
  ];
  return (
    <div className="px-3 py-2.5">
      {name === undefined ? null : <p className="mb-1.5 text-sm font-medium break-words">{name}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(([fact, value]) =>
          value === undefined ? null : (
            <Fragment key={fact}>
              <dt className="text-muted">{fact}</dt>
              <dd className="min-w-0 break-words whitespace-pre-wrap">{value}</dd>
            </Fragment>
          ),
        )}
      </dl>
    </div>
  );
}

/** As high while it loads as five times are, so that the buttons below stay where they are. */
function Next({ times }: { times: UseQueryResult<ScheduleTimesReply> }) {
  if (times.error) return <span className="text-fail-text">{errorMessage(times.error)}</span>;
  if (times.data === undefined) return <span className="block min-h-[100px] text-muted">…</span>;
  return <NextTimes next={times.data.next} timezone={times.data.timezone} />;
}
