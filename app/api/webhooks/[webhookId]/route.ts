import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { UpdateWebhookBody, Webhook } from "@/lib/schema/webhooks/webhook";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteWebhook, getWebhook, updateWebhook } from "@/lib/server/triggers/webhooks/manage-webhooks";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ webhookId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: Webhook, summary: "One webhook" },
  async ({ services, params: { webhookId } }) => json(await getWebhook(services, webhookId), { schema: Webhook }),
);

export const PATCH = defineRoute(
  { access: "admin", params, body: UpdateWebhookBody, reply: Webhook, summary: "Change a webhook" },
  async ({ services, params: { webhookId }, body, viewer }) =>
    json(await updateWebhook(services, webhookId, body, viewer), { schema: Webhook }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Delete a webhook with its secrets" },
  async ({ services, params: { webhookId }, viewer }) => {
    await deleteWebhook(services, webhookId, viewer);
    return noContent();
  },
);
