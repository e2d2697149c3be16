import "server-only";
import type { InboxOutlook } from "@/lib/schema/inbox/inbox-outlook";
import { THREAD_STATES } from "@/lib/schema/threads/thread";
import { SCHEDULE_KINDS } from "@/lib/schema/triggers/schedule";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { agentInReach, homeInReach } from "@/lib/server/platform/within-reach";

/** What runs for the viewer now, and which of their schedules is due next. */
export async function inboxOutlook(database: Database, viewer: Viewer): Promise<InboxOutlook> {
  const [runningThreads, next] = await Promise.all([
    countRunningThreads(database, viewer),
    database.trigger.findFirst({
      where: {
        ownerId: viewer.id,
        ...agentInReach(viewer),
        kind: { in: [...SCHEDULE_KINDS] },
        enabled: true,
        nextDueAt: { not: null },
      },
      orderBy: [{ nextDueAt: "asc" }, { id: "asc" }],
      select: { id: true, name: true, nextDueAt: true },
    }),
  ]);
  const dueAt = next?.nextDueAt?.toISOString();
  return {
    runningThreads,
    nextSchedule: next && dueAt !== undefined ? { id: next.id, name: next.name, dueAt } : null,
  };
}

/** A run that waits only for its subagents is at work as well. */
async function countRunningThreads(database: Database, viewer: Viewer): Promise<number> {
  const listed = { deletedAt: null, archivedAt: null, ephemeral: false, parentThreadId: null, boardId: null };
  const runs = await database.run.findMany({
    where: {
      ownerId: viewer.id,
      endedAt: null,
      heldAt: null,
      parentRunId: null,
      OR: [{ status: { in: [...THREAD_STATES.running] } }, { status: "waiting", waitingFor: "child" }],
      thread: { ...listed, ...homeInReach(viewer) },
    },
    orderBy: { id: "asc" },
    select: { threadId: true },
  });
  return new Set(runs.map(({ threadId }) => threadId)).size;
}
