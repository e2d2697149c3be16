import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { callApi, callJson } from "@/lib/client/http/api";
import {
  type CreateHeartbeatBody,
  Heartbeat,
  HeartbeatFile,
  HeartbeatList,
  HeartbeatRun,
  type UpdateHeartbeatBody,
} from "@/lib/schema/triggers/heartbeat";
import { heartbeatSign } from "./heartbeat-labels";

const REFRESH_MS = 15_000;
/** While one of them is running. */
const LIVE_MS = 1_500;

const pathOf = (id: string) => `/api/heartbeats/${encodeURIComponent(id)}`;

/** The viewer's heartbeats, everybody's for administrators, and those that the viewer could turn on. */
export const heartbeatsQuery = queryOptions({
  queryKey: ["heartbeats"],
  queryFn: ({ signal }) => callJson(HeartbeatList, "/api/heartbeats?limit=200", { signal }),
  refetchInterval: ({ state }) => {
    const last = state.data?.heartbeats.map(({ firings }) => firings.at(-1)) ?? [];
    return last.some((beat) => beat && heartbeatSign(beat) === "running") ? LIVE_MS : REFRESH_MS;
  },
});

export function heartbeatFileQuery(id: string) {
  return queryOptions({
    queryKey: ["heartbeat-file", id],
    queryFn: ({ signal }) => callJson(HeartbeatFile, `${pathOf(id)}/file`, { signal }),
    retry: false,
  });
}

export function createHeartbeat(body: z.input<typeof CreateHeartbeatBody>): Promise<Heartbeat> {
  return callJson(Heartbeat, "/api/heartbeats", { method: "POST", body });
}

export function updateHeartbeat(id: string, change: z.input<typeof UpdateHeartbeatBody>): Promise<Heartbeat> {
  return callJson(Heartbeat, pathOf(id), { method: "PATCH", body: change });
}

export async function deleteHeartbeat(id: string): Promise<void> {
  await callApi(pathOf(id), { method: "DELETE" });
}

export function runHeartbeatNow(id: string): Promise<HeartbeatRun> {
  return callJson(HeartbeatRun, `${pathOf(id)}/run`, { method: "POST" });
}

export function writeHeartbeatFile(id: string, body: { content: string; before: string }): Promise<HeartbeatFile> {
  return callJson(HeartbeatFile, `${pathOf(id)}/file`, { method: "PUT", body });
}
