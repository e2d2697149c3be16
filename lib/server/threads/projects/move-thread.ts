import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { FileScope } from "@/lib/schema/projects/thread-project";
import { OPEN_STATUSES } from "@/lib/schema/runs/run";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentAccess, EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import { requireProjectRole } from "./project-access";

interface NewPlace {
  readonly projectId?: string | undefined;
  readonly files?: FileScope | undefined;
}

/** The columns that place a new thread. Throws `not_found`, and `forbidden` for a reader of the project. */
export async function placeOfNewThread(
  database: Database,
  { projectId, files }: NewPlace,
  agentId: string,
  viewer: { readonly id: string; readonly access: AgentAccess },
) {
  if (projectId === undefined) return files === "thread" ? { fileScope: files } : {};
  await requireProjectRole(database, projectId, { id: viewer.id }, "write");
  return { projectId, fileScope: files ?? (await usualFiles(database, agentId, viewer.access)) };
}

interface Moved {
  readonly id: string;
  readonly ownerId: string;
  readonly agentId: string;
  readonly projectId: string | null;
  readonly fileScope: string | null;
}

/**
 * Moves a thread and its subagents' threads into a project that its starter can write to, or out of its project with
 * null. Files are not moved: from then on the thread uses the project's, unless it has its own. Throws `busy` while one
 * of its runs is open.
 */
export async function moveThread(database: Database, thread: Moved, projectId: string | null): Promise<void> {
  if (thread.projectId === projectId) return;
  if (projectId !== null) await requireProjectRole(database, projectId, { id: thread.ownerId }, "write");
  const { id, ownerId, agentId } = thread;
  const open = await database.run.count({
    where: { threadId: id, status: { in: [...OPEN_STATUSES] }, heldAt: null },
  });
  if (open > 0) throw new AppError("busy", "This thread has a run that has not ended yet. Move it afterwards.");
  const hasOwn = thread.fileScope === "thread";
  const shared = projectId === null ? null : await usualFiles(database, agentId, EVERY_AGENT);
  await database.$transaction([
    database.thread.update({
      where: { id },
      data: { projectId, fileScope: hasOwn ? "thread" : shared },
      select: { id: true },
    }),
    database.thread.updateMany({ where: { parentThreadId: id }, data: { projectId, ownerId } }),
  ]);
}

/** If an agent's threads have their own files, they also do in a project. */
async function usualFiles(database: Database, agentId: string, access: AgentAccess): Promise<FileScope> {
  const version = await loadCurrentVersion(database, agentId, access).catch(() => null);
  return version?.config.backend?.scope === "thread" ? "thread" : "project";
}
