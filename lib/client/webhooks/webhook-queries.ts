import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { callApi, callJson, queryString } from "@/lib/client/http/api";
import { Delivery, DeliveryAttempts, DeliveryList } from "@/lib/schema/triggers/delivery";
import { FiringList } from "@/lib/schema/triggers/firing";
import {
  CreatedWebhook,
  type CreateWebhookBody,
  RotatedSecret,
  type TestWebhookBody,
  TestWebhookReply,
  type UpdateWebhookBody,
  Webhook,
  WebhookList,
} from "@/lib/schema/webhooks/webhook";

const REFRESH_MS = 4_000;
const pathOf = (id: string) => `/api/webhooks/${encodeURIComponent(id)}`;

export const WEBHOOKS_KEY = ["webhooks"] as const;

export const webhooksQuery = queryOptions({
  queryKey: WEBHOOKS_KEY,
  queryFn: async ({ signal }) => (await callJson(WebhookList, "/api/webhooks", { signal })).webhooks,
  refetchInterval: REFRESH_MS,
});

/** The outcome of the latest requests. */
export function requestsQuery(id: string) {
  return queryOptions({
    queryKey: [...WEBHOOKS_KEY, id, "firings"],
    queryFn: async ({ signal }) => (await callJson(FiringList, `${pathOf(id)}/firings?limit=100`, { signal })).firings,
    refetchInterval: REFRESH_MS,
  });
}

export interface SendingFilters {
  readonly state?: "pending" | "failed";
  readonly event?: string;
}

/** The latest deliveries, of one state and event if given. */
export function sendingsQuery(id: string, filters: SendingFilters = {}) {
  return queryOptions({
    queryKey: [...WEBHOOKS_KEY, id, "deliveries", filters],
    queryFn: async ({ signal }) => {
      const query = queryString({ limit: 100, webhookId: id, ...filters });
      return (await callJson(DeliveryList, `/api/deliveries${query}`, { signal })).deliveries;
    },
    refetchInterval: REFRESH_MS,
    placeholderData: (previous) => previous,
  });
}

export function attemptsQuery(deliveryId: string) {
  return queryOptions({
    queryKey: [...WEBHOOKS_KEY, "attempts", deliveryId],
    queryFn: ({ signal }) =>
      callJson(DeliveryAttempts, `/api/deliveries/${encodeURIComponent(deliveryId)}/attempts`, { signal }),
  });
}

export function createWebhook(body: z.input<typeof CreateWebhookBody>): Promise<CreatedWebhook> {
  return callJson(CreatedWebhook, "/api/webhooks", { method: "POST", body });
}

export function updateWebhook(id: string, body: z.input<typeof UpdateWebhookBody>): Promise<Webhook> {
  return callJson(Webhook, pathOf(id), { method: "PATCH", body });
}

export async function deleteWebhook(id: string): Promise<void> {
  await callApi(pathOf(id), { method: "DELETE" });
}

export async function rotateSecret(id: string): Promise<string> {
  return (await callJson(RotatedSecret, `${pathOf(id)}/rotate`, { method: "POST" })).secret;
}

export function tryWebhook(id: string, body: z.input<typeof TestWebhookBody>): Promise<TestWebhookReply> {
  return callJson(TestWebhookReply, `${pathOf(id)}/test`, { method: "POST", body });
}

export function resendDelivery(id: string): Promise<Delivery> {
  return callJson(Delivery, `/api/deliveries/${encodeURIComponent(id)}/resend`, { method: "POST" });
}

export async function deleteDelivery(id: string): Promise<void> {
  await callApi(`/api/deliveries/${encodeURIComponent(id)}`, { method: "DELETE" });
}
