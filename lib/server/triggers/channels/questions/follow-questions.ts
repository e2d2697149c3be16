import "server-only";
import { createHash } from "node:crypto";
import { answersChat, OriginDetails } from "@/lib/schema/runs/run";
import type { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import { onNotification } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { hasLinkedChat, isAnyoneLinked } from "@/lib/server/triggers/channels/links/linked-people";
import { queueDelivery } from "@/lib/server/triggers/channels/queue-message";
import { noteRunStatus } from "@/lib/server/triggers/channels/typing";

/**
 * Starts asking in chats what runs wait for, and editing those messages once decided. It listens to announcements after
 * the commit, so a run of a person without a linked chat costs nothing.
 */
export function followQuestions(services: Services): () => void {
  const { database } = services;
  return onNotification((notification) => {
    if (notification.type !== "feed" || !hasLinkedChat(services, notification.userId)) return;
    const { userId, event } = notification;
    if (event.type === "run.changed") {
      later(() => noteRunStatus(services, event.runId, event.status));
      if (event.status === "waiting") later(() => askInChat(database, event.runId, new Date()));
    }
    if (event.type === "approval.changed") later(() => queueDecided(database, userId, new Date()));
  });
}

function later(work: () => Promise<void>): void {
  setImmediate(() => {
    work().catch((error: unknown) => logger().error({ err: error }, "could not queue what a chat is to be told"));
  });
}

/** Queues the question that a chat's run, or one of its subagents, waits for. A repeat queues nothing twice. */
async function askInChat(database: Database, runId: string, now: Date): Promise<void> {
  const run = await database.run.findUnique({ where: { id: runId }, select: { rootRunId: true, ownerId: true } });
  if (!run) return;
  const root = await database.run.findUnique({
    where: { id: run.rootRunId ?? runId },
    select: { origin: true, originDetails: true },
  });
  if (root === null || !answersChat(root)) return;
  const { triggerId } = OriginDetails.parse(JSON.parse(root.originDetails));
  const link = triggerId === undefined ? null : await database.channelLink.findUnique({ where: { id: triggerId } });
  if (!link) return;
  const asked = await database.approval.findMany({
    where: { runId, status: "pending" },
    select: { id: true },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  for (const { id: approvalId } of asked) {
    await queueOnce(database, { runId, ownerId: run.ownerId }, { question: { link: link.id, approvalId } }, now);
  }
}

/** Queues the edit of each decided question of the person. */
export async function queueDecided(database: Database, userId: string, now: Date): Promise<void> {
  const open = await database.channelMessage.findMany({
    where: { userId, isOpen: true, approvalId: { not: null } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  if (open.length === 0) return;
  const ids = open.flatMap(({ approvalId }) => approvalId ?? []);
  const pending = await database.approval.findMany({
    where: { id: { in: ids }, status: "pending" },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  for (const { id, runId, approvalId } of open) {
    if (pending.some((row) => row.id === approvalId)) continue;
    await queueOnce(database, { runId, ownerId: userId }, { decided: { message: id } }, now);
  }
}

async function queueOnce(
  database: Database,
  { runId, ownerId }: { readonly runId: string; readonly ownerId: string },
  target: OutgoingTarget,
  now: Date,
): Promise<void> {
  const text = JSON.stringify(target);
  const id = `dlv_${createHash("sha256").update(`${runId}\n${text}`).digest("hex").slice(0, 32)}`;
  await queueDelivery(database, { id, runId, ownerId, target, body: "" }, now);
}

/** How often questions that a dead process failed to queue are swept. */
export const QUESTIONS_EVERY_MS = 30_000;
const GRACE_MS = 10_000;
const AT_ONCE = 200;

/** Queues what a process failed to queue because it died after a run began to wait, or after a decision. */
export async function sweepQuestions(services: Services, now = new Date()): Promise<void> {
  const { database } = services;
  if (!isAnyoneLinked(services)) return;
  const before = new Date(now.getTime() - GRACE_MS);
  const waiting = await database.approval.findMany({
    where: { status: "pending", createdAt: { lt: before } },
    select: { runId: true, ownerId: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: AT_ONCE,
  });
  const runIds = new Set(waiting.filter(({ ownerId }) => hasLinkedChat(services, ownerId)).map(({ runId }) => runId));
  await eachAlone(runIds, "asking in a chat", (runId) => askInChat(database, runId, now));
  const open = await database.channelMessage.findMany({
    where: { isOpen: true, approvalId: { not: null } },
    distinct: ["userId"],
    select: { userId: true },
    orderBy: { userId: "asc" },
  });
  await eachAlone(open, "closing questions in chats", ({ userId }) => queueDecided(database, userId, now));
}
