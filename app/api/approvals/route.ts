import { ApprovalList, ApprovalQuery } from "@/lib/schema/runs/interrupt";
import { hasAdminScope } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { listApprovals } from "@/lib/server/inbox/list-approvals";
import { processServices } from "@/lib/server/platform/services";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ApprovalQuery,
    reply: ApprovalList,
    summary: "What is waiting for you in all your threads, the longest wait first",
  },
  async ({ viewer, query }) =>
    json(await listApprovals(processServices(), { ...viewer, isAdmin: hasAdminScope(viewer) }, query), {
      schema: ApprovalList,
    }),
);
