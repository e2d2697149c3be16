import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { RotatedSecret } from "@/lib/schema/webhooks/webhook";
import { json } from "@/lib/server/http/reply";
import { rotateSecret } from "@/lib/server/triggers/webhooks/manage-webhooks";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ webhookId: RowId }),
    reply: RotatedSecret,
    summary: "Give a webhook a new secret, shown once; the old one holds for another day",
  },
  async ({ services, params: { webhookId }, viewer }) =>
    json(await rotateSecret(services, webhookId, viewer), { schema: RotatedSecret }),
);
