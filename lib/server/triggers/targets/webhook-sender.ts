import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import type { DeliveryRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { env } from "@/lib/server/platform/env";
import { safeFetch } from "@/lib/server/platform/safe-fetch";
import { standardSignature } from "@/lib/server/triggers/webhooks/verify-request";
import { validSecrets } from "@/lib/server/triggers/webhooks/webhook-secrets";
import { DeliveryDropped, type DeliverySender } from "./delivery-sender";

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 1_048_576;
/** How many characters of an answer the log stores. */
const MAX_KEPT = 4_096;

/**
 * Sends one signed POST (Standard Webhooks). The delivery's id is also the request's, so that the receiver recognizes a
 * repeat.
 */
export function createWebhookSender(timeoutMs: number): DeliverySender {
  return {
    dropsRepeats: true,
    async send({ database }, { id, target }) {
      const webhook = await database.webhook.findUnique({ where: { id: target.webhook ?? "" } });
      if (!webhook) throw new DeliveryDropped("The webhook was deleted.");
      if (!webhook.enabled) throw new DeliveryDropped("The webhook is switched off. Switch it on, then resend this.");
      const row = await database.delivery.findUniqueOrThrow({ where: { id } });
      await post(database, { id, url: webhook.url, body: requestBody(row), webhookId: webhook.id, timeoutMs });
    },
  };
}

export const webhookSender = createWebhookSender(TIMEOUT_MS);

/** An event is sent as queued, the result of a schedule as a separate event. */
export function requestBody({ event, body, runId, createdAt }: DeliveryRow): string {
  if (event !== null) return body;
  const data = { run_id: runId, response: body };
  return JSON.stringify({ type: "schedule.result", timestamp: createdAt.toISOString(), data });
}

interface Post {
  readonly id: string;
  readonly url: string;
  readonly body: string;
  readonly webhookId: string;
  readonly timeoutMs: number;
}

/** Throws if the request was not accepted. In any case, the log records the request and the response. */
async function post(database: Database, { id, url, body, webhookId, timeoutMs }: Post): Promise<void> {
  const at = new Date();
  const secrets = await validSecrets(database, webhookId, at);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const headers = {
    "content-type": "application/json",
    "user-agent": "Ringmaster",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => standardSignature(secret, { id, timestamp, body })).join(" "),
  };
  const answer = await request(url, { headers, body, timeoutMs });
  await database.deliveryAttempt.create({
    data: {
      id: createId("att"),
      deliveryId: id,
      at,
      tookMs: Date.now() - at.getTime(),
      status: answer.status,
      error: answer.error,
      headers: JSON.stringify(headers),
      response: answer.text.slice(0, MAX_KEPT).replaceAll("\0", ""),
    },
    select: { id: true },
  });
  if (answer.error !== null) throw new Error(answer.error);
}

interface Sent {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly timeoutMs: number;
}

async function request(url: string, sent: Sent) {
  try {
    const { status, text } = await safeFetch(url, {
      ...sent,
      method: "POST",
      maxBytes: MAX_ANSWER_BYTES,
      allowedPrivateHosts: env().allowedPrivateHosts,
      signal: new AbortController().signal,
    });
    const error = status >= 200 && status < 300 ? null : `The address answered with HTTP status ${status}.`;
    return { status, text, error };
  } catch (error) {
    return { status: null, text: "", error: error instanceof Error ? error.message : String(error) };
  }
}
