import { z } from "zod";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import type { Database } from "@/lib/server/platform/db/database";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** The task of a due trigger. */
export const TRIGGER_TASK = "trigger";

export const TriggerTask = z.object({ triggerId: z.string() });

/** Each due time has its own timer; a stale timer finds nothing to do. No timer for a time that never comes. */
export async function timerStatements(
  database: Database,
  triggerId: string,
  at: Date | null,
): Promise<readonly SqlStatement[]> {
  if (at === null) return [];
  const name = `${TRIGGER_TASK} ${triggerId} ${at.toISOString()}`;
  return dispatcherOf(database).schedule({ name, at, task: TRIGGER_TASK, data: { triggerId } });
}
