import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import { announceToUser } from "./signals";

/** Notifies the open pages of everybody who can read the thread that its queue has changed. Never fails. */
export async function notifyQueueChanged(database: Database, threadId: string): Promise<void> {
  try {
    const thread = await database.thread.findUnique({
      where: { id: threadId },
      select: { ownerId: true, projectId: true },
    });
    if (!thread) return;
    const { ownerId, projectId } = thread;
    const members =
      projectId === null
        ? []
        : await database.projectMember.findMany({ where: { projectId }, select: { userId: true } });
    for (const userId of new Set([ownerId, ...members.map((member) => member.userId)]))
      announceToUser(userId, { type: "queue.changed", threadId });
  } catch (error) {
    logger().warn({ err: error, threadId }, "could not tell the pages of a thread that its queue has changed");
  }
}

interface ChangedRun {
  readonly id: string;
  readonly threadId: string;
  readonly ownerId: string;
  readonly projectId: string | null;
}

/**
 * Notifies the open pages of a project's other members that a run in it has changed; whoever changed the run notifies
 * the owner's pages. Costs nothing for a run outside of projects. Never fails: a page that missed the event reads again
 * later.
 */
export async function notifyMembers(database: Database, run: ChangedRun, status: string): Promise<void> {
  const { id: runId, threadId, ownerId, projectId } = run;
  if (projectId === null) return;
  try {
    const members = await database.projectMember.findMany({
      where: { projectId, userId: { not: ownerId } },
      select: { userId: true },
    });
    for (const { userId } of members) announceToUser(userId, { type: "run.changed", threadId, runId, status });
  } catch (error) {
    logger().warn({ err: error, runId }, "could not tell the members of a project that a run has changed");
  }
}
