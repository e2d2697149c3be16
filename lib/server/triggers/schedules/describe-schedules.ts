import "server-only";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { PausedReason, type Schedule, StoredSchedule } from "@/lib/schema/triggers/schedule";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import {
  selectLatestFirings,
  selectTriggerCosts,
  type TriggerRow,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import { madeByKeys } from "@/lib/server/platform/key-limits";
import { startOfPeriod } from "@/lib/server/platform/time/local-day";
import { timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { toFiring } from "@/lib/server/triggers/firings";
import { userNames } from "@/lib/server/users/user-names";
import { timeZoneOf } from "./due-times";

/** How many firings a strip shows. */
const STRIP = 30;
const MONTH_MS = 30 * 86_400_000;

/** Schedules as shown by the API, in row order. */
export async function describeSchedules(
  database: Database,
  rows: readonly TriggerRow[],
  now: Date,
): Promise<Schedule[]> {
  const ids = rows.map(({ id }) => id);
  const [firings, costs, monthly, agents, owners, keys] = await Promise.all([
    selectLatestFirings(database, ids, STRIP),
    costsToday(database, rows, now),
    selectTriggerCosts(database, ids, new Date(now.getTime() - MONTH_MS)),
    currentVersions(
      database,
      rows.map(({ agentId }) => agentId),
    ),
    userNames(
      database,
      rows.map(({ ownerId }) => ownerId),
    ),
    madeByKeys(database, rows, now),
  ]);
  return readEach(rows, "schedule", (row) => {
    const config = StoredSchedule.parse(JSON.parse(row.config));
    const agent = agents.get(row.agentId);
    return {
      ...config,
      id: row.id,
      agentId: row.agentId,
      agentName: agent?.name ?? row.agentId,
      agentVersion: agent?.version ?? null,
      ownerId: row.ownerId,
      ownerName: row.ownerId === null ? null : (owners.get(row.ownerId) ?? null),
      kind: kindOf(config),
      timezone: timeZoneOf(config),
      enabled: row.enabled,
      nextDueAt: row.nextDueAt?.toISOString() ?? null,
      failures: row.failures,
      pausedReason: PausedReason.nullable().parse(row.pausedReason),
      pausedAt: row.pausedAt?.toISOString() ?? null,
      apiKey: keys.get(row.apiKeyId ?? "") ?? null,
      fromConfig: row.fromConfig,
      todayUsd: costs.has(row.id) ? (costs.get(row.id) ?? null) : 0,
      monthUsd: monthly.has(row.id) ? (monthly.get(row.id) ?? null) : 0,
      firings: firings.filter(({ triggerId }) => triggerId === row.id).map(toFiring),
      createdAt: row.createdAt.toISOString(),
    };
  });
}

export function kindOf({ cron, every }: Pick<StoredSchedule, "cron" | "every">): Schedule["kind"] {
  if (cron !== undefined) return "cron";
  return every === undefined ? "at" : "every";
}

/** The cost of each schedule today, by its owner's days. */
async function costsToday(
  database: Database,
  rows: readonly TriggerRow[],
  now: Date,
): Promise<Map<string, number | null>> {
  const byZone = Map.groupBy(rows, ({ ownerId }) => (ownerId === null ? undefined : timeZoneOfUser(ownerId)));
  const costs = await Promise.all(
    [...byZone].map(([timeZone, own]) => {
      const ids = own.map(({ id }) => id);
      return selectTriggerCosts(database, ids, startOfPeriod("day", now, timeZone));
    }),
  );
  return new Map(costs.flatMap((one) => [...one]));
}

export async function currentVersions(database: Database, agentIds: readonly string[]) {
  const agents = await database.agent.findMany({
    where: { id: { in: [...new Set(agentIds)] } },
    select: { currentVersionId: true },
  });
  const versions = await database.agentVersion.findMany({
    where: { id: { in: agents.flatMap(({ currentVersionId }) => currentVersionId ?? []) } },
    select: { agentId: true, number: true, config: true },
  });
  const named = AgentConfig.pick({ name: true }).strip();
  return new Map(
    versions.map(({ agentId, number, config }) => [
      agentId,
      { name: named.parse(JSON.parse(config)).name, version: number },
    ]),
  );
}
