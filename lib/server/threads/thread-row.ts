import "server-only";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { ProjectRole, type ThreadProject } from "@/lib/schema/projects/thread-project";
import { OPEN_STATUSES, RunStatus } from "@/lib/schema/runs/run";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import type { Reader } from "@/lib/schema/users/user";
import { draftNames } from "@/lib/server/agents/drafts/unpublished";
import { ownerNames, requireProjectWriter } from "@/lib/server/engine/project-writer";
import type { Database } from "@/lib/server/platform/db/database";
import { selectLatestRunIds } from "@/lib/server/platform/db/queries/runs";
import { userNames } from "@/lib/server/users/user-names";
import { noThread, readableBy } from "@/lib/server/views/readable-by";
import { shownStatuses } from "@/lib/server/views/shown-status";

export interface ThreadRow {
  id: string;
  ownerId: string;
  projectId: string | null;
  fileScope: string | null;
  agentId: string;
  activeAgentId: string | null;
  takenBackAt: Date | null;
  title: string | null;
  pinned: boolean;
  isTest: boolean;
  replayId: string | null;
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The columns that `describeThreads` needs. */
export const THREAD_FIELDS = {
  id: true,
  ownerId: true,
  projectId: true,
  fileScope: true,
  agentId: true,
  activeAgentId: true,
  boardId: true,
  takenBackAt: true,
  title: true,
  pinned: true,
  isTest: true,
  replayId: true,
  archivedAt: true,
  createdAt: true,
  updatedAt: true,
} as const;

/**
 * Summaries of threads as the viewer lists them, with the latest run's status, the current run and the agent's name.
 */
export async function describeThreads(
  database: Database,
  rows: readonly ThreadRow[],
  viewer: Reader,
): Promise<ThreadSummary[]> {
  const [latest, open, names, projects] = await Promise.all([
    latestStatuses(
      database,
      rows.map(({ id }) => id),
    ),
    openRunIds(
      database,
      rows.map(({ id }) => id),
    ),
    agentNames(
      database,
      rows.map(({ agentId }) => agentId),
    ),
    describeProjects(database, rows, viewer),
  ]);
  return rows.map((row) => ({
    id: row.id,
    agentId: row.agentId,
    agentName: names.get(row.agentId) ?? row.agentId,
    title: row.title,
    pinned: row.pinned,
    archived: row.archivedAt !== null,
    ...(row.isTest ? { draft: true as const } : {}),
    ...projects(row),
    status: latest.get(row.id) ?? null,
    activeRunId: open.get(row.id) ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

/**
 * A thread the viewer can read: their own, or one of a project they are a member of. All others, including deleted and
 * unknown threads, give the same `not_found`.
 */
export async function requireReadableThread(database: Database, threadId: string, viewer: Reader) {
  const row = await database.thread.findFirst({
    where: { id: threadId, deletedAt: null, ...readableBy(viewer) },
    select: { ...THREAD_FIELDS, clientId: true },
  });
  if (!row) throw noThread();
  return row;
}

/**
 * A thread they can also send to. Throws `forbidden` with an explanation for readers, `conflict` once its project is
 * deleted.
 */
export async function requireWritableThread(database: Database, threadId: string, viewer: Reader) {
  const row = await requireReadableThread(database, threadId, viewer);
  if (row.replayId !== null) {
    throw new AppError("conflict", "This is the thread of a replay. Send your message in a thread of your own.");
  }
  if (row.projectId !== null) await requireProjectWriter(database, row.projectId, viewer.id);
  return row;
}

/**
 * A thread the viewer started, for decisions that only they can make. Throws `forbidden` for other members of its
 * project.
 */
export async function requireOwnThread(database: Database, threadId: string, viewer: Reader) {
  const row = await requireReadableThread(database, threadId, viewer);
  if (row.ownerId === viewer.id) return row;
  const starter = (await userNames(database, [row.ownerId])).get(row.ownerId) ?? "The person";
  throw new AppError("forbidden", `${starter} started this thread. Only they can do this.`);
}

/** The project of each thread; queries nothing if no thread is in one. */
async function describeProjects(database: Database, rows: readonly ThreadRow[], viewer: Reader) {
  const inProjects = rows.filter(({ projectId }) => projectId !== null);
  const ids = [...new Set(inProjects.flatMap(({ projectId }) => projectId ?? []))];
  if (ids.length === 0) return () => ({});
  const [projects, owners, names] = await Promise.all([
    database.project.findMany({
      where: { id: { in: ids } },
      select: { id: true, name: true, members: { where: { userId: viewer.id }, select: { role: true } } },
    }),
    ownerNames(database, ids),
    userNames(
      database,
      inProjects.map(({ ownerId }) => ownerId),
    ),
  ]);
  const known = new Map(projects.map((project) => [project.id, project]));
  return ({ projectId, ownerId, fileScope }: ThreadRow): { project?: ThreadProject } => {
    const project = known.get(projectId ?? "");
    if (!project) return {};
    return {
      project: {
        id: project.id,
        name: project.name,
        role: ProjectRole.parse(project.members[0]?.role ?? "read"),
        files: fileScope === "thread" ? "thread" : "project",
        startedBy: { id: ownerId, name: names.get(ownerId) ?? "" },
        ownerName: owners.get(project.id) ?? "",
      },
    };
  };
}

async function latestStatuses(database: Database, threadIds: string[]): Promise<Map<string, RunStatus>> {
  if (threadIds.length === 0) return new Map();
  const latest = await selectLatestRunIds(database, threadIds);
  const runs = await database.run.findMany({
    where: { id: { in: [...latest.values()] } },
    select: { id: true, status: true, waitingFor: true },
  });
  const statuses = await shownStatuses(database, runs);
  return new Map(
    [...latest].flatMap(([threadId, runId]) => {
      const status = statuses.get(runId);
      return status === undefined ? [] : [[threadId, RunStatus.parse(status)] as const];
    }),
  );
}

/** The run that is running or waiting; otherwise the first in the queue. */
async function openRunIds(database: Database, threadIds: string[]): Promise<Map<string, string>> {
  const runs = await database.run.findMany({
    where: { threadId: { in: threadIds }, status: { in: [...OPEN_STATUSES] }, heldAt: null, parentRunId: null },
    orderBy: [{ position: "desc" }, { id: "desc" }],
    select: { id: true, threadId: true, status: true },
  });
  const queuedFirst = runs.toSorted((a, b) => Number(b.status === "queued") - Number(a.status === "queued"));
  return new Map(queuedFirst.map(({ threadId, id }) => [threadId, id]));
}

/** The names of agents by id; a deleted agent keeps its last name, an unpublished one has that of its draft. */
export async function agentNames(database: Database, agentIds: readonly string[]): Promise<Map<string, string>> {
  const agents = await database.agent.findMany({
    where: { id: { in: [...new Set(agentIds)] } },
    select: { id: true, currentVersionId: true },
  });
  const versionIds = agents.flatMap(({ currentVersionId }) => currentVersionId ?? []);
  const versions = await database.agentVersion.findMany({
    where: { id: { in: versionIds } },
    select: { agentId: true, config: true },
  });
  const names = new Map(
    versions.map(({ agentId, config }) => [
      agentId,
      AgentConfig.pick({ name: true }).strip().parse(JSON.parse(config)).name,
    ]),
  );
  const unpublished = agents.flatMap(({ id, currentVersionId }) => (currentVersionId === null ? [id] : []));
  return unpublished.length === 0 ? names : new Map([...names, ...(await draftNames(database, unpublished))]);
}
