import "server-only";
import { ChannelKind } from "@/lib/schema/channels/channel-credentials";
import type { ChannelLink } from "@/lib/schema/channels/channel-link";
import type { Database } from "@/lib/server/platform/db/database";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { madeByKeys } from "@/lib/server/platform/key-limits";
import type { LinkRow } from "@/lib/server/triggers/channels/connection";
import { currentVersions } from "@/lib/server/triggers/schedules/describe-schedules";
import { REFUSED, whyLinkPaused } from "@/lib/server/triggers/why-paused";
import { userNames } from "@/lib/server/users/user-names";
import { costsOfLinks } from "./link-costs";

const WEEK_MS = 7 * 86_400_000;

/** The linked chats of these triggers. A chat that was unlinked keeps its trigger for a while, and is left out. */
export async function describeChats(
  database: Database,
  rows: readonly TriggerRow[],
  now: Date,
): Promise<ChannelLink[]> {
  const links = await database.channelLink.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  const byId = new Map(links.map((link) => [link.id, link]));
  const inOrder = rows.flatMap(({ id }) => byId.get(id) ?? []);
  return describeLinks(database, inOrder, now);
}

/** Linked chats as the API shows them, in row order; those whose channel is gone are left out. */
export async function describeLinks(database: Database, rows: readonly LinkRow[], now: Date): Promise<ChannelLink[]> {
  const ids = rows.map(({ id }) => id);
  const [agents, names, channels, counts, costs, paused, triggers] = await Promise.all([
    currentVersions(
      database,
      rows.map(({ agentId }) => agentId),
    ),
    userNames(
      database,
      rows.map(({ userId }) => userId),
    ),
    database.channel.findMany({ select: { id: true, kind: true, name: true }, orderBy: { id: "asc" } }),
    database.firing.groupBy({
      by: ["triggerId"],
      where: { triggerId: { in: ids }, state: "started", createdAt: { gt: new Date(now.getTime() - WEEK_MS) } },
      _count: { _all: true },
      orderBy: { triggerId: "asc" },
    }),
    costsOfLinks(database, rows, now),
    whyLinksPaused(database, rows),
    database.trigger.findMany({ where: { id: { in: ids } }, select: { id: true, apiKeyId: true } }),
  ]);
  const keys = await madeByKeys(database, triggers, now);
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
