import { OutgoingTarget } from "@/lib/schema/triggers/outgoing-target";
import type { NotificationKind, NotificationPreferences } from "@/lib/schema/users/notification";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { deliveryTimer } from "@/lib/server/engine/outgoing/delivery-timer";
import type { Database } from "@/lib/server/platform/db/database";
import { serverTimeZone, timeZoneOfUser } from "@/lib/server/platform/time/user-time-zones";
import { sendAt } from "./quiet-hours";

/** Gives the person's held notifications another time after they have paused or resumed them. */
export async function moveHeld(
  database: Database,
  ownerId: string,
  preferences: NotificationPreferences,
  now: Date,
): Promise<void> {
  const held = await database.delivery.findMany({
    where: { ownerId, state: "pending", attempts: 0, nextAt: { gt: now } },
    select: { id: true, target: true, nextAt: true },
    orderBy: { id: "asc" },
  });
  const timeZone = timeZoneOfUser(ownerId) ?? serverTimeZone();
  for (const { id, target, nextAt } of held) {
    const parsed = OutgoingTarget.parse(JSON.parse(target));
    const kind = heldKind(parsed);
    if (kind === null || nextAt === null) continue;
    // A summary of the day comes no earlier because a pause ends.
    const earliest = parsed.summary?.isDaily ? nextAt : now;
    const at = sendAt(preferences, kind, { now: earliest, timeZone });
    if (at.getTime() === nextAt.getTime()) continue;
    const moved = await database.delivery.updateMany({ where: { id, nextAt, attempts: 0 }, data: { nextAt: at } });
    if (moved.count > 0) await database.runAll([...(await deliveryTimer(database, id, at))]);
  }
  announceQueued("timers-due");
}

/** Null for what is no notification: results and messages wait for nobody's pause. */
function heldKind({ push, page, mail, chat, summary }: OutgoingTarget): NotificationKind | null {
  if (summary) return "finished";
  return (push ?? page ?? mail ?? chat)?.kind ?? null;
}
