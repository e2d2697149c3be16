import { z } from "zod";
import { PageQuery, RowId } from "@/lib/schema/page-query";
import { FiringList } from "@/lib/schema/triggers/firing";
import { json } from "@/lib/server/http/reply";
import { pageOfFirings } from "@/lib/server/triggers/firings";
import { requireWebhook } from "@/lib/server/triggers/webhooks/manage-webhooks";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  {
    access: "admin",
    params: z.object({ webhookId: RowId }),
    query: PageQuery,
    reply: FiringList,
    summary: "What became of each request of a webhook, newest first",
  },
  async ({ services, params: { webhookId }, query }) => {
    await requireWebhook(services.database, webhookId);
    return json(await pageOfFirings(services.database, webhookId, query), { schema: FiringList });
  },
);
