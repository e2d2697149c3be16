import "server-only";
import type { AgentActivity } from "@/lib/schema/agents/agent-activity";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { database } from "@/lib/server/platform/db/database";
import { parseTimestamp } from "@/lib/server/platform/db/dialect";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { type AgentDay, selectAgentDays, selectLastUses } from "@/lib/server/platform/db/queries/agents";
import { userNames } from "@/lib/server/users/user-names";

const DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * How each agent was used in the last two weeks, today included: for admins by everybody, for others by themselves. With
 * the names of its versions and, for admins, the state of its draft.
 */
export async function listActivity(viewer: Viewer, nowMs: number): Promise<AgentActivity[]> {
  const db = database();
  const isAdmin = hasAdminScope(viewer);
  const ownerId = isAdmin ? null : viewer.id;
  const days = lastDays(nowMs);
  const [uses, rows, aliases, drafts] = await Promise.all([
    selectLastUses(db, ownerId, accessOf(viewer)),
    selectAgentDays(db, new Date(`${days[0]}T00:00:00Z`), ownerId),
    db.agentAlias.findMany({ orderBy: { name: "asc" }, select: { agentId: true, name: true, version: true } }),
    isAdmin ? listDrafts() : new Map<string, AgentActivity["draft"]>(),
  ]);
  const daysOfAgent = Map.groupBy(rows, (row) => row.agentId);
  return uses.map(({ agentId, lastUsedAt }) => ({
    agentId,
    ...figuresOf(daysOfAgent.get(agentId) ?? [], days),
    lastUsedAt: parseTimestamp(lastUsedAt)?.toISOString() ?? null,
    aliases: aliases.flatMap((alias) =>
      alias.agentId === agentId ? [{ name: alias.name, version: alias.version }] : [],
    ),
    draft: drafts.get(agentId) ?? null,
  }));
}

function lastDays(nowMs: number): string[] {
  return Array.from({ length: DAYS }, (_, at) => new Date(nowMs - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10));
}

function figuresOf(rows: readonly AgentDay[], days: readonly string[]) {
  const sum = (pick: (row: AgentDay) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return {
    runs: sum(({ runs }) => runs),
    failed: sum(({ failed }) => failed),
    costUsd: sum(({ costUsd }) => costUsd),
    unknownCosts: sum(({ unknownCosts }) => unknownCosts),
    days: days.map((day) => {
      const { agentId: _, ...found } = rows.find((row) => row.day === day) ?? NOTHING;
      return { ...found, day };
    }),
  };
}

const NOTHING: AgentDay = { agentId: "", day: "", runs: 0, failed: 0, costUsd: 0, unknownCosts: 0 };

async function listDrafts(): Promise<Map<string, AgentActivity["draft"]>> {
  const rows = await database().agentDraft.findMany({
    where: { endedAt: null, agent: { deletedAt: null } },
    select: { agentId: true, revision: true, baseVersion: true, createdAt: true, savedById: true },
  });
  const [names, current] = await Promise.all([
    userNames(rows.map(({ savedById }) => savedById)),
    currentNumbers(rows.map(({ agentId }) => agentId)),
  ]);
  return new Map(
    rows.map(({ agentId, createdAt, savedById, ...draft }) => [
      agentId,
      {
        ...draft,
        isBehind: draft.baseVersion !== current.get(agentId),
        updatedAt: createdAt.toISOString(),
        updatedByName: names.get(savedById ?? "") ?? null,
      },
    ]),
  );
}

async function currentNumbers(agentIds: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
  const agents = await database().agent.findMany({
    where: { id: { in: [...agentIds] } },
    select: { currentVersionId: true },
  });
  const versions = await database().agentVersion.findMany({
    where: { id: { in: agents.flatMap(({ currentVersionId }) => currentVersionId ?? []) } },
    select: { agentId: true, number: true },
  });
  return new Map(versions.map(({ agentId, number }) => [agentId, number]));
}
