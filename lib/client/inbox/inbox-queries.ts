import { queryOptions } from "@tanstack/react-query";
import { callApi, callJson } from "@/lib/client/http/api";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { APPROVALS_KEY, NOTES_KEY } from "@/lib/client/http/query-keys";

const noteList = async () => (await loadWithRetry(() => import("@/lib/schema/inbox/inbox-note"))).InboxNoteList;
const askDetail = async () => (await loadWithRetry(() => import("@/lib/schema/inbox/ask-detail"))).AskDetail;
const askOutcome = async () => (await loadWithRetry(() => import("@/lib/schema/inbox/ask-outcome"))).AskOutcome;
const outlook = async () => (await loadWithRetry(() => import("@/lib/schema/inbox/inbox-outlook"))).InboxOutlook;

/** What may reach the inbox next. It is read again with the asks: whenever a run starts, waits or ends. */
export const outlookQuery = queryOptions({
  queryKey: [...APPROVALS_KEY, "outlook"],
  queryFn: ({ signal }) => callJson(outlook, "/api/inbox-outlook", { signal }),
});

/** What the viewer should know of and is not done with, the latest first. */
export const notesQuery = queryOptions({
  queryKey: [...NOTES_KEY, "own"],
  queryFn: ({ signal }) => callJson(noteList, "/api/inbox-notes", { signal }),
});

/** What led to one ask. It is not read again with the asks: once one is decided there is no detail of it. */
export function askDetailQuery(approvalId: string) {
  return queryOptions({
    queryKey: ["ask-detail", approvalId],
    queryFn: ({ signal }) => callJson(askDetail, `/api/approvals/${encodeURIComponent(approvalId)}`, { signal }),
  });
}

/** What became of an ask that was decided elsewhere. */
export function askOutcomeQuery(approvalId: string) {
  return queryOptions({
    queryKey: [...APPROVALS_KEY, "outcome", approvalId],
    queryFn: ({ signal }) =>
      callJson(askOutcome, `/api/approvals/${encodeURIComponent(approvalId)}/outcome`, { signal }),
  });
}

/** Takes a note out of the inbox, or brings it back. */
export async function markNote(id: string, done: boolean): Promise<void> {
  await callApi(`/api/inbox-notes/${encodeURIComponent(id)}`, { method: "PATCH", body: { done } });
}
