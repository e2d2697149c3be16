import { queryOptions } from "@tanstack/react-query";
import { ApprovalList, type Decision, DecisionsReply } from "@/lib/schema/interrupt";
import { callJson } from "./api";

/** Invalidate it when anything may have begun or ceased to wait. */
export const APPROVALS_KEY = ["approvals"] as const;

/** What waits for the viewer over all threads, longest first; as many as one page of the inbox holds. */
export const approvalsQuery = queryOptions({
  queryKey: APPROVALS_KEY,
  queryFn: ({ signal }) => callJson(ApprovalList, "/api/approvals?limit=200", { signal }),
});

/** Rejects with 409 when somebody was faster. */
export function decideCall(runId: string, decision: Decision): Promise<DecisionsReply> {
  return callJson(DecisionsReply, `/api/runs/${encodeURIComponent(runId)}/decisions`, {
    method: "POST",
    body: { decisions: [decision] },
  });
}
