import "server-only";
import { Effort } from "@/lib/schema/agents/choices";
import type { QueuePatch, QueueRelease, ThreadQueue } from "@/lib/schema/threads/queue";
import type { Reader } from "@/lib/schema/users/user";
import { releaseHeld } from "@/lib/server/engine/held/release-held";
import { changeQueued, removeQueued } from "@/lib/server/engine/queue/change-queue";
import { loadWaiting } from "@/lib/server/engine/queue/queue-order";
import type { Database } from "@/lib/server/platform/db/database";
import { selectSteerable } from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { requireReadableThread, requireWritableThread } from "./thread-row";

/**
 * The messages queued in the owner's thread, in reading order, and then those that are held; another person's thread is
 * `not_found`.
 */
export async function getQueue(database: Database, threadId: string, viewer: Reader): Promise<ThreadQueue> {
  await requireReadableThread(database, threadId, viewer);
  const [{ queue, held }, target] = await Promise.all([
    loadWaiting(database, threadId),
    selectSteerable(database, threadId),
  ]);
  return {
    messages: [...queue, ...held].map(({ row, message }, index) => ({
      messageId: message.id,
      runId: row.id,
      content: message.content,
      mode: target !== null && row.steersRunId === target.id ? "steer" : "queue",
      state: row.heldAt === null ? "queued" : "held",
      position: index + 1,
      model: row.modelOverride,
      effort: Effort.nullable().parse(row.effort),
      createdAt: row.createdAt.toISOString(),
    })),
  };
}

interface QueuedPlace {
  readonly threadId: string;
  readonly messageId: string;
}

/** Throws `conflict` once the agent has read the message. */
export async function changeQueue(
  database: Database,
  { threadId, messageId }: QueuedPlace,
  viewer: Reader,
  patch: QueuePatch,
): Promise<ThreadQueue> {
  await requireWritableThread(database, threadId, viewer);
  await changeQueued(database, { threadId, ownerId: viewer.id }, messageId, patch);
  return getQueue(database, threadId, viewer);
}

/** Throws `conflict` once the agent has read the message. */
export async function removeFromQueue(
  database: Database,
  { threadId, messageId }: QueuedPlace,
  viewer: Reader,
): Promise<void> {
  await requireWritableThread(database, threadId, viewer);
  await removeQueued(database, { threadId, ownerId: viewer.id }, messageId);
}

/** Sends the viewer's own held messages; nobody can send another person's. */
export async function releaseQueue(
  database: Database,
  threadId: string,
  viewer: Reader,
  { ids }: NonNullable<QueueRelease>,
) {
  await requireWritableThread(database, threadId, viewer);
  await releaseHeld(database, { threadId, ownerId: viewer.id, only: ids });
  return getQueue(database, threadId, viewer);
}
