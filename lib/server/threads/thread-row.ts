import "server-only";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { OPEN_STATUSES, RunStatus } from "@/lib/schema/runs/run";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { database } from "@/lib/server/platform/db/database";
import { selectLatestRunIds } from "@/lib/server/platform/db/queries/runs";
import { shownStatuses } from "@/lib/server/views/shown-status";

interface ThreadRow {
  id: string;
  agentId: string;
  title: string | null;
  pinned: boolean;
  isTest: boolean;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The columns that `describeThreads` needs. */
export const THREAD_FIELDS = {
  id: true,
  agentId: true,
  title: true,
  pinned: true,
  isTest: true,
  archivedAt: true,
  createdAt: true,
  updatedAt: true,
} as const;

/** Rows as the API lists them, with the latest run's status, the current run, and the agent's name. */
export async function describeThreads(rows: readonly ThreadRow[]): Promise<ThreadSummary[]> {
  const [latest, open, names] = await Promise.all([
    latestStatuses(rows.map(({ id }) => id)),
    openRunIds(rows.map(({ id }) => id)),
    agentNames(rows.map(({ agentId }) => agentId)),
  ]);
  return rows.map((row) => ({
    id: row.id,
    agentId: row.agentId,
    agentName: names.get(row.agentId) ?? row.agentId,
    title: row.title,
    pinned: row.pinned,
    archived: row.archivedAt !== null,
    ...(row.isTest ? { draft: true as const } : {}),
    status: latest.get(row.id) ?? null,
    activeRunId: open.get(row.id) ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

/** The viewer's own thread. Another person's, a deleted and an unknown one give the same `not_found`. */
export async function requireOwnThread(threadId: string, ownerId: string) {
  const row = await database().thread.findFirst({
    where: { id: threadId, ownerId, deletedAt: null },
    select: { ...THREAD_FIELDS, clientId: true },
  });
  if (!row) throw noThread();
  return row;
}

export function noThread(): AppError {
  return new AppError("not_found", "Thread not found.");
}

async function latestStatuses(threadIds: string[]): Promise<Map<string, RunStatus>> {
  if (threadIds.length === 0) return new Map();
  const latest = await selectLatestRunIds(database(), threadIds);
  const runs = await database().run.findMany({
    where: { id: { in: [...latest.values()] } },
    select: { id: true, status: true, waitingFor: true },
  });
  const statuses = await shownStatuses(database(), runs);
  return new Map(
    [...latest].flatMap(([threadId, runId]) => {
      const status = statuses.get(runId);
      return status === undefined ? [] : [[threadId, RunStatus.parse(status)] as const];
    }),
  );
}

/** The run that is running or waiting; otherwise the first in the queue. */
async function openRunIds(threadIds: string[]): Promise<Map<string, string>> {
  const runs = await database().run.findMany({
    where: { threadId: { in: threadIds }, status: { in: [...OPEN_STATUSES] }, parentRunId: null },
    orderBy: [{ position: "desc" }, { id: "desc" }],
    select: { id: true, threadId: true, status: true },
  });
  const queuedFirst = runs.toSorted((a, b) => Number(b.status === "queued") - Number(a.status === "queued"));
  return new Map(queuedFirst.map(({ threadId, id }) => [threadId, id]));
}

/** The names of agents by id; a deleted agent keeps its last name. */
export async function agentNames(agentIds: readonly string[]): Promise<Map<string, string>> {
  const agents = await database().agent.findMany({
    where: { id: { in: [...new Set(agentIds)] } },
    select: { id: true, currentVersionId: true },
  });
  const versionIds = agents.flatMap(({ currentVersionId }) => currentVersionId ?? []);
  const versions = await database().agentVersion.findMany({
    where: { id: { in: versionIds } },
    select: { agentId: true, config: true },
  });
  return new Map(
    versions.map(({ agentId, config }) => [
      agentId,
      AgentConfig.pick({ name: true }).strip().parse(JSON.parse(config)).name,
    ]),
  );
}
