import { CreatedWebhook, CreateWebhookBody, WebhookList } from "@/lib/schema/webhooks/webhook";
import { json } from "@/lib/server/http/reply";
import { createWebhook, listWebhooks } from "@/lib/server/triggers/webhooks/manage-webhooks";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", reply: WebhookList, summary: "The webhooks of both directions" },
  async ({ services }) => json({ webhooks: await listWebhooks(services) }, { schema: WebhookList }),
);

export const POST = defineRoute(
  {
    access: "admin",
    body: CreateWebhookBody,
    reply: CreatedWebhook,
    status: 201,
    summary: "Create a webhook; the reply is the only one with its secret",
  },
  async ({ services, body, viewer }) =>
    json(await createWebhook(services, body, viewer), { status: 201, schema: CreatedWebhook }),
);
