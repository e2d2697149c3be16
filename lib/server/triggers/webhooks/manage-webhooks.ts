import "server-only";
import { AppError, invalidField } from "@/lib/schema/app-error";
import type { Viewer } from "@/lib/schema/users/user";
import {
  type CreatedWebhook,
  type CreateWebhookBody,
  INCOMING_FIELDS,
  StoredIncoming,
  type UpdateWebhookBody,
  type Webhook,
} from "@/lib/schema/webhooks/webhook";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { applyWebhookChange } from "@/lib/server/engine/outgoing/outgoing-webhooks";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { env } from "@/lib/server/platform/env";
import { checkDestination, OutgoingRequestRefused } from "@/lib/server/platform/safe-fetch";
import { refuseKeptSecrets } from "@/lib/server/platform/secrets/secret-origin";
import type { Services } from "@/lib/server/platform/services";
import { keyAfterChange } from "@/lib/server/triggers/made-by-key";
import { TRIGGER_KINDS } from "@/lib/server/triggers/trigger-kinds";
import { AUTOMATION_USER_ID, ensureAutomationUser } from "./automation-user";
import { describeOutgoing, type WebhookRow } from "./describe-webhooks";
import { checkSecret, makeSecret, replacementQueries, rotationQueries, secretColumns } from "./webhook-secrets";

/** A webhook of one direction, as stored in its table. */
export type FoundWebhook =
  | { readonly direction: "in"; readonly row: TriggerRow }
  | { readonly direction: "out"; readonly row: WebhookRow };

/** Throws `not_found`. */
export async function requireWebhook(database: Database, id: string): Promise<FoundWebhook> {
  const trigger = await database.trigger.findFirst({ where: { id, kind: "webhook" } });
  if (trigger) return { direction: "in", row: trigger };
  const webhook = await database.webhook.findUnique({ where: { id } });
  if (webhook) return { direction: "out", row: webhook };
  throw new AppError("not_found", "There is no such webhook.");
}

/** Webhooks of both directions, by name. */
export async function listWebhooks(services: Services, now = new Date()): Promise<Webhook[]> {
  const { database } = services;
  const [incoming, outgoing] = await Promise.all([
    database.trigger.findMany({ where: { kind: "webhook" }, orderBy: [{ name: "asc" }, { id: "asc" }] }),
    database.webhook.findMany({ orderBy: [{ name: "asc" }, { id: "asc" }] }),
  ]);
  return [
    ...(await TRIGGER_KINDS.webhook.describe(services, incoming, now)),
    ...(await describeOutgoing(database, outgoing, now)),
  ];
}

export async function getWebhook(services: Services, id: string, now = new Date()): Promise<Webhook> {
  const found = await requireWebhook(services.database, id);
  const [webhook] =
    found.direction === "in"
      ? await TRIGGER_KINDS.webhook.describe(services, [found.row], now)
      : await describeOutgoing(services.database, [found.row], now);
  if (!webhook) throw new AppError("not_found", "There is no such webhook.");
  return webhook;
}

/** Creates a webhook; only this reply contains its secret. Throws `not_found`, `invalid_input`. */
export async function createWebhook(
  services: Services,
  body: CreateWebhookBody,
  viewer: Viewer,
): Promise<CreatedWebhook> {
  const { secret = makeSecret() } = body;
  checkSecret(secret, body.direction === "in" ? body.signature : "standard");
  const id = createId(body.direction === "in" ? "hook" : "wh");
  const create =
    body.direction === "in"
      ? await incomingQuery(services.database, id, body, viewer)
      : await outgoingQuery(services.database, id, body, viewer);
  await services.database.$transaction([
    create(),
    services.database.webhookSecret.create({ data: secretColumns(id, secret, 1), select: { id: true } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "webhook.created",
      target: `webhook:${id}`,
      after: auditedBody(body),
    }),
  ]);
  if (body.direction === "out") await applyWebhookChange(services.database);
  return { ...(await getWebhook(services, id)), secret };
}

/** Returns functions because a Prisma query runs as soon as it is awaited. */
async function incomingQuery(
  database: Database,
  id: string,
  body: Extract<CreateWebhookBody, { direction: "in" }>,
  { keyId }: Viewer,
) {
  const { direction: _, secret: __, agentId, runAs, ...config } = body;
  await loadCurrentVersion(database, agentId, EVERY_AGENT);
  const ownerId = await requireRunAs(database, runAs);
  const stored = StoredIncoming.parse(config);
  requireDecider(stored, ownerId);
  const data = { id, ownerId, agentId, kind: "webhook", name: stored.name, config: JSON.stringify(stored) };
  const made = { ...data, apiKeyId: keyId ?? null };
  return () => database.trigger.create({ data: made, select: { id: true } });
}

async function outgoingQuery(
  database: Database,
  id: string,
  body: Extract<CreateWebhookBody, { direction: "out" }>,
  viewer: Viewer,
) {
  const { name, url, events, agentId } = body;
  await requireAddress(url);
  if (agentId !== null) await loadCurrentVersion(database, agentId, EVERY_AGENT);
  const data = { id, name, url, events: JSON.stringify(events), agentId, createdById: viewer.id };
  return () => database.webhook.create({ data, select: { id: true } });
}

/** The user whose rights its runs have. Never an administrator: input from outside must not have their rights. */
async function requireRunAs(database: Database, runAs: string | null): Promise<string> {
  if (runAs === null || runAs === AUTOMATION_USER_ID) {
    await ensureAutomationUser(database);
    return AUTOMATION_USER_ID;
  }
  const user = await database.user.findFirst({
    where: { id: runAs, deactivatedAt: null, isService: false },
    select: { role: true, groupRole: true },
  });
  if (user?.role === "admin" || user?.groupRole === "admin") {
    throw invalidField("runAs", "must not be an administrator: what comes from outside would have their rights");
  }
  if (user === null || (user.role === "viewer" && user.groupRole !== "member")) {
    throw invalidField("runAs", "must be an active person who may start runs, or null for the user Automation");
  }
  return runAs;
}

/** Approvals are decided by the run's owner, and nobody can sign in as Automation. */
function requireDecider({ on_ask: onAsk }: StoredIncoming, ownerId: string | null): void {
  if (onAsk !== "wait" || ownerId !== AUTOMATION_USER_ID) return;
  throw invalidField("on_ask", "must be deny, unless runAs is a person who can decide");
}

async function requireAddress(url: string): Promise<void> {
  try {
    await checkDestination(url, { allowedPrivateHosts: env().allowedPrivateHosts });
  } catch (error) {
    if (error instanceof OutgoingRequestRefused) throw invalidField("url", error.message);
    throw error;
  }
}

/** Omitted fields keep their values; another host needs another secret. Throws `not_found`, `invalid_input`. */
export async function updateWebhook(
  services: Services,
  id: string,
  change: UpdateWebhookBody,
  viewer: Viewer,
): Promise<Webhook> {
  const { database } = services;
  const found = await requireWebhook(database, id);
  const { query, before, after } =
    found.direction === "in"
      ? await incomingChange(database, found.row, change, viewer)
      : await outgoingChange(database, found.row, change);
  const secret = change.secret === undefined ? [] : await replacementQueries(database, id, change.secret);
  const record = { actorId: viewer.id, action: "webhook.changed", target: `webhook:${id}` };
  await database.$transaction([
    query(),
    ...secret,
    auditQuery(services, { ...record, ...changedFields(before, after) }),
  ]);
  if (found.direction === "out") await applyWebhookChange(database);
  return getWebhook(services, id);
}

async function incomingChange(
  database: Database,
  row: TriggerRow,
  { url, events, secret, enabled = row.enabled, ...change }: UpdateWebhookBody,
  viewer: Viewer,
) {
  if (url !== undefined || events !== undefined) throw invalidField("url", "belongs to webhooks that go out");
  if (secret !== undefined) throw invalidField("secret", "is replaced by rotating it");
  const { agentId, runAs, ...fields } = change;
  const before = StoredIncoming.parse(JSON.parse(row.config));
  const given = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && Object.hasOwn(INCOMING_FIELDS, name)),
  );
  const config = StoredIncoming.parse({ ...before, ...given });
  if (agentId) await loadCurrentVersion(database, agentId, EVERY_AGENT);
  const ownerId = runAs === undefined ? row.ownerId : await requireRunAs(database, runAs);
  requireDecider(config, ownerId);
  const isPaused = row.pausedReason !== null && !enabled;
  const data = {
    name: config.name,
    config: JSON.stringify(config),
    enabled,
    ownerId,
    agentId: agentId ?? row.agentId,
    ...(await keyAfterChange(database, row, viewer, {
      isChanged: Object.values(change).some((value) => value !== undefined),
      isSwitchedOn: enabled && !row.enabled,
    })),
    ...(isPaused ? {} : { pausedReason: null, pausedAt: null, failures: 0 }),
  };
  return {
    query: () => database.trigger.update({ where: { id: row.id }, data, select: { id: true } }),
    before: { ...audited(before), enabled: row.enabled, runAs: row.ownerId, agentId: row.agentId },
    after: { ...audited(config), enabled, runAs: ownerId, agentId: data.agentId },
  };
}

async function outgoingChange(database: Database, row: WebhookRow, change: UpdateWebhookBody) {
  const { name = row.name, url = row.url, enabled = row.enabled, agentId = row.agentId } = change;
  const events = change.events ? JSON.stringify(change.events) : row.events;
  if (url !== row.url) await requireAddress(url);
  if (change.secret !== undefined) checkSecret(change.secret, "standard");
  refuseKeptSecrets([{ path: "secret", isKept: change.secret === undefined, from: row.url, to: url }]);
  if (agentId) await loadCurrentVersion(database, agentId, EVERY_AGENT);
  const data = { name, url, events, enabled, agentId };
  const side = (of: typeof data) => ({ ...of, url: new URL(of.url).host });
  return {
    query: () => database.webhook.update({ where: { id: row.id }, data, select: { id: true } }),
    before: side({ name: row.name, url: row.url, events: row.events, enabled: row.enabled, agentId: row.agentId }),
    after: side(data),
  };
}

/** Deletes a webhook; its runs and past deliveries stay. Throws `not_found`. */
export async function deleteWebhook(services: Services, id: string, viewer: Viewer): Promise<void> {
  const { database } = services;
  const found = await requireWebhook(database, id);
  const { trigger, webhook, webhookSecret, delivery } = database;
  const before = { name: found.row.name, direction: found.direction };
  await database.$transaction([
    found.direction === "in" ? trigger.deleteMany({ where: { id } }) : webhook.deleteMany({ where: { id } }),
    webhookSecret.deleteMany({ where: { webhookId: id } }),
    // Pending deliveries would fail at every attempt.
    delivery.updateMany({
      where: { webhookId: id, nextAt: { not: null } },
      data: { state: "failed", nextAt: null, error: "The webhook was deleted." },
    }),
    auditQuery(services, { actorId: viewer.id, action: "webhook.deleted", target: `webhook:${id}`, before }),
  ]);
  if (found.direction === "out") await applyWebhookChange(database);
}

/** Creates a new secret, shown once; the previous one stays valid for a day. Throws `not_found`. */
export async function rotateSecret(
  services: Services,
  id: string,
  viewer: Viewer,
  now = new Date(),
): Promise<{ secret: string }> {
  await requireWebhook(services.database, id);
  const secret = makeSecret();
  const record = { actorId: viewer.id, action: "webhook.secret_rotated", target: `webhook:${id}` };
  await services.database.$transaction([
    ...(await rotationQueries(services.database, id, secret, now)),
    auditQuery(services, record),
  ]);
  return { secret };
}

/** Excludes the prompt and tokens in addresses from the audit log. */
function auditedBody({ secret: _, ...body }: CreateWebhookBody) {
  return body.direction === "in" ? audited(body) : { ...body, url: new URL(body.url).host };
}

function audited<Fields extends { readonly prompt: string }>({ prompt, ...fields }: Fields) {
  return { ...fields, promptChars: prompt.length };
}
