import { ApprovalList, ApprovalQuery } from "@/lib/schema/interrupt";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/http/route";
import { listApprovals } from "@/lib/server/inbox/list-approvals";

export const GET = defineRoute(
  {
    access: "read",
    query: ApprovalQuery,
    reply: ApprovalList,
    summary: "What waits for you in all your threads, the longest wait first",
  },
  async ({ viewer, query }) => json(await listApprovals(viewer.id, query), { schema: ApprovalList }),
);
