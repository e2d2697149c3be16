import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { loadInPieces } from "@/lib/client/http/load-in-pieces";
import { APPROVALS_KEY, GRANTS_KEY } from "@/lib/client/http/query-keys";
import { SCHEMA_PIECES } from "@/lib/client/http/schema-pieces";
import type { Decision, DecisionsReply } from "@/lib/schema/runs/interrupt";

const schemas = () => loadInPieces(SCHEMA_PIECES, () => import("@/lib/schema/runs/interrupt"));
const approvalList = async () => (await schemas()).ApprovalList;
const decisionsReply = async () => (await schemas()).DecisionsReply;
const grantList = async () => (await schemas()).GrantList;

/** The number of asks that wait for the viewer, and the first of them, for the badges and lists of every page. */
export const approvalsQuery = queryOptions({
  queryKey: [...APPROVALS_KEY, "first"],
  queryFn: ({ signal }) => callJson(approvalList, "/api/approvals?limit=200", { signal }),
});

/** The asks of one thread and its subagents. */
export function threadApprovalsQuery(threadId: string) {
  return queryOptions({
    queryKey: [...APPROVALS_KEY, "thread", threadId],
    queryFn: ({ signal }) =>
      callJson(approvalList, `/api/approvals${queryString({ threadId, limit: 200 })}`, { signal }),
  });
}

/** The viewer's asks in all threads, longest wait first, page by page. */
export const inboxQuery = infiniteQueryOptions({
  queryKey: [...APPROVALS_KEY, "inbox"],
  queryFn: ({ pageParam, signal }) =>
    callJson(approvalList, `/api/approvals${queryString({ limit: 50, cursor: pageParam })}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
});

/** The calls that the viewer has allowed for a whole thread, newest first, page by page. */
export const grantsQuery = infiniteQueryOptions({
  queryKey: [...GRANTS_KEY, "own"],
  queryFn: ({ pageParam, signal }) =>
    callJson(grantList, `/api/grants${queryString({ limit: 50, cursor: pageParam })}`, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: (page) => page.nextCursor,
});

/** Grants of one person or of everyone, for administrators. */
export function ownedGrantsQuery(ownerId: string) {
  return infiniteQueryOptions({
    queryKey: [...GRANTS_KEY, ownerId],
    queryFn: ({ pageParam, signal }) =>
      callJson(grantList, `/api/grants${queryString({ ownerId, limit: 50, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
}

/** Revokes a grant: the next such call asks again. */
export async function revokeGrant(grantId: string): Promise<void> {
  await callApi(`/api/grants/${encodeURIComponent(grantId)}`, { method: "DELETE" });
}

/** Rejects with 409 if another decision came first. */
export function decideCall(runId: string, decision: Decision, via: "page" | "inbox"): Promise<DecisionsReply> {
  return callJson(decisionsReply, `/api/runs/${encodeURIComponent(runId)}/decisions`, {
    method: "POST",
    body: { decisions: [decision], via },
  });
}
