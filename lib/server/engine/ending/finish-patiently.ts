import { setTimeout as sleep } from "node:timers/promises";
import { isRunSuspended } from "@/lib/agent/run-cancelled";
import type { StoredRunEvent } from "@/lib/schema/run-event";
import type { Todo } from "@/lib/schema/todo";
import { isLeaseLost } from "@/lib/server/engine/lease-lost";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import { finishRun, type HeldRun } from "./finish-run";
import type { RunEnding } from "./run-ending";

const RETRY_MS = 3_000;

interface Finish {
  readonly run: HeldRun;
  readonly ending: RunEnding;
  readonly todos: readonly Todo[];
  /** Every row of the run where all are known to be stored; null: they are read. */
  readonly events: readonly StoredRunEvent[] | null;
}

/**
 * Ends the run, again and again while the database refuses (disk full, restarting): a run must not hang because its
 * ending could not be stored. Gives up when the run has another holder or the process ends; then the run is taken over.
 */
export async function finishPatiently(database: Database, finish: Finish, signal: AbortSignal): Promise<void> {
  let known = finish.events;
  for (;;) {
    try {
      const events = known ?? (await readAllEvents(database, finish.run.id));
      known = null;
      return await finishRun(database, { ...finish, events });
    } catch (error) {
      if (isLeaseLost(error)) return;
      logger().error({ err: error, runId: finish.run.id }, "could not store the end of a run; trying again");
      if (isRunSuspended(signal.reason)) return;
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
}
