import "server-only";
import { Effort } from "@/lib/schema/agents/choices";
import type { QueuePatch, QueueRelease, ThreadQueue } from "@/lib/schema/threads/queue";
import type { Reader } from "@/lib/schema/users/user";
import { releaseHeld } from "@/lib/server/engine/held/release-held";
import { changeQueued, removeQueued } from "@/lib/server/engine/queue/change-queue";
import { loadWaiting } from "@/lib/server/engine/queue/queue-order";
import { selectSteerable } from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import type { Services } from "@/lib/server/platform/services";
import { requireReadableThread, requireWritableThread } from "./thread-row";

/**
 * The messages queued in the owner's thread, in reading order, and then those that are held; another person's thread is
 * `not_found`.
 */
export async function getQueue(services: Services, threadId: string, viewer: Reader): Promise<ThreadQueue> {
  await requireReadableThread(services.database, threadId, viewer);
  const [{ queue, held }, target] = await Promise.all([
    loadWaiting(services.database, threadId),
    selectSteerable(services.database, threadId),
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
  services: Services,
  { threadId, messageId }: QueuedPlace,
  viewer: Reader,
  patch: QueuePatch,
): Promise<ThreadQueue> {
  await requireWritableThread(services.database, threadId, viewer);
  await changeQueued(services.database, { threadId, ownerId: viewer.id }, messageId, patch);
  return getQueue(services, threadId, viewer);
}

/** Throws `conflict` once the agent has read the message. */
export async function removeFromQueue(
  services: Services,
  { threadId, messageId }: QueuedPlace,
  viewer: Reader,
): Promise<void> {
  await requireWritableThread(services.database, threadId, viewer);
  await removeQueued(services.database, { threadId, ownerId: viewer.id }, messageId);
}

/** Sends the viewer's own held messages; nobody can send another person's. */
export async function releaseQueue(
  services: Services,
  threadId: string,
  viewer: Reader,
  { ids }: NonNullable<QueueRelease>,
) {
  await requireWritableThread(services.database, threadId, viewer);
  await releaseHeld(services.database, { threadId, ownerId: viewer.id, only: ids });
  return getQueue(services, threadId, viewer);
}
