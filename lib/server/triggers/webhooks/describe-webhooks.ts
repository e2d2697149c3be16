import "server-only";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { PausedReason } from "@/lib/schema/triggers/schedule";
import {
  type IncomingWebhook,
  type OutgoingWebhook,
  StoredIncoming,
  WebhookEvent,
} from "@/lib/schema/webhooks/webhook";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { env } from "@/lib/server/platform/env";
import { madeByKeys } from "@/lib/server/platform/key-limits";
import { REFUSED } from "@/lib/server/triggers/why-paused";
import { userNames } from "@/lib/server/users/user-names";
import { AUTOMATION_USER_ID } from "./automation-user";

const WEEK_MS = 7 * 86_400_000;

export type WebhookRow = NonNullable<Awaited<ReturnType<Database["webhook"]["findUnique"]>>>;

export async function describeIncoming(
  database: Database,
  rows: readonly TriggerRow[],
  now: Date,
): Promise<IncomingWebhook[]> {
  const ids = rows.map(({ id }) => id);
  const since = new Date(now.getTime() - WEEK_MS);
  const [secrets, names, agents, groups, last, keys] = await Promise.all([
    shownSecrets(database, ids, now),
    userNames(
      database,
      rows.map(({ ownerId }) => ownerId),
    ),
    agentNames(
      database,
      rows.map(({ agentId }) => agentId),
    ),
    database.firing.groupBy({
      by: ["triggerId", "state"],
      where: { triggerId: { in: ids }, createdAt: { gte: since } },
      _sum: { count: true },
      orderBy: { triggerId: "asc" },
    }),
    database.firing.groupBy({ by: ["triggerId"], where: { triggerId: { in: ids } }, _max: { dueAt: true } }),
    madeByKeys(database, rows, now),
  ]);
  const lastOf = new Map(last.map(({ triggerId, _max }) => [triggerId, _max.dueAt]));
  return readEach(rows, "webhook", (row) => {
    const config = StoredIncoming.parse(JSON.parse(row.config));
    const sum = (states: readonly string[]) =>
      groups
        .filter(({ triggerId, state }) => triggerId === row.id && states.includes(state))
        .reduce((total, { _sum }) => total + (_sum.count ?? 0), 0);
    const paused = PausedReason.nullable().catch(null).parse(row.pausedReason);
    return {
      direction: "in",
      id: row.id,
      enabled: row.enabled,
      secrets: secrets.get(row.id) ?? [],
      ...config,
      agentId: row.agentId,
      agentName: agents.get(row.agentId) ?? row.agentId,
      runAs: row.ownerId === AUTOMATION_USER_ID ? null : row.ownerId,
      runAsName: names.get(row.ownerId ?? "") ?? "Nobody",
      url: `${env().publicUrl.replace(/\/$/, "")}/hooks/${row.id}`,
      apiKey: keys.get(row.apiKeyId ?? "") ?? null,
      pausedReason: paused === null ? null : REFUSED[paused],
      started: sum(["started", "claimed"]),
      refused: sum(["refused"]),
      lastAt: lastOf.get(row.id)?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    };
  });
}

export async function describeOutgoing(
  database: Database,
  rows: readonly WebhookRow[],
  now: Date,
): Promise<OutgoingWebhook[]> {
  const ids = rows.map(({ id }) => id);
  const [secrets, groups] = await Promise.all([
    shownSecrets(database, ids, now),
    database.delivery.groupBy({
      by: ["webhookId", "state"],
      where: { webhookId: { in: ids } },
      _count: true,
      _max: { createdAt: true },
      orderBy: { webhookId: "asc" },
    }),
  ]);
  return readEach(rows, "webhook", (row) => {
    const own = groups.filter(({ webhookId }) => webhookId === row.id);
    const count = (state: string) => own.find((group) => group.state === state)?._count ?? 0;
    const times = own.flatMap(({ _max }) => _max.createdAt?.toISOString() ?? []).toSorted();
    return {
      direction: "out",
      id: row.id,
      enabled: row.enabled,
      secrets: secrets.get(row.id) ?? [],
      name: row.name,
      url: row.url,
      agentId: row.agentId,
      events: WebhookEvent.array().parse(JSON.parse(row.events)),
      sent: count("sent"),
      pending: count("pending"),
      failed: count("failed"),
      lastAt: times.at(-1) ?? null,
      createdAt: row.createdAt.toISOString(),
    };
  });
}

async function shownSecrets(database: Database, webhookIds: readonly string[], now: Date) {
  const rows = await database.webhookSecret.findMany({
    where: { webhookId: { in: [...webhookIds] }, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
    orderBy: [{ webhookId: "asc" }, { number: "desc" }],
    select: { webhookId: true, number: true, createdAt: true, expiresAt: true },
  });
  const shown = rows.map(({ webhookId, number, createdAt, expiresAt }) => ({
    webhookId,
    secret: { number, createdAt: createdAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null },
  }));
  return new Map(
    webhookIds.map((id) => [id, shown.filter(({ webhookId }) => webhookId === id).map(({ secret }) => secret)]),
  );
}

async function agentNames(database: Database, agentIds: readonly string[]): Promise<Map<string, string>> {
  const agents = await database.agent.findMany({
    where: { id: { in: [...new Set(agentIds)] }, deletedAt: null },
    select: { currentVersionId: true },
  });
  const versions = await database.agentVersion.findMany({
    where: { id: { in: agents.flatMap(({ currentVersionId }) => currentVersionId ?? []) } },
    select: { agentId: true, config: true },
  });
  const named = AgentConfig.pick({ name: true }).strip();
  return new Map(versions.map(({ agentId, config }) => [agentId, named.parse(JSON.parse(config)).name]));
}
