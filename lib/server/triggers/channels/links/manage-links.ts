import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { ChannelLink, ChannelLinkList, LinkCode } from "@/lib/schema/channels/channel-link";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { auditQuery } from "@/lib/server/audit/audit-log";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { type Database, database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { madeByKeys } from "@/lib/server/platform/key-limits";
import { agentInReach, areInReach, requireWholePerson } from "@/lib/server/platform/within-reach";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";
import { stateOf } from "@/lib/server/triggers/channels/describe-channels";
import { currentVersions } from "@/lib/server/triggers/schedules/describe-schedules";
import { REFUSED, whyLinkPaused } from "@/lib/server/triggers/why-paused";
import { userNames } from "@/lib/server/users/user-names";
import { findLastLink } from "./last-link";
import { costsOfLinks } from "./link-costs";
import { createCode } from "./pairing";

const WEEK_MS = 7 * 86_400_000;

/** The viewer's linked chats, or everybody's, with the channels that can be linked. Throws `forbidden`. */
export async function listLinks(viewer: Viewer, all: boolean, now = new Date()): Promise<ChannelLinkList> {
  if (all && !hasAdminScope(viewer)) throw new AppError("forbidden", "Only an administrator sees everybody's chats.");
  const db = database();
  const whose = all ? {} : { userId: viewer.id };
  const isReached = agentInReach(viewer);
  const [links, codes, channels, last] = await Promise.all([
    db.channelLink.findMany({
      where: { ...whose, ...isReached },
      orderBy: [{ lastUsedAt: { sort: "desc", nulls: "last" } }, { id: "desc" }],
    }),
    db.channelCode.findMany({
      where: { ...whose, usedAt: null, expiresAt: { gt: now }, channel: isReached },
      orderBy: [{ createdAt: "desc" }, { hash: "asc" }],
    }),
    db.channel.findMany({ where: { enabled: true }, orderBy: [{ createdAt: "asc" }, { id: "asc" }] }),
    findLastLink(db, viewer.id),
  ]);
  const names = await userNames(codes.map(({ userId }) => userId));
  return {
    links: await describeLinks(db, links, now),
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

async function describeLinks(db: Database, rows: readonly LinkRow[], now: Date): Promise<ChannelLink[]> {
  const ids = rows.map(({ id }) => id);
  const [agents, names, channels, counts, costs, paused, triggers] = await Promise.all([
    currentVersions(rows.map(({ agentId }) => agentId)),
    userNames(rows.map(({ userId }) => userId)),
    db.channel.findMany({ select: { id: true, kind: true, name: true }, orderBy: { id: "asc" } }),
    db.firing.groupBy({
      by: ["triggerId"],
      where: { triggerId: { in: ids }, state: "started", createdAt: { gt: new Date(now.getTime() - WEEK_MS) } },
      _count: { _all: true },
      orderBy: { triggerId: "asc" },
    }),
    costsOfLinks(db, rows, now),
    whyLinksPaused(db, rows),
    db.trigger.findMany({ where: { id: { in: ids } }, select: { id: true, apiKeyId: true } }),
  ]);
  const keys = await madeByKeys(db, triggers, now);
  const keyOf = new Map(triggers.map(({ id, apiKeyId }) => [id, keys.get(apiKeyId ?? "") ?? null]));
  return rows.flatMap((row) => {
    const channel = channels.find(({ id }) => id === row.channelId);
    if (!channel) return [];
    const agent = agents.get(row.agentId);
    return {
      id: row.id,
      userId: row.userId,
      userName: names.get(row.userId) ?? "",
      channelId: row.channelId,
      paused: paused.get(row.id) ?? null,
      apiKey: keyOf.get(row.id) ?? null,
      channelName: channel.name,
      kind: ChannelKind.parse(channel.kind),
      chatKind: row.chatKind === "group" ? "group" : "direct",
      chatName: row.chatName,
      agentId: row.agentId,
      threadId: row.threadId,
      agentName: agent?.name ?? null,
      agentVersion: agent?.version ?? null,
      verifiedAt: row.verifiedAt.toISOString(),
      lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
      runs: counts.find(({ triggerId }) => triggerId === row.id)?._count._all ?? 0,
      cost: costs.get(row.id) ?? { usd: 0, ofUsd: null, period: "week" },
    };
  });
}

async function whyLinksPaused(db: Database, rows: readonly LinkRow[]): Promise<Map<string, string | null>> {
  const reasons = await Promise.all(rows.map((row) => whyLinkPaused(db, row)));
  return new Map(rows.map(({ id }, index) => [id, reasonText(reasons[index] ?? null)]));
}

function reasonText(reason: keyof typeof REFUSED | null): string | null {
  return reason === null ? null : REFUSED[reason];
}

/** Whoever uses it acts as the whole person. Throws `not_found`, `forbidden`. */
export async function createLinkCode(channelId: string, viewer: Viewer, now = new Date()): Promise<LinkCode> {
  requireWholePerson(viewer);
  const channel = await database().channel.findFirst({ where: { id: channelId, enabled: true } });
  if (!channel) throw new AppError("not_found", "There is no such channel.");
  return createCode(database(), channel, viewer, now);
}

/** The viewer's own link, or any for administrators. Throws `not_found`. */
export async function requireLink(id: string, viewer: Viewer): Promise<LinkRow> {
  const whose = { ...(hasAdminScope(viewer) ? {} : { userId: viewer.id }), ...agentInReach(viewer) };
  const row = await database().channelLink.findFirst({ where: { id, ...whose } });
  if (!row) throw new AppError("not_found", "There is no such linked chat.");
  return row;
}

/** Sets the agent that answers from the next message on, in a new thread. Throws `not_found`. */
export async function changeLinkAgent(id: string, agentId: string, viewer: Viewer): Promise<ChannelLink> {
  const row = await requireLink(id, viewer);
  if (!areInReach(viewer, [agentId])) throw new AppError("not_found", `There is no agent "${agentId}".`);
  await loadCurrentVersion(database(), agentId, accessOfOwner(row.userId));
  const record = { actorId: viewer.id, action: "channel_link.changed", target: `channel_link:${id}` };
  const [changed] = await database().$transaction([
    database().channelLink.update({
      where: { id },
      data: { agentId, ...(agentId === row.agentId ? {} : { threadId: null }) },
    }),
    database().trigger.updateMany({
      where: { id },
      data: { agentId, ...(viewer.keyId === undefined ? {} : { apiKeyId: viewer.keyId }) },
    }),
    auditQuery({ ...record, before: { agentId: row.agentId }, after: { agentId } }),
  ]);
  return describeLink(changed, new Date());
}

/** Throws `not_found` if its channel is gone. */
export async function describeLink(row: LinkRow, now: Date): Promise<ChannelLink> {
  const [link] = await describeLinks(database(), [row], now);
  if (!link) throw new AppError("not_found", "There is no such linked chat.");
  return link;
}
