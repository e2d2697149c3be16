import { createHmac } from "node:crypto";
import { isSameSecret } from "@/lib/server/platform/secrets/is-same-secret";

/** How far Slack's clock may be off, and thus how long a recorded request could be replayed. */
const TOLERANCE_MS = 300_000;

interface SlackRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/**
 * Why the request does not come from Slack; null if it does.
 * https://docs.slack.dev/authentication/verifying-requests-from-slack
 */
export function whyForged({ headers, body }: SlackRequest, signingSecret: string, nowMs: number): string | null {
  const timestamp = headers.get("x-slack-request-timestamp");
  const given = headers.get("x-slack-signature");
  if (!timestamp || !given) return "X-Slack-Signature or X-Slack-Request-Timestamp is missing.";
  if (!/^\d{1,12}$/.test(timestamp)) return "X-Slack-Request-Timestamp is malformed.";
  if (!isSameSecret(given, slackSignature(signingSecret, timestamp, body)))
    return "The signature does not match the body.";
  const isStale = Math.abs(nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS;
  return isStale ? "The timestamp is more than 5 minutes off." : null;
}

/** `v0=<hex HMAC-SHA256 of "v0:timestamp:body">`. */
function slackSignature(signingSecret: string, timestamp: string, body: Uint8Array): string {
  return `v0=${createHmac("sha256", signingSecret).update(`v0:${timestamp}:`).update(body).digest("hex")}`;
}
