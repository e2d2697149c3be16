import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { threadQuery } from "@/lib/client/chat/thread-queries";
import { callJson } from "@/lib/client/http/api";
import { filesKey, TRACES_KEY } from "@/lib/client/http/query-keys";
import { UndoneRun, UndoPreview } from "@/lib/schema/traces/undo";

const pathOf = (runId: string) => `/api/runs/${encodeURIComponent(runId)}/undo`;

/** What undoing the run would do now; asked each time that the dialog opens. */
export function undoPreviewQuery(runId: string) {
  return queryOptions({
    // Not among the traces, which an undo fetches again: a second preview of it would be refused.
    queryKey: ["undo", runId] as const,
    queryFn: ({ signal }) => callJson(UndoPreview, pathOf(runId), { method: "POST", body: { preview: true }, signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

export interface RunOfThread {
  readonly runId: string;
  readonly threadId: string;
}

/** Undoes what was shown. */
export function undoRun({ runId }: RunOfThread, token: string): Promise<UndoneRun> {
  return callJson(UndoneRun, pathOf(runId), { method: "POST", body: { token } });
}

export function takeBackUndo({ runId }: RunOfThread): Promise<UndoneRun> {
  return callJson(UndoneRun, `${pathOf(runId)}/take-back`, { method: "POST" });
}

/** Fetches again what an undo, or taking it back, has changed. */
export async function refreshUndone(queryClient: QueryClient, { threadId }: RunOfThread): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: threadQuery(threadId).queryKey }),
    queryClient.invalidateQueries({ queryKey: filesKey(threadId) }),
    queryClient.invalidateQueries({ queryKey: TRACES_KEY }),
  ]);
}
