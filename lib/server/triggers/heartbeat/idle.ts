import type { Database } from "@/lib/server/platform/db/database";
import { selectWoken } from "@/lib/server/platform/db/queries/dispatch/heartbeats";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import { timerStatements } from "@/lib/server/triggers/timer";
import { heartbeatOf, stateOf } from "./heartbeat-state";
import { nextHeartbeatAt, zoneOf } from "./heartbeat-times";

const DAY_MS = 86_400_000;

/** Whether the person has neither written to the agent nor changed the heartbeat for `idle_pause_days`. */
export async function isIdle(database: Database, trigger: TriggerRow, now: Date): Promise<boolean> {
  const { ownerId, agentId, updatedAt } = trigger;
  const { idle_pause_days: days } = heartbeatOf(trigger);
  if (days === null || ownerId === null) return false;
  const since = new Date(now.getTime() - days * DAY_MS);
  // Beats don't update this column: it is the time of the last change by a person, or of waking up.
  if (updatedAt > since) return false;
  const written = await database.run.findFirst({
    where: { ownerId, agentId, attended: true, parentRunId: null, createdAt: { gt: since } },
    select: { id: true },
  });
  return written === null;
}

/** Turns sleeping heartbeats back on once their person has written to the agent. */
export async function wakeIdle(database: Database, now: Date): Promise<void> {
  for (const trigger of await selectWoken(database)) {
    const config = heartbeatOf(trigger);
    const { pauseMs } = stateOf(trigger);
    const nextDueAt = nextHeartbeatAt({ active: config.active, zone: zoneOf(config, trigger.ownerId), pauseMs }, now);
    const { count } = await database.trigger.updateMany({
      where: { id: trigger.id, pausedReason: "idle" },
      data: { enabled: true, pausedReason: null, nextDueAt },
    });
    if (count > 0) await database.runAll(await timerStatements(database, trigger.id, nextDueAt), "normal");
  }
}
