import "server-only";
import { createHmac } from "node:crypto";
import { AppError } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import {
  StoredIncoming,
  type TestWebhookBody,
  type TestWebhookReply,
  type WebhookEvent,
} from "@/lib/schema/webhooks/webhook";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { guardModeOf } from "@/lib/server/platform/guard-default";
import type { Services } from "@/lib/server/platform/services";
import { deliver } from "@/lib/server/triggers/deliver";
import { scanInput } from "@/lib/text/scan/scan-input";
import { requireWebhook } from "./manage-webhooks";
import { renderPrompt } from "./render-prompt";
import { standardSignature } from "./verify-request";
import { validSecrets } from "./webhook-secrets";

/**
 * Shows what a body would start, without storing anything; or sends a real request with test data to an address, once.
 * Throws `not_found`, `invalid_input` for a test of the other direction.
 */
export async function tryWebhook(
  services: Services,
  id: string,
  body: TestWebhookBody,
  viewer: Viewer,
): Promise<TestWebhookReply> {
  const found = await requireWebhook(services.database, id);
  if (found.direction === "in" && "body" in body) return previewRequest(services.database, found.row, body.body);
  if (found.direction === "out" && "event" in body) return sendTest(services, id, body.event, viewer);
  const message =
    found.direction === "in" ? "Send {body} to a webhook that comes in." : "Send {event} to one that goes out.";
  throw new AppError("invalid_input", message);
}

async function previewRequest(database: Database, trigger: TriggerRow, body: string): Promise<TestWebhookReply> {
  const config = StoredIncoming.parse(JSON.parse(trigger.config));
  const now = new Date();
  const [secret = ""] = await validSecrets(database, trigger.id, now);
  const prompt = renderPrompt(config.prompt, body);
  const version = await loadCurrentVersion(database, trigger.agentId, EVERY_AGENT);
  const mode = guardModeOf(version.config);
  const findings = mode === "off" ? [] : scanInput(prompt);
  return {
    direction: "in",
    prompt,
    agentVersion: version.number,
    findings: [...findings],
    headers: headersOf(config, { secret, body, now }),
    isBlocked: mode === "block" && findings.length > 0,
  };
}

interface Sample {
  readonly secret: string;
  readonly body: string;
  readonly now: Date;
}

/** Headers as a sender creates them. A bearer token is the secret itself, which is shown nowhere. */
function headersOf({ signature, header }: StoredIncoming, { secret, body, now }: Sample): Record<string, string> {
  if (signature === "none") return { authorization: "Bearer (the secret)" };
  if (signature === "standard") {
    const id = createId("msg");
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const signed = standardSignature(secret, { id, timestamp, body });
    return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signed };
  }
  const value = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return { [signature === "github" ? "x-hub-signature-256" : header]: value };
}

async function sendTest(
  services: Services,
  webhookId: string,
  type: WebhookEvent,
  viewer: Viewer,
): Promise<TestWebhookReply> {
  const { delivery } = services.database;
  const now = new Date();
  const id = createId("dlv");
  const data = { test: true, run_id: "run_test", thread_id: "th_test", agent_id: "test", status: type.split(".")[1] };
  const row = {
    id,
    runId: "",
    ownerId: viewer.id,
    webhookId,
    event: type,
    target: JSON.stringify({ webhook: webhookId }),
  };
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data });
  await delivery.create({ data: { ...row, body, nextAt: now, createdAt: now }, select: { id: true } });
  await deliver(services, id, now);
  // A person is watching: they retry it themselves.
  await delivery.updateMany({ where: { id, state: "pending" }, data: { state: "failed", nextAt: null } });
  const { state } = await delivery.findUniqueOrThrow({ where: { id }, select: { state: true } });
  return { direction: "out", deliveryId: id, state };
}
