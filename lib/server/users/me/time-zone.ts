import "server-only";
import type { OwnTimeZone } from "@/lib/schema/users/time-zone";
import type { Viewer } from "@/lib/schema/users/user";
import { announceSettings } from "@/lib/server/engine/log/signals";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { serverTimeZone, setUserTimeZones } from "@/lib/server/platform/time/user-time-zones";

/** Loads the zones that people have chosen, at startup and after every change. */
export async function loadTimeZones(db: Database): Promise<void> {
  const select = { id: true, timeZone: true } as const;
  setUserTimeZones(await db.user.findMany({ where: { timeZone: { not: null } }, select, orderBy: { id: "asc" } }));
}

/** From now on the person's quiet hours, days and new schedules follow that zone; null for the server's. */
export async function changeTimeZone(
  database: Database,
  timeZone: string | null,
  viewer: Pick<Viewer, "id">,
): Promise<OwnTimeZone> {
  const target = `user:${viewer.id}`;
  const record = { actorId: viewer.id, action: "user.time_zone_changed", target, after: { timeZone } };
  await database.$transaction([
    database.user.update({ where: { id: viewer.id }, data: { timeZone }, select: { id: true } }),
    database.auditEntry.create({ data: auditColumns(record), select: { id: true } }),
  ]);
  await loadTimeZones(database);
  announceSettings();
  return { timeZone, serverTimeZone: serverTimeZone() };
}
