import type { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { insertDeliveryStatement } from "@/lib/server/platform/db/queries/dispatch/triggers";

interface NewMessage {
  /** The same id for a repeat of the same call. */
  readonly id: string;
  readonly runId: string;
  readonly ownerId: string;
  readonly link: string;
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly hash: string }[];
  /** Its place among the messages to the chat. */
  readonly createdAt: Date;
}

/** Queues what the tool `message` says: it is sent at once, regardless of the run's outcome. */
export async function queueMessage(database: Database, message: NewMessage, now = new Date()): Promise<void> {
  const { id, runId, ownerId, link, text, files, createdAt } = message;
  const target: OutgoingTarget = { message: { link, files: [...files] } };
  await queueDelivery(database, { id, runId, ownerId, target, body: text, createdAt }, now);
}

interface NewDelivery extends Pick<NewMessage, "id" | "runId" | "ownerId"> {
  readonly target: OutgoingTarget;
  readonly body: string;
  /** Default: now. */
  readonly createdAt?: Date;
}

/** Queues a delivery; a repeat queues nothing twice. */
export async function queueDelivery(
  database: Database,
  { target, createdAt, ...row }: NewDelivery,
  now: Date,
): Promise<void> {
  if ((await database.delivery.count({ where: { id: row.id } })) > 0) return;
  const columns = {
    ...row,
    target: JSON.stringify(target),
    state: "pending",
    nextAt: now,
    createdAt: createdAt ?? now,
  };
  try {
    await database.runAll([insertDeliveryStatement(columns), ...(await deliveryTimer(database, row.id, now))]);
    announceQueued("timers-due");
  } catch (error) {
    // Another process has queued it, too.
    if (!isTaken(error)) throw error;
  }
}
