import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { ChannelLink, ChannelLinkList, LinkCode } from "@/lib/schema/channels/channel-link";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { agentInReach, areInReach, requireWholePerson } from "@/lib/server/platform/within-reach";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";
import { stateOf } from "@/lib/server/triggers/channels/describe-channels";
import { TRIGGER_KINDS } from "@/lib/server/triggers/trigger-kinds";
import { userNames } from "@/lib/server/users/user-names";
import { describeLinks } from "./describe-links";
import { findLastLink } from "./last-link";
import { createCode } from "./pairing";

/** The viewer's linked chats, or everybody's, with the channels that can be linked. Throws `forbidden`. */
export async function listLinks(
  database: Database,
  viewer: Viewer,
  all: boolean,
  now = new Date(),
): Promise<ChannelLinkList> {
  if (all && !hasAdminScope(viewer)) throw new AppError("forbidden", "Only an administrator sees everybody's chats.");
  const whose = all ? {} : { userId: viewer.id };
  const isReached = agentInReach(viewer);
  const [links, codes, channels, last] = await Promise.all([
    database.channelLink.findMany({
      where: { ...whose, ...isReached },
      orderBy: [{ lastUsedAt: { sort: "desc", nulls: "last" } }, { id: "desc" }],
    }),
    database.channelCode.findMany({
      where: { ...whose, usedAt: null, expiresAt: { gt: now }, channel: isReached },
      orderBy: [{ createdAt: "desc" }, { hash: "asc" }],
    }),
    database.channel.findMany({ where: { enabled: true }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] }),
    findLastLink(database, viewer.id),
  ]);
  const names = await userNames(
    database,
    codes.map(({ userId }) => userId),
  );
  return {
    links: await describeLinks(database, links, now),
    codes: codes.map(({ channelId, userId, expiresAt }) => ({
      channelId,
      userName: names.get(userId) ?? "",
      expiresAt: expiresAt.toISOString(),
    })),
    channels: channels.map((row) => ({
      id: row.id,
      kind: ChannelKind.parse(row.kind),
      name: row.name,
      username: row.username,
      state: stateOf(row, now),
      error: row.error,
    })),
    lastId: last && areInReach(viewer, [last.agentId]) ? last.id : null,
  };
}

/** Whoever uses it acts as the whole person. Throws `not_found`, `forbidden`. */
export async function createLinkCode(
  database: Database,
  channelId: string,
  viewer: Viewer,
  now = new Date(),
): Promise<LinkCode> {
  requireWholePerson(viewer);
  const channel = await database.channel.findFirst({ where: { id: channelId, enabled: true } });
  if (!channel) throw new AppError("not_found", "There is no such channel.");
  return createCode(database, channel, viewer, now);
}

/** The viewer's own link, or any for administrators. Throws `not_found`. */
export async function requireLink(database: Database, id: string, viewer: Viewer): Promise<LinkRow> {
  const whose = { ...(hasAdminScope(viewer) ? {} : { userId: viewer.id }), ...agentInReach(viewer) };
  const row = await database.channelLink.findFirst({ where: { id, ...whose } });
  if (!row) throw new AppError("not_found", "There is no such linked chat.");
  return row;
}

/** Sets the agent that answers from the next message on, in a new thread. Throws `not_found`. */
export async function changeLinkAgent(
  services: Services,
  id: string,
  agentId: string,
  viewer: Viewer,
): Promise<ChannelLink> {
  const { database } = services;
  const row = await requireLink(database, id, viewer);
  if (!areInReach(viewer, [agentId])) throw new AppError("not_found", `There is no agent "${agentId}".`);
  await loadCurrentVersion(database, agentId, accessOfOwner(row.userId));
  const record = { actorId: viewer.id, action: "channel_link.changed", target: `channel_link:${id}` };
  await database.$transaction([
    database.channelLink.update({
      where: { id },
      data: { agentId, ...(agentId === row.agentId ? {} : { threadId: null }) },
      select: { id: true },
    }),
    database.trigger.updateMany({
      where: { id },
      data: { agentId, ...(viewer.keyId === undefined ? {} : { apiKeyId: viewer.keyId }) },
    }),
    auditQuery(services, { ...record, before: { agentId: row.agentId }, after: { agentId } }),
  ]);
  return getLink(services, id);
}

/** Throws `not_found` if its channel is gone. */
export async function getLink(services: Services, id: string, now = new Date()): Promise<ChannelLink> {
  const rows = await services.database.trigger.findMany({ where: { id } });
  const [link] = await TRIGGER_KINDS.chat.describe(services, rows, now);
  if (!link) throw new AppError("not_found", "There is no such linked chat.");
  return link;
}
