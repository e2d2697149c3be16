import "server-only";
import { hasEnded, RunStatus } from "@/lib/schema/runs/run";
import type { NotificationSubject, OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import { type NotificationKind, type NotificationPreferences, NotificationWay } from "@/lib/schema/users/notification";
import { saysBudgetReached } from "@/lib/server/engine/budgets/describe-reached";
import { announceQueued, type FeedEvent, onNotification } from "@/lib/server/engine/log/signals";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { isTaken } from "@/lib/server/platform/db/errors";
import { insertDeliveryStatement } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { hasLinkedChat } from "@/lib/server/triggers/channels/links/linked-people";
import { deliveryId } from "./delivery-id";
import { chosenBy, peopleWithNotifications } from "./preferences";
import { nextSummaryAt, sendAt } from "./quiet-hours";
import { addToSummary, isSummarised } from "./summary";
import { withdrawPushes } from "./withdraw-pushes";

/** A run started by a person that ends sooner triggers no notification: they are still there. */
const LONG_MS = 5 * 60_000;

const RUN = {
  id: true,
  ownerId: true,
  status: true,
  parentRunId: true,
  attended: true,
  origin: true,
  assistantMessageId: true,
  errorCode: true,
  notice: true,
  startedAt: true,
  endedAt: true,
  waitedMs: true,
  thread: { select: { ephemeral: true, isTest: true, deletedAt: true } },
} as const;

/**
 * Starts notifying people of what they have chosen. It listens to announcements after the commit, so a run of a person
 * without notifications costs nothing, and no run waits for notifications.
 */
export function followRuns(services: Services): () => void {
  return onNotification((notification) => {
    if (notification.type !== "feed") return;
    const { userId, event } = notification;
    const work = workOn(event);
    if (work === null || chosenBy(services, userId) === undefined) return;
    setImmediate(() => {
      work(services).catch((error: unknown) =>
        logger().error({ err: error, event }, "could not queue the notifications of a run"),
      );
    });
  });
}

/** The work caused by a change of a run's state or questions; null: nothing. */
function workOn(event: FeedEvent): ((services: Services) => Promise<void>) | null {
  if (event.type === "run.changed" && isMoment(event.status)) return (services) => notifyOfRun(services, event.runId);
  if (event.type !== "approval.changed") return null;
  return (services) => withdrawPushes(services.database, event.runId);
}

/** Whether the run waits or has ended. */
function isMoment(status: string): boolean {
  const known = RunStatus.safeParse(status);
  return known.success && (known.data === "waiting" || hasEnded(known.data));
}

/** Queues the notifications that the run's owner wants now. A repeat queues nothing twice. */
export async function notifyOfRun(services: Services, runId: string, now = new Date()): Promise<void> {
  const { database } = services;
  const run = await database.run.findUnique({ where: { id: runId }, select: RUN });
  if (!run) return;
  const chosen = chosenBy(services, run.ownerId);
  if (!chosen || run.thread.isTest || run.thread.deletedAt !== null) return;
  for (const { subject, at } of await subjectsOf(database, run)) {
    if (at < chosen.since) continue;
    const ways = chosen.preferences.ways[subject.kind];
    const wanted = NotificationWay.options.filter((way) => ways[way]);
    await queueNotifications(services, { runId, ownerId: run.ownerId, subject, wanted, at, now, ...chosen });
  }
}

interface RunSummary {
  readonly id: string;
  readonly status: string;
  readonly parentRunId: string | null;
  readonly attended: boolean;
  readonly origin: string;
  readonly assistantMessageId: string;
  readonly errorCode: string | null;
  readonly notice: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly waitedMs: number;
  readonly thread: { readonly ephemeral: boolean };
}

interface Subject {
  readonly subject: NotificationSubject;
  /** When the event occurred. */
  readonly at: Date;
}

async function subjectsOf(database: Database, run: RunSummary): Promise<Subject[]> {
  if (run.status === "waiting") {
    const asked = await database.approval.findMany({
      where: { runId: run.id, status: "pending" },
      select: { id: true, kind: true, createdAt: true },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
    return asked.map(({ id, kind, createdAt }) => ({
      subject: { kind: kind === "budget" ? "budget" : "decision", approvalId: id },
      at: createdAt,
    }));
  }
  const kind = kindOfEnd(run);
  if (kind === null || run.endedAt === null) return [];
  if (kind === "finished" && run.origin === "schedule" && !(await hasSpoken(database, run))) return [];
  return [{ subject: { kind }, at: run.endedAt }];
}

/** A schedule's run that answered NO_REPLY has nothing to report. */
async function hasSpoken(database: Database, { assistantMessageId: id }: RunSummary): Promise<boolean> {
  const message = await database.transcriptMessage.findUnique({ where: { id }, select: { text: true } });
  return message !== null && message.text.trim() !== "";
}

/** The kind of notification for the end of a run; null: none. Ends of subagents belong to their root run. */
function kindOfEnd(run: RunSummary): NotificationKind | null {
  const { status, parentRunId, attended, origin, errorCode, notice, startedAt, endedAt, waitedMs, thread } = run;
  if (parentRunId !== null || thread.ephemeral || endedAt === null || status === "cancelled") return null;
  if (errorCode === "budget_reached" || (status === "limit" && saysBudgetReached(notice ?? ""))) return "budget";
  if (status !== "completed") return "failed";
  // Most beats are silent. Messages of a beat are sent according to its heartbeat's `deliver`.
  if (origin === "heartbeat") return null;
  const workedMs = endedAt.getTime() - (startedAt ?? endedAt).getTime() - waitedMs;
  return !attended || workedMs >= LONG_MS ? "finished" : null;
}

interface Wanted {
  readonly runId: string;
  readonly ownerId: string;
  readonly subject: NotificationSubject;
  readonly wanted: readonly NotificationWay[];
  readonly preferences: NotificationPreferences;
  /** When the event occurred: a browser added later is not notified. */
  readonly at: Date;
  readonly now: Date;
}

/** Queues one delivery per kind of target and per browser. Deliveries already queued or sent are unchanged. */
export async function queueNotifications(services: Services, wanted: Wanted): Promise<void> {
  const { database } = services;
  const { runId, ownerId, subject, preferences, now } = wanted;
  const targets = await targetsOf(services, wanted);
  const timeZone = timeZoneOfUser(ownerId) ?? serverTimeZone();
  const isDaily = preferences.how[subject.kind] === "daily";
  const nextAt = (isDaily ? nextSummaryAt : sendAtOnce(subject.kind))(preferences, { now, timeZone });
  if (isDaily || preferences.quietHours?.summary) {
    const item = { runId, subject };
    if (nextAt > now) return addToSummary(database, { ownerId, item, targets, isDaily, nextAt, now });
    if (await isSummarised(database, { ownerId, item, now })) return;
  }
  const rows = targets.map((target) => ({ id: deliveryId(runId, target), target: JSON.stringify(target) }));
  const known = await database.delivery.findMany({
    where: { id: { in: rows.map(({ id }) => id) } },
    select: { id: true },
    orderBy: { id: "asc" },
  });
  for (const { id, target } of rows.filter((row) => !known.some((one) => one.id === row.id))) {
    const row = { id, runId, ownerId, target, body: "", state: "pending", nextAt, createdAt: now };
    try {
      await database.runAll([insertDeliveryStatement(row), ...(await deliveryTimer(database, id, nextAt))]);
    } catch (error) {
      // Another process has queued it, too.
      if (!isTaken(error)) throw error;
    }
  }
  if (nextAt <= now) announceQueued("timers-due");
}

function sendAtOnce(kind: NotificationKind): typeof nextSummaryAt {
  return (times, clock) => sendAt(times, kind, clock);
}

async function targetsOf(services: Services, { ownerId, subject, wanted, at }: Wanted): Promise<OutgoingTarget[]> {
  const devices = wanted.includes("push")
    ? await services.database.pushSubscription.findMany({
        where: { userId: ownerId, createdAt: { lte: at } },
        select: { id: true },
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      })
    : [];
  return [
    ...(wanted.includes("page") ? [{ page: subject }] : []),
    ...(wanted.includes("email") ? [{ mail: subject }] : []),
    ...(wanted.includes("channel") && hasLinkedChat(services, ownerId) ? [{ chat: subject }] : []),
    ...devices.map(({ id }) => ({ push: { ...subject, device: id } })),
  ];
}

/** How often notifications that a dead process failed to queue are swept. */
export const NOTIFICATIONS_EVERY_MS = 30_000;
const LOOK_BACK_MS = 24 * 60 * 60_000;
/** How long the announcing process is given to queue the notification. */
const GRACE_MS = 10_000;
const AT_ONCE = 500;

/** Queues what a process failed to queue because it died after a run began to wait or ended. */
export async function sweepNotifications(services: Services, now = new Date()): Promise<void> {
  const people = peopleWithNotifications(services);
  if (people.length === 0) return;
  const since = new Date(now.getTime() - LOOK_BACK_MS);
  const before = new Date(now.getTime() - GRACE_MS);
  const ended = { endedAt: { gte: since, lt: before }, parentRunId: null };
  const runs = await services.database.run.findMany({
    where: {
      ownerId: { in: [...people] },
      createdAt: { gte: since },
      OR: [ended, { status: "waiting", waitingSince: { lt: before } }],
    },
    select: { id: true },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: AT_ONCE,
  });
  await eachAlone(runs, "notifying of a run", ({ id }) => notifyOfRun(services, id, now));
}
