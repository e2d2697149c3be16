import { ApprovalList, ApprovalQuery } from "@/lib/schema/runs/interrupt";
import { hasAdminScope } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { listApprovals } from "@/lib/server/inbox/list-approvals";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    query: ApprovalQuery,
    reply: ApprovalList,
    summary: "What is waiting for you in all your threads, the longest wait first",
  },
  async ({ services, viewer, query }) =>
    json(await listApprovals(services.database, { ...viewer, isAdmin: hasAdminScope(viewer) }, query), {
      schema: ApprovalList,
    }),
);
