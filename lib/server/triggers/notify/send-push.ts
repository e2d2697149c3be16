import type { PushMessage } from "@/lib/schema/users/notification";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import { safeFetch } from "@/lib/server/platform/safe-fetch";
import { vapidKeys } from "./vapid";

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 64 * 1_024;
const DAY_SECONDS = 86_400;

export interface PushDeviceRow {
  readonly id: string;
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** `gone`: the browser no longer accepts messages there. */
export type PushOutcome = "sent" | "gone";

/**
 * Encrypts the message for the browser and posts it to the browser's push service, under the rules for untrusted
 * addresses. Throws the service's message if it rejects the push.
 */
export async function sendPush(
  database: Database,
  { endpoint, p256dh, auth }: PushDeviceRow,
  message: PushMessage,
): Promise<PushOutcome> {
  const { default: webPush } = await import("web-push");
  const { publicUrl, allowedPrivateHosts } = env();
  const subject = publicUrl.startsWith("https:") ? publicUrl : "mailto:ringmaster@example.org";
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    { vapidDetails: { subject, ...(await vapidKeys(database)) }, TTL: DAY_SECONDS, urgency: "high" },
  );
  const { status, text } = await safeFetch(endpoint, {
    method: "POST",
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: body ?? Buffer.alloc(0),
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_REPLY_BYTES,
    signal: new AbortController().signal,
    allowedPrivateHosts,
  });
  if (status === 404 || status === 410) return "gone";
  if (status >= 200 && status < 300) return "sent";
  const said = text.trim().slice(0, 200);
  throw new Error(`${new URL(endpoint).host} answered ${status}${said === "" ? "" : `: ${said}`}.`);
}
