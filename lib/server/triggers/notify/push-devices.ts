import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { PushDevice, PushSubscriptionBody, PushTest } from "@/lib/schema/users/notification";
import type { Reader, Viewer } from "@/lib/schema/users/user";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { env } from "@/lib/server/platform/env";
import { checkDestination, OutgoingRequestRefused } from "@/lib/server/platform/safe-fetch";
import { requireWholePerson } from "@/lib/server/platform/within-reach";
import { sendPush } from "./send-push";

const MAX_DEVICES = 20;

type DeviceRow = NonNullable<Awaited<ReturnType<Database["pushSubscription"]["findUnique"]>>>;

/** The person's browsers registered for web push, oldest first. */
export async function listDevices(database: Database, userId: string): Promise<PushDevice[]> {
  const rows = await database.pushSubscription.findMany({
    where: { userId },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  return rows.map(toDevice);
}

/**
 * A browser registered to another person is reassigned to this one, because both have signed in there. Throws
 * `invalid_input` for a forbidden address, `conflict` for too many.
 */
export async function addDevice(
  database: Database,
  { name, endpoint, keys }: PushSubscriptionBody,
  viewer: Reader,
): Promise<PushDevice> {
  requireWholePerson(viewer);
  await requireReachable(endpoint);
  const known = await database.pushSubscription.findUnique({ where: { endpoint } });
  if (known && (known.p256dh !== keys.p256dh || known.auth !== keys.auth)) {
    throw new AppError("conflict", "This address is known with other keys. Turn push off in this browser, then on.");
  }
  if (
    known?.userId !== viewer.id &&
    (await database.pushSubscription.count({ where: { userId: viewer.id } })) >= MAX_DEVICES
  ) {
    throw new AppError("conflict", `You have ${MAX_DEVICES} browsers already. Remove one that you no longer use.`);
  }
  const id = known?.id ?? createId("psh");
  const owned = { name, userId: viewer.id, createdAt: new Date(), lastSentAt: null };
  const { host } = new URL(endpoint);
  const target = `push_subscription:${id}`;
  const record = { actorId: viewer.id, action: "push_subscription.created", target, details: { name, host } };
  try {
    const [row] = await database.$transaction([
      database.pushSubscription.upsert({
        where: { endpoint },
        create: { id, endpoint, ...keys, ...owned },
        update: owned,
      }),
      database.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
    ]);
    return toDevice(row);
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new AppError("conflict", "This browser was added a moment ago.");
  }
}

async function requireReachable(endpoint: string): Promise<void> {
  try {
    await checkDestination(endpoint, { allowedPrivateHosts: env().allowedPrivateHosts });
  } catch (error) {
    if (!(error instanceof OutgoingRequestRefused)) throw error;
    const { message } = error;
    throw new AppError("invalid_input", `endpoint: ${message}`, { details: [{ path: "endpoint", message }] });
  }
}

/** Throws `not_found`, also for another person's browser. */
export async function removeDevice(database: Database, id: string, viewer: Pick<Viewer, "id">): Promise<void> {
  const { name } = await requireDevice(database, id, viewer);
  const target = `push_subscription:${id}`;
  const record = { actorId: viewer.id, action: "push_subscription.deleted", target, details: { name } };
  await database.$transaction([
    database.pushSubscription.deleteMany({ where: { id, userId: viewer.id } }),
    database.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
  ]);
}

/**
 * Sends a message now, regardless of quiet hours; a browser that no longer accepts any is removed. Throws `not_found`.
 */
export async function testDevice(database: Database, id: string, viewer: Pick<Viewer, "id">): Promise<PushTest> {
  const row = await requireDevice(database, id, viewer);
  const message = {
    title: "Notifications work",
    body: "This browser will be told what you have switched on.",
    tag: `test:${id}`,
    path: "/settings/notifications",
  };
  try {
    const outcome = await sendPush(database, row, message);
    await noteOutcome(database, id, outcome);
    if (outcome === "sent") return { ok: true, error: null };
    return { ok: false, error: "This browser takes no more messages and was removed. Turn push on there again." };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Records the outcome; a device that is gone is deleted. */
export async function noteOutcome(db: Database, id: string, outcome: "sent" | "gone"): Promise<void> {
  if (outcome === "gone") await db.pushSubscription.deleteMany({ where: { id } });
  else await db.pushSubscription.updateMany({ where: { id }, data: { lastSentAt: new Date() } });
}

async function requireDevice(database: Database, id: string, { id: userId }: Pick<Viewer, "id">): Promise<DeviceRow> {
  const row = await database.pushSubscription.findFirst({ where: { id, userId } });
  if (!row) throw new AppError("not_found", "There is no such browser among yours.");
  return row;
}

function toDevice({ id, name, endpoint, createdAt, lastSentAt }: DeviceRow): PushDevice {
  const service = new URL(endpoint).host;
  return { id, name, service, createdAt: createdAt.toISOString(), lastSentAt: lastSentAt?.toISOString() ?? null };
}
