import "server-only";
import { AppError, invalidField, refuseFields } from "@/lib/schema/app-error";
import type { Channel, ChannelTest, CreateChannelBody, UpdateChannelBody } from "@/lib/schema/channels/channel";
import { ChannelCredentials } from "@/lib/schema/channels/channel-credentials";
import type { Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { changedFields } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import { env } from "@/lib/server/platform/env";
import { checkDestination, OutgoingRequestRefused } from "@/lib/server/platform/safe-fetch";
import { problemsOfShortSecrets } from "@/lib/server/platform/secrets/known-secrets";
import type { Services } from "@/lib/server/platform/services";
import { CHANNEL_KINDS } from "./channel-kinds";
import { type ChannelRow, openChannel, sealCredentials } from "./connection";
import { describeChannels } from "./describe-channels";
import { announceChannels } from "./links/linked-people";

const TEST_TIMEOUT_MS = 10_000;

export async function listChannels(database: Database, now = new Date()): Promise<Channel[]> {
  const rows = await database.channel.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return describeChannels(database, rows, now);
}

/** Throws `not_found`. */
export async function getChannel(database: Database, id: string, now = new Date()): Promise<Channel> {
  const [channel] = await describeChannels(database, [await requireChannel(database, id)], now);
  if (!channel) throw noSuchChannel();
  return channel;
}

/** Throws `not_found`. */
async function requireChannel(database: Database, id: string): Promise<ChannelRow> {
  const row = await database.channel.findUnique({ where: { id } });
  if (!row) throw noSuchChannel();
  return row;
}

function noSuchChannel(): AppError {
  return new AppError("not_found", "There is no such channel.");
}

/** Throws `invalid_input`, `not_found` for the agent. */
export async function createChannel(services: Services, body: CreateChannelBody, viewer: Viewer): Promise<Channel> {
  const { database } = services;
  const { name, agentId, apiRoot = null, ...rest } = { apiRoot: undefined, ...body };
  const credentials = checkCredentials(rest);
  if (!CHANNEL_KINDS[body.kind]) {
    throw invalidField("kind", `${body.kind} is not part of this version`);
  }
  await loadCurrentVersion(database, agentId, EVERY_AGENT);
  if (apiRoot !== null) await requireAddress(apiRoot);
  const id = createId("ch");
  const shown = { kind: body.kind, name, agentId, apiRoot };
  await database.$transaction([
    database.channel.create({
      data: { id, ...shown, ...secretColumns(id, credentials), createdById: viewer.id },
      select: { id: true },
    }),
    // Rejected updates are counted by the channel's own trigger, which has no owner and starts nothing.
    database.trigger.create({
      data: { id, agentId, kind: "channel", name, config: "{}" },
      select: { id: true },
    }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "channel.created",
      target: `channel:${id}`,
      after: shown,
    }),
  ]);
  await announceChannels(services);
  return getChannel(database, id);
}

function checkCredentials(given: unknown): ChannelCredentials {
  const read = ChannelCredentials.safeParse(given);
  const details = read.success
    ? problemsOfShortSecrets(read.data)
    : read.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  refuseFields(details);
  return ChannelCredentials.parse(given);
}

function secretColumns(id: string, credentials: ChannelCredentials) {
  const token = "token" in credentials ? credentials.token : null;
  return {
    credentials: sealCredentials(id, credentials),
    ending: token === null ? null : token.slice(-3),
    receives: receivesOf(credentials),
  };
}

function receivesOf(credentials: ChannelCredentials): string {
  switch (credentials.kind) {
    case "telegram":
      return credentials.receive === "webhook" ? "webhook" : "long polling";
    case "slack":
      return credentials.appToken === undefined ? "signed events" : "Socket Mode";
    default:
      return `IMAP, ${credentials.address}`;
  }
}

async function requireAddress(url: string): Promise<void> {
  try {
    await checkDestination(url, { allowedPrivateHosts: env().allowedPrivateHosts });
  } catch (error) {
    if (error instanceof OutgoingRequestRefused) throw invalidField("apiRoot", error.message);
    throw error;
  }
}

/** Omitted fields keep their values; new credentials must pass a test again. Throws `not_found`, `invalid_input`. */
export async function updateChannel(
  services: Services,
  id: string,
  change: UpdateChannelBody,
  viewer: Viewer,
): Promise<Channel> {
  const { database } = services;
  const row = await requireChannel(database, id);
  const { credentials, name = row.name, agentId = row.agentId, enabled = row.enabled } = change;
  if (credentials && credentials.kind !== row.kind) {
    throw invalidField("credentials.kind", "must stay as it is. Add another channel for another kind");
  }
  if (change.agentId) await loadCurrentVersion(database, agentId, EVERY_AGENT);
  const fresh = { username: null, testedAt: null, testedMs: null, failedAt: null, error: null, offset: null };
  const secrets = credentials ? { ...secretColumns(id, checkCredentials(credentials)), ...fresh } : {};
  // The lease holder notices within one lease period, and restarts with the new settings.
  const data = { name, agentId, enabled, ...secrets, leaseHolder: null, leaseUntil: null };
  const record = { actorId: viewer.id, action: "channel.changed", target: `channel:${id}` };
  await database.$transaction([
    database.channel.update({ where: { id }, data, select: { id: true } }),
    auditQuery(services, {
      ...record,
      ...changedFields({ name: row.name, agentId: row.agentId, enabled: row.enabled }, { name, agentId, enabled }),
      details: credentials ? { credentialsReplaced: true } : {},
    }),
  ]);
  await announceChannels(services);
  return getChannel(database, id);
}

/** Deletes a channel and its links; the threads and runs of its chats stay. Throws `not_found`. */
export async function deleteChannel(services: Services, id: string, viewer: Viewer): Promise<void> {
  const { database } = services;
  const { name, kind } = await requireChannel(database, id);
  const links = await database.channelLink.findMany({ where: { channelId: id }, select: { id: true } });
  const { trigger, channel } = database;
  await database.$transaction([
    trigger.deleteMany({ where: { id: { in: [id, ...links.map((link) => link.id)] } } }),
    channel.deleteMany({ where: { id } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "channel.deleted",
      target: `channel:${id}`,
      before: { name, kind },
    }),
  ]);
  await announceChannels(services);
}

/** Asks the service for the bot's name and stores the answer. Throws `not_found`. */
export async function testChannel(
  services: Services,
  id: string,
  viewer: Viewer,
  now = new Date(),
): Promise<ChannelTest> {
  const row = await requireChannel(services.database, id);
  const began = performance.now();
  const outcome = await ask(row);
  const tookMs = Math.round(performance.now() - began);
  const data =
    outcome.username === null
      ? { failedAt: row.failedAt ?? now, error: outcome.error }
      : { username: outcome.username, testedAt: now, testedMs: tookMs, failedAt: null, error: null };
  await services.database.$transaction([
    services.database.channel.update({ where: { id }, data, select: { id: true } }),
    auditQuery(services, {
      actorId: viewer.id,
      action: "channel.tested",
      target: `channel:${id}`,
      details: { ok: outcome.username !== null },
    }),
  ]);
  return { ok: outcome.username !== null, ...outcome, tookMs };
}

async function ask(row: ChannelRow): Promise<Pick<ChannelTest, "username" | "error">> {
  try {
    const { channel, connection } = await openChannel(row);
    const { username } = await channel.test(connection, AbortSignal.timeout(TEST_TIMEOUT_MS));
    return { username, error: null };
  } catch (error) {
    return { username: null, error: error instanceof Error ? error.message : String(error) };
  }
}
