import { ApprovalList, ApprovalQuery } from "@/lib/schema/interrupt";
import { listApprovals } from "@/lib/server/approvals/list-approvals";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ApprovalQuery,
    reply: ApprovalList,
    summary: "What waits for you in all your threads, the longest wait first",
  },
  async ({ viewer, query }) => json(await listApprovals(viewer.id, query), { schema: ApprovalList }),
);
