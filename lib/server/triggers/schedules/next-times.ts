import "server-only";
import type { ScheduleTimesBody, ScheduleTimesReply } from "@/lib/schema/triggers/schedule";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { selectNow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { env } from "@/lib/server/platform/env";
import { inOwnersZone, requireTimes, timeZoneOf, upcoming } from "./due-times";

/** How many due times are shown of a schedule that is not made yet. */
export const SHOWN_TIMES = 5;

/** When a schedule of the viewer would be due. Throws `invalid_input`. */
export async function nextTimes(
  database: Database,
  body: ScheduleTimesBody,
  viewer: Pick<Viewer, "id">,
): Promise<ScheduleTimesReply> {
  const now = await selectNow(database);
  const times = inOwnersZone(body, viewer.id);
  requireTimes(times, now, env().minEveryMs);
  const next = upcoming(times, now, SHOWN_TIMES).map((due) => due.toISOString());
  return { next, timezone: timeZoneOf(times) };
}
