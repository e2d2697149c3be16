import type { TurnedAway } from "@/lib/schema/channels/channel";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isTaken } from "@/lib/server/platform/db/errors";
import { logger } from "@/lib/server/platform/logger";

const DAY_MS = 86_400_000;

interface Away {
  readonly channelId: string;
  readonly kind: TurnedAway["kind"];
  /** The reason in words, without any message content. */
  readonly detail: string;
  readonly now: Date;
}

/** Counts updates that started nothing: one row per kind and day, so that strangers can't fill the table. */
export async function rejectUpdate(database: Database, { channelId, kind, detail, now }: Away): Promise<void> {
  logger().warn({ channelId, kind, detail }, "a channel turned something away");
  const key = `away:${kind}:${now.toISOString().slice(0, 10)}`;
  const where = { triggerId: channelId, key };
  const count = () =>
    database.firing.updateMany({ where, data: { count: { increment: 1 }, dueAt: now, reason: detail } });
  if ((await count()).count > 0) return;
  const row = { id: createId("fir"), ...where, externalId: kind, dueAt: now, createdAt: now };
  try {
    await database.firing.create({ data: { ...row, state: "refused", reason: detail }, select: { id: true } });
  } catch (error) {
    if (!isTaken(error)) throw error;
    await count();
  }
}

/** The counts of each channel in the seven days until now. */
export async function rejectedUpdatesOf(
  database: Database,
  channelIds: readonly string[],
  now: Date,
): Promise<Map<string, TurnedAway[]>> {
  const rows = await database.firing.findMany({
    where: {
      triggerId: { in: [...channelIds] },
      key: { startsWith: "away:" },
      dueAt: { gt: new Date(now.getTime() - 7 * DAY_MS) },
    },
    orderBy: [{ dueAt: "desc" }, { id: "desc" }],
  });
  const found = new Map<string, TurnedAway[]>();
  for (const { triggerId, externalId, count, reason } of rows) {
    const all = found.get(triggerId) ?? [];
    const kind = externalId as TurnedAway["kind"];
    const known = all.findIndex((one) => one.kind === kind);
    const before = all[known];
    if (before) all[known] = { ...before, count: before.count + count };
    else all.push({ kind, count, detail: reason });
    found.set(triggerId, all);
  }
  return found;
}
