import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { RunTranscript } from "@/lib/schema/runs/run-transcript";
import { Firing, FiringLog, type FiringLogQuery, PastRunList } from "@/lib/schema/triggers/firing";
import {
  type CreateScheduleBody,
  type PreflightBody,
  PreflightReply,
  Schedule,
  ScheduleList,
  type ScheduleTimesBody,
  ScheduleTimesReply,
  type UpdateScheduleBody,
} from "@/lib/schema/triggers/schedule";
import { signOf } from "./schedule-labels";

const REFRESH_MS = 10_000;
/** While one of them is running. */
const LIVE_MS = 1_500;

function isRunning({ firings }: Schedule): boolean {
  return firings.some((firing) => signOf(firing) === "running");
}

/** Soon after the next due time, so that a row does not stand still on it. */
export function refreshMs(schedules: readonly Schedule[], nowMs: number): number {
  if (schedules.some(isRunning)) return LIVE_MS;
  const dueInMs = schedules.flatMap(({ nextDueAt }) => (nextDueAt === null ? [] : Date.parse(nextDueAt) - nowMs));
  return Math.max(LIVE_MS, Math.min(REFRESH_MS, ...dueInMs));
}

const pathOf = (id: string) => `/api/schedules/${encodeURIComponent(id)}`;

/** The viewer's schedules; everybody's for administrators. */
export const schedulesQuery = queryOptions({
  queryKey: ["schedules"],
  queryFn: async ({ signal }) => (await callJson(ScheduleList, "/api/schedules?limit=200", { signal })).schedules,
  refetchInterval: ({ state }) => refreshMs(state.data ?? [], Date.now()),
});

/** One of them. */
export function scheduleQuery(id: string) {
  return queryOptions({
    queryKey: ["schedules", "one", id],
    queryFn: ({ signal }) => callJson(Schedule, pathOf(id), { signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** The outcome of each due time of all schedules, newest first. */
export function firingLogQuery(state: FiringLogQuery["state"]) {
  return infiniteQueryOptions({
    queryKey: ["schedules", "log", state],
    queryFn: ({ pageParam, signal }) =>
      callJson(FiringLog, `/api/schedules/firings${queryString({ state, limit: 50, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ firings }) => firings),
    placeholderData: (previous) => previous,
    refetchInterval: REFRESH_MS,
  });
}

/** How many past runs a schedule's page shows at first, and adds at a time. */
const PAST_RUNS = 6;

/** A schedule's past runs with their answers, newest first. */
export function pastRunsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ["schedules", "past-runs", id],
    queryFn: ({ pageParam, signal }) =>
      callJson(PastRunList, `${pathOf(id)}/firings${queryString({ limit: PAST_RUNS, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ firings }) => firings),
    refetchInterval: REFRESH_MS,
  });
}

/** The calls that would ask, and the next due time; nothing is stored. */
export function preflightQuery(body: z.input<typeof PreflightBody> | null) {
  return queryOptions({
    queryKey: ["schedule-preflight", body],
    queryFn: ({ signal }) =>
      callJson(PreflightReply, "/api/schedules/preflight", { method: "POST", body: body ?? {}, signal }),
    enabled: body !== null,
    placeholderData: (previous) => previous,
    retry: false,
  });
}

/** When a schedule of the viewer would be due. */
export function scheduleTimesQuery(body: z.input<typeof ScheduleTimesBody>) {
  return queryOptions({
    queryKey: ["schedule-times", body],
    queryFn: ({ signal }) => callJson(ScheduleTimesReply, "/api/schedules/times", { method: "POST", body, signal }),
    retry: false,
  });
}

/** A run's prompt and its agent. */
export function runPromptQuery(runId: string) {
  return queryOptions({
    queryKey: ["run-prompt", runId],
    queryFn: async ({ signal }) => {
      const path = `/api/runs/${encodeURIComponent(runId)}/transcript`;
      const { run, messages } = await callJson(RunTranscript, path, { signal });
      const asked = messages.find(({ role }) => role === "user")?.parts ?? [];
      const texts = asked.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
      return { prompt: texts.join("\n"), agentId: run.agentId };
    },
    retry: false,
  });
}

export function createSchedule(body: z.input<typeof CreateScheduleBody>): Promise<Schedule> {
  return callJson(Schedule, "/api/schedules", { method: "POST", body });
}

export function updateSchedule(id: string, change: z.input<typeof UpdateScheduleBody>): Promise<Schedule> {
  return callJson(Schedule, pathOf(id), { method: "PATCH", body: change });
}

export async function deleteSchedule(id: string): Promise<void> {
  await callApi(pathOf(id), { method: "DELETE" });
}

export function runScheduleNow(id: string): Promise<Firing> {
  return callJson(Firing, `${pathOf(id)}/run`, { method: "POST" });
}
