import { z } from "zod";
import { AskDetail } from "@/lib/schema/inbox/ask-detail";
import { RowId } from "@/lib/schema/page-query";
import { hasAdminScope } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { describeAsk } from "@/lib/server/inbox/describe-ask";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ approvalId: RowId }),
    reply: AskDetail,
    summary: "What led to something that waits for you: how its run started, its last calls, and who was told",
  },
  async ({ services, params: { approvalId }, viewer }) => {
    const detail = await describeAsk(services.database, approvalId, { ...viewer, isAdmin: hasAdminScope(viewer) });
    return json(detail, { schema: AskDetail });
  },
);
