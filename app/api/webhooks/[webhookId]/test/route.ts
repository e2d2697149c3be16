import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { TestWebhookBody, TestWebhookReply } from "@/lib/schema/webhooks/webhook";
import { json } from "@/lib/server/http/reply";
import { tryWebhook } from "@/lib/server/triggers/webhooks/try-webhook";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "admin",
    params: z.object({ webhookId: RowId }),
    body: TestWebhookBody,
    reply: TestWebhookReply,
    summary: "What a body would start, or a request with test data to the address",
  },
  async ({ services, params: { webhookId }, body, viewer }) =>
    json(await tryWebhook(services, webhookId, body, viewer), { schema: TestWebhookReply }),
);
