import { queryOptions } from "@tanstack/react-query";
import { type FilePreview, toPreview } from "@/lib/client/files/file-queries";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { RunState } from "@/lib/schema/traces/run-state";

const PREFIX = ["run-state"] as const;
/** What a step began with does not change; it may be cleaned up. */
const STALE_MS = 60_000;

function stateUrl(runId: string, action: string, values: Parameters<typeof queryString>[0]): string {
  return `/api/runs/${encodeURIComponent(runId)}/state${action}${queryString(values)}`;
}

export function runStateQuery(runId: string, step: number) {
  return queryOptions({
    queryKey: [...PREFIX, runId, step],
    queryFn: ({ signal }) => callJson(RunState, stateUrl(runId, "", { step }), { signal }),
    staleTime: STALE_MS,
  });
}

export function stateFileUrl(runId: string, step: number, path: string): string {
  return stateUrl(runId, "/file", { step, path });
}

/** A displayable form of a file as it was when the step began. */
export function stateFileQuery(runId: string, step: number, path: string) {
  return queryOptions({
    queryKey: [...PREFIX, runId, step, "file", path],
    queryFn: async ({ signal }): Promise<FilePreview> =>
      toPreview(path, await (await callApi(stateFileUrl(runId, step, path), { signal })).blob()),
    staleTime: STALE_MS,
  });
}
