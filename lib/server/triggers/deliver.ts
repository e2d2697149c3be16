import { askOfTarget, kindOfTarget, OutgoingTarget, wayOfTarget } from "@/lib/schema/triggers/outgoing-target";
import { BUSY_DELAYS_MS } from "@/lib/server/engine/ending/store";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy } from "@/lib/server/platform/db/errors";
import { tellOfAskStatement } from "@/lib/server/platform/db/queries/asks";
import { endAttemptStatement, postponeDeliveryStatement } from "@/lib/server/platform/db/queries/dispatch/deliveries";
import type { DeliveryRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { doubling, retry } from "@/lib/server/platform/retry";
import type { Services } from "@/lib/server/platform/services";
import { notifyDeliveryFailed } from "./notify/notify-delivery-failed";
import { DeliveryDelayed, DeliveryDropped } from "./targets/delivery-sender";
import { DELIVERY_SENDERS, type DeliverySenders } from "./targets/delivery-senders";

const SECOND_MS = 1_000;
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 2_000;
const HOUR_MS = 3_600_000;
/** The back-off before the second and later attempts; after the last one, the delivery has failed. */
const PAUSES_MS = [5 * SECOND_MS, 30 * SECOND_MS, 120 * SECOND_MS, 600 * SECOND_MS, HOUR_MS, 6 * HOUR_MS];

/**
 * One attempt. It is recorded before it begins: if a process died between sending and recording the result, the
 * receiver drops the repeat, or otherwise the delivery is sent again and marked as a repeat.
 */
export async function deliver(
  services: Services,
  deliveryId: string,
  now = new Date(),
  senders: DeliverySenders = DELIVERY_SENDERS,
): Promise<void> {
  const { database } = services;
  const row = await database.delivery.findUnique({ where: { id: deliveryId } });
  if (!row || row.nextAt === null || row.nextAt > now) return;
  const target = OutgoingTarget.parse(JSON.parse(row.target));
  const sender = await senders[kindOfTarget(target)]();
  const until = await sender.waitsUntil?.(database, row, now);
  if (until) return postpone(database, { ...row, nextAt: row.nextAt }, { until, now });
  const isRepeat = row.begunAt !== null && !sender.dropsRepeats;
  if (isRepeat && row.state === "uncertain") {
    const error = "Two attempts have begun whose end is not known. Resend it if it did not arrive.";
    const { id, attempts, nextAt, begunAt } = row;
    const where = { id, attempts, nextAt, begunAt };
    return void (await database.delivery.updateMany({ where, data: { nextAt: null, error } }));
  }
  const { id, runId, ownerId, body } = row;
  const attempt: Attempt = { row, now, isRepeat, mine: { id, attempts: row.attempts + 1, begunAt: now } };
  if (!(await begin(database, attempt))) return;
  try {
    await sender.send(services, { id, runId, ownerId, target, body, isRepeat });
  } catch (error) {
    return untilAnswered(() => noteFailure(services, attempt, error));
  }
  await untilAnswered(() => noteSent(database, attempt, target));
}

/**
 * A process that is cut off from the database for a moment still knows how its attempt ended: without this, the
 * receiver would get the message once more.
 */
function untilAnswered(record: () => Promise<void>): Promise<void> {
  return retry(record, { when: isBusy, delays: doubling(FIRST_WAIT_MS, LONGEST_WAIT_MS) });
}

/** Records that the attempt begins; false if another one has begun, or nothing is to be sent any more. */
async function begin(database: Database, { row, isRepeat, mine }: Attempt): Promise<boolean> {
  let isUnanswered = false;
  const record = async () => {
    const begun = await database.delivery.updateMany({
      where: { id: row.id, attempts: row.attempts, nextAt: row.nextAt },
      data: { begunAt: mine.begunAt, attempts: mine.attempts, ...(isRepeat ? { state: "uncertain" } : {}) },
    });
    return begun.count > 0 || (isUnanswered && (await database.delivery.count({ where: mine })) > 0);
  };
  const when = (error: unknown) => {
    isUnanswered = true;
    return isBusy(error);
  };
  return retry(record, { when, delays: BUSY_DELAYS_MS });
}

async function noteSent(database: Database, { row, isRepeat, mine }: Attempt, target: OutgoingTarget): Promise<void> {
  const sentAt = new Date();
  const state = isRepeat ? "uncertain" : "sent";
  const data = { state, nextAt: null, begunAt: null, error: null, sentAt };
  const sent = await database.delivery.updateMany({ where: mine, data });
  if (sent.count > 0) await keepTold(database, { ownerId: row.ownerId, target, sentAt });
}

/** An attempt that has begun. */
interface Attempt {
  /** The delivery as it was before. */
  readonly row: DeliveryRow;
  readonly now: Date;
  readonly isRepeat: boolean;
  /** Matches nothing once the delivery was resent or deleted, or another attempt has begun: that one's end counts. */
  readonly mine: { readonly id: string; readonly attempts: number; readonly begunAt: Date };
}

interface Sent {
  readonly ownerId: string;
  readonly target: OutgoingTarget;
  readonly sentAt: Date;
}

/** Deliveries are deleted some time later; who was told of an ask stays with it. */
async function keepTold(database: Database, { ownerId: userId, target, sentAt }: Sent): Promise<void> {
  const ask = askOfTarget(target);
  const way = wayOfTarget(target);
  if (ask === null || way === null) return;
  await database.runAll([tellOfAskStatement(ask, { userId, way, at: sentAt.toISOString() })]);
}

async function postpone(
  database: Database,
  { id, attempts, nextAt }: DeliveryRow & { readonly nextAt: Date },
  { until, now }: { readonly until: Date; readonly now: Date },
): Promise<void> {
  await database.runAll([
    postponeDeliveryStatement({ id, attempts, nextAt }, until),
    ...(await deliveryTimer(database, id, until)),
  ]);
  const waitMs = until.getTime() - now.getTime();
  // The dispatcher looks for due timers only once a second.
  if (waitMs < SECOND_MS) setTimeout(() => announceQueued("timers-due"), waitMs).unref();
}

async function noteFailure(services: Services, attempt: Attempt, error: unknown): Promise<void> {
  const { database } = services;
  const { row, now, isRepeat, mine } = attempt;
  const { id, attempts } = row;
  const isDropped = error instanceof DeliveryDropped;
  const isDelayed = error instanceof DeliveryDelayed;
  const pauseMs = isDropped ? undefined : isDelayed ? error.afterMs : PAUSES_MS[attempts];
  const nextAt = pauseMs === undefined ? null : new Date(now.getTime() + pauseMs);
  const message = error instanceof Error ? error.message : String(error);
  const state = nextAt === null ? "failed" : isRepeat ? "uncertain" : "pending";
  const later = isDelayed ? unchanged(attempts, isRepeat, now) : {};
  const [noted = []] = await database.runAll([
    endAttemptStatement(mine, { state, error: message, nextAt, begunAt: null, ...later }),
    ...(nextAt === null ? [] : await deliveryTimer(database, id, nextAt)),
  ]);
  if (noted.length > 0 && nextAt === null && !isDropped)
    await notifyDeliveryFailed(services, row, { error: message, now });
}

/**
 * The receiver accepted nothing: the attempt does not count, and a delivery that would have been marked as a repeat is
 * marked the next time.
 */
function unchanged(attempts: number, isRepeat: boolean, now: Date) {
  return isRepeat ? { attempts, state: "pending", begunAt: now } : { attempts };
}
