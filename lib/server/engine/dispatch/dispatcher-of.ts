import type { Database } from "@/lib/server/platform/db/database";
import type { QueuedRun } from "@/lib/server/platform/db/queries/dispatch/claims";
import { BossDispatcher } from "./boss-dispatcher";
import { EmbeddedDispatcher } from "./embedded-dispatcher";
import type { RunDispatcher } from "./run-dispatcher";

/** They only make statements and keep nothing, so it does not matter that Next's second copy of this has its own. */
const dispatchers = new WeakMap<Database, RunDispatcher>();

/** The dispatcher that this process uses to add runs and timers to the database. */
export function dispatcherOf(database: Database): RunDispatcher {
  const known = dispatchers.get(database);
  if (known) return known;
  const made = createDispatcher(database);
  dispatchers.set(database, made);
  return made;
}

/** A new dispatcher for a host, which needs its own. */
export function createDispatcher(database: Database): RunDispatcher {
  return database.dialect.provider === "sqlite" ? new EmbeddedDispatcher(database) : new BossDispatcher(database);
}

/** The statements for the transaction that queues a run. */
export function dispatchStatements(database: Database, run: QueuedRun) {
  return dispatcherOf(database).dispatch([run]);
}
