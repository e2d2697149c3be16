import { z } from "zod";
import { AskOutcome } from "@/lib/schema/inbox/ask-outcome";
import { RowId } from "@/lib/schema/page-query";
import { hasAdminScope } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { findOutcome } from "@/lib/server/inbox/ask-outcome";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "read",
    params: z.object({ approvalId: RowId }),
    reply: AskOutcome,
    summary: "What became of something that waited for you: who decided it, where and when",
  },
  async ({ services, params: { approvalId }, viewer }) => {
    const outcome = await findOutcome(services.database, approvalId, { ...viewer, isAdmin: hasAdminScope(viewer) });
    return json(outcome, { schema: AskOutcome });
  },
);
