import "server-only";
import { modelName } from "@/lib/schema/agents/agent-config";
import { type Heartbeat, type HeartbeatRun, HeartbeatStop } from "@/lib/schema/triggers/heartbeat";
import { PausedReason } from "@/lib/schema/triggers/schedule";
import { type AgentVersion, loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import { countHeartbeatRuns, type HeartbeatRunCount } from "@/lib/server/platform/db/queries/dispatch/heartbeats";
import {
  type FiringWithRun,
  selectLatestFirings,
  type TriggerRow,
} from "@/lib/server/platform/db/queries/dispatch/triggers";
import { madeByKeys } from "@/lib/server/platform/key-limits";
import { startOfPeriod } from "@/lib/server/platform/time/local-day";
import { timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { toFiring } from "@/lib/server/triggers/firings";
import { userNames } from "@/lib/server/users/user-names";
import { MONTH_MS, monthOf, totalOf } from "./heartbeat-month";
import { heartbeatOf, type Said, stateOf } from "./heartbeat-state";
import { zoneOf } from "./heartbeat-times";

/** How many beats a strip shows. */
const STRIP = 48;

/** Heartbeats as shown by the API, in row order. */
export async function describeHeartbeats(
  database: Database,
  rows: readonly TriggerRow[],
  now: Date,
): Promise<Heartbeat[]> {
  const ids = rows.map(({ id }) => id);
  const [firings, month, today, agents, owners, said, keys] = await Promise.all([
    selectLatestFirings(database, ids, STRIP),
    countHeartbeatRuns(database, ids, new Date(now.getTime() - MONTH_MS)),
    countToday(database, rows, now),
    currentVersions(
      database,
      rows.map(({ agentId }) => agentId),
    ),
    userNames(
      database,
      rows.map(({ ownerId }) => ownerId),
    ),
    saidLast(database, rows),
    madeByKeys(database, rows, now),
  ]);
  const ofRow = <Row extends { readonly triggerId: string }>(all: readonly Row[], id: string) =>
    all.filter(({ triggerId }) => triggerId === id);
  return readEach(rows, "heartbeat", (row) => {
    const config = heartbeatOf(row);
    const { pauseMs, lookedAt, answers } = stateOf(row);
    const agent = agents.get(row.agentId);
    const ofToday = totalOf(ofRow(today, row.id));
    return {
      ...config,
      id: row.id,
      agentId: row.agentId,
      agentName: agent?.config.name ?? row.agentId,
      agentVersion: agent?.number ?? null,
      agentModel: agent?.config.model ? modelName(agent.config.model) : null,
      ownerId: row.ownerId,
      ownerName: row.ownerId === null ? null : (owners.get(row.ownerId) ?? null),
      kind: "heartbeat",
      zone: zoneOf(config, row.ownerId),
      enabled: row.enabled,
      nextDueAt: row.nextDueAt?.toISOString() ?? null,
      failures: row.failures,
      pausedReason: PausedReason.nullable().parse(row.pausedReason),
      pausedAt: row.pausedAt?.toISOString() ?? null,
      apiKey: keys.get(row.apiKeyId ?? "") ?? null,
      pauseMs,
      todayUsd: ofToday.unpriced > 0 ? null : ofToday.usd,
      todayBeats: ofToday.beats,
      todayCalls: ofToday.calls,
      month: monthOf(ofRow(month, row.id), config, now),
      lookedAt,
      answers,
      lastSaid: said.get(row.id) ?? null,
      firings: ofRow(firings, row.id).map(toHeartbeatRun),
      createdAt: row.createdAt.toISOString(),
    };
  });
}

export function toHeartbeatRun(row: FiringWithRun): HeartbeatRun {
  const { said, pauseMs } = row;
  return { ...toFiring(row), stoppedBy: HeartbeatStop.nullable().parse(row.stoppedBy), said, pauseMs };
}

/** Counted by each owner's days, like the daily budget. */
async function countToday(database: Database, rows: readonly TriggerRow[], now: Date): Promise<HeartbeatRunCount[]> {
  const byZone = Map.groupBy(rows, ({ ownerId }) => (ownerId === null ? undefined : timeZoneOfUser(ownerId)));
  const counts = await Promise.all(
    [...byZone].map(([timeZone, own]) => {
      const ids = own.map(({ id }) => id);
      return countHeartbeatRuns(database, ids, startOfPeriod("day", now, timeZone));
    }),
  );
  return counts.flat();
}

async function currentVersions(database: Database, agentIds: readonly string[]): Promise<Map<string, AgentVersion>> {
  const agents = await database.agent.findMany({
    where: { id: { in: [...new Set(agentIds)] }, currentVersionId: { not: null } },
    select: { id: true, currentVersionId: true },
  });
  const versions = agents.map(({ currentVersionId }) => loadAgentVersion(database, currentVersionId ?? ""));
  return new Map((await Promise.all(versions)).map((version) => [version.agentId, version]));
}

async function saidLast(
  database: Database,
  rows: readonly TriggerRow[],
): Promise<Map<string, NonNullable<Heartbeat["lastSaid"]>>> {
  const states = readEach(rows, "heartbeat", (row) => ({ id: row.id, said: stateOf(row).said.at(-1) }));
  const last = states.flatMap(({ id, said }): [string, Said][] => (said === undefined ? [] : [[id, said]]));
  if (last.length === 0) return new Map();
  const runs = await database.run.findMany({
    where: { id: { in: last.map(([, { runId }]) => runId) } },
    select: { id: true, threadId: true, costUsd: true },
  });
  const byId = new Map(runs.map((run) => [run.id, run]));
  return new Map(
    last.map(([id, said]) => {
      const { threadId = null, costUsd = null } = byId.get(said.runId) ?? {};
      return [id, { ...said, threadId, costUsd }];
    }),
  );
}
