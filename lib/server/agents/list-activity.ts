import "server-only";
import type { AgentActivity } from "@/lib/schema/agents/agent-activity";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { type AgentDay, selectAgentDays, selectLastUses } from "@/lib/server/platform/db/queries/agents";
import { userNames } from "@/lib/server/users/user-names";
import { readYamlFields } from "./config/read-config";
import { writtenConfig } from "./publish-version";
import { changesOf } from "./versions/compare-versions";

const DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * How each agent was used in the last two weeks, including today: by everybody for admins, by themselves for others.
 * Includes the names of its versions and, for admins, the state of its draft.
 */
export async function listActivity(database: Database, viewer: Viewer, nowMs: number): Promise<AgentActivity[]> {
  const isAdmin = hasAdminScope(viewer);
  const ownerId = isAdmin ? null : viewer.id;
  const days = lastDays(nowMs);
  const [uses, rows, aliases, drafts] = await Promise.all([
    selectLastUses(database, ownerId, accessOf(viewer)),
    selectAgentDays(database, new Date(`${days[0]}T00:00:00Z`), ownerId),
    database.agentAlias.findMany({ orderBy: { name: "asc" }, select: { agentId: true, name: true, version: true } }),
    isAdmin ? listDrafts(database) : new Map<string, AgentActivity["draft"]>(),
  ]);
  const daysOfAgent = Map.groupBy(rows, (row) => row.agentId);
  const [latest, latestChildren] = await Promise.all([
    findLatest(
      database,
      uses.flatMap(({ traceId }) => traceId ?? []),
    ),
    findLatestChildren(
      database,
      uses.flatMap(({ childRunId }) => childRunId ?? []),
    ),
  ]);
  return uses.map(({ agentId, traceId, childRunId }) => ({
    agentId,
    ...figuresOf(daysOfAgent.get(agentId) ?? [], days),
    ...later(latest.get(traceId ?? ""), latestChildren.get(childRunId ?? "")),
    aliases: aliases.flatMap((alias) =>
      alias.agentId === agentId ? [{ name: alias.name, version: alias.version }] : [],
    ),
    draft: drafts.get(agentId) ?? null,
  }));
}

/** When each of these runs began, and why it failed. */
async function findLatest(database: Database, traceIds: readonly string[]): Promise<ReadonlyMap<string, LatestUse>> {
  const traces = await database.trace.findMany({
    where: { id: { in: [...traceIds] } },
    select: { id: true, runId: true, status: true, error: true, startedAt: true },
  });
  const failed = traces.filter(({ status }) => status === "failed");
  const runs = await database.run.findMany({
    where: { id: { in: failed.map(({ runId }) => runId) } },
    select: { id: true, errorCode: true },
  });
  const codes = new Map(runs.map(({ id, errorCode }) => [id, errorCode]));
  return new Map(
    traces.map(({ id, runId, status, error, startedAt }) => {
      const lastFailure = status === "failed" ? { code: codes.get(runId) ?? null, message: error } : null;
      return [id, { lastUsedAt: startedAt.toISOString(), lastFailure }];
    }),
  );
}

/** The same of runs as a subagent, which share the trace of the run that asked. */
async function findLatestChildren(
  database: Database,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, LatestUse>> {
  const runs = await database.run.findMany({
    where: { id: { in: [...runIds] } },
    select: { id: true, status: true, errorCode: true, errorMessage: true, createdAt: true },
  });
  return new Map(
    runs.map(({ id, status, errorCode: code, errorMessage: message, createdAt }) => {
      const lastFailure = status === "failed" ? { code, message } : null;
      return [id, { lastUsedAt: createdAt.toISOString(), lastFailure }];
    }),
  );
}

type LatestUse = Pick<AgentActivity, "lastUsedAt" | "lastFailure">;

function later(one: LatestUse | undefined, other: LatestUse | undefined): LatestUse {
  if (!one || !other) return one ?? other ?? { lastUsedAt: null, lastFailure: null };
  return (one.lastUsedAt ?? "") >= (other.lastUsedAt ?? "") ? one : other;
}

function lastDays(nowMs: number): string[] {
  return Array.from({ length: DAYS }, (_, at) => new Date(nowMs - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10));
}

function figuresOf(rows: readonly AgentDay[], days: readonly string[]) {
  return {
    ...sumsOf(rows),
    days: days.map((day) => ({ day, ...sumsOf(rows.filter((row) => row.day === day)) })),
  };
}

function sumsOf(rows: readonly AgentDay[]) {
  const sum = (pick: (row: AgentDay) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return {
    runs: sum(({ runs }) => runs),
    failed: sum(({ failed }) => failed),
    costUsd: sum(({ costUsd }) => costUsd),
    unknownCosts: sum(({ unknownCosts }) => unknownCosts),
  };
}

async function listDrafts(database: Database): Promise<Map<string, AgentActivity["draft"]>> {
  const rows = await database.agentDraft.findMany({
    where: { endedAt: null, agent: { deletedAt: null } },
    select: { agentId: true, revision: true, baseVersion: true, createdAt: true, savedById: true, yaml: true },
  });
  const [names, current] = await Promise.all([
    userNames(
      database,
      rows.map(({ savedById }) => savedById),
    ),
    currentVersions(
      database,
      rows.map(({ agentId }) => agentId),
    ),
  ]);
  return new Map(
    rows.map(({ agentId, createdAt, savedById, yaml, ...draft }) => [
      agentId,
      {
        ...draft,
        isBehind: draft.baseVersion !== current.get(agentId)?.number,
        changes: countChanges(`${agentId} ${draft.revision}`, yaml, current.get(agentId)),
        updatedAt: createdAt.toISOString(),
        updatedByName: names.get(savedById ?? "") ?? null,
      },
    ]),
  );
}

interface CurrentVersion {
  readonly id: string;
  readonly number: number | null;
  readonly config: string;
  readonly yaml: string | null;
}

async function currentVersions(
  database: Database,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, CurrentVersion>> {
  const agents = await database.agent.findMany({
    where: { id: { in: [...agentIds] } },
    select: { currentVersionId: true },
  });
  const versions = await database.agentVersion.findMany({
    where: { id: { in: agents.flatMap(({ currentVersionId }) => currentVersionId ?? []) } },
    select: { id: true, agentId: true, number: true, config: true, yaml: true },
  });
  return new Map(versions.map(({ agentId, ...version }) => [agentId, version]));
}

/** Revisions and versions never change, and the page polls every few seconds. */
const counted = new Map<string, number | null>();
const MAX_COUNTED = 1_000;

function countChanges(revision: string, yaml: string, current: CurrentVersion | undefined): number | null {
  if (current === undefined) return null;
  const key = `${revision} ${current.id}`;
  const known = counted.get(key);
  if (known !== undefined) return known;
  const draft = readYamlFields(yaml);
  const count = draft === null ? null : changesOf(writtenConfig(current).raw, draft, "").length;
  if (counted.size >= MAX_COUNTED) counted.clear();
  counted.set(key, count);
  return count;
}
