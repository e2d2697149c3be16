import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { callJson } from "@/lib/client/http/api";
import { TRACES_KEY } from "@/lib/client/http/query-keys";
import { hasEnded } from "@/lib/schema/runs/run";
import { Replay, type ReplayBody, ReplayPlan, StartedReplay } from "@/lib/schema/traces/replay";

const LIVE_MS = 1500;

/** What a replay of the run from this step would begin with. */
export function replayPlanQuery(runId: string, step: number) {
  return queryOptions({
    queryKey: [...planKey(runId), step],
    queryFn: ({ signal }) =>
      callJson(ReplayPlan, `/api/runs/${encodeURIComponent(runId)}/replays?step=${step}`, { signal }),
  });
}

export function planKey(runId: string): QueryKey {
  return [...TRACES_KEY, "replay-plan", runId];
}

/** Runs of a replay and of its control that have not ended. */
export function openRuns({ runs, control }: Replay): number {
  return [...runs, ...(control?.runs ?? [])].filter(({ status }) => !hasEnded(status)).length;
}

/** What came of a replay; while a run of it goes on, fetched again every 1.5 s. */
export function replayQuery(id: string) {
  return queryOptions({
    queryKey: [...TRACES_KEY, "replay", id],
    queryFn: ({ signal }) => callJson(Replay, `/api/replays/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state: { data } }) => (data && openRuns(data) > 0 ? LIVE_MS : false),
  });
}

export type NewReplay = ReplayBody;

/** Starts the replay and, before it, its control; the id of the replay to look at. */
export async function startReplays(
  replay: NewReplay,
  { withControl }: { readonly withControl: boolean },
): Promise<string> {
  const { with: changes, ...unchanged } = replay;
  if (changes === undefined) return (await start(unchanged)).replayId;
  if (withControl) await start(unchanged);
  return (await start(replay)).replayId;
}

function start(body: NewReplay): Promise<StartedReplay> {
  return callJson(StartedReplay, "/api/replays", { method: "POST", body });
}

export function cancelReplay(id: string): Promise<Replay> {
  return callJson(Replay, `/api/replays/${encodeURIComponent(id)}/cancel`, { method: "POST" });
}

export function replayHref(id: string): string {
  return `/traces/replays/${encodeURIComponent(id)}`;
}
