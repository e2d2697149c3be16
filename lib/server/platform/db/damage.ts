import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";

/** For users; the operator finds the details in the server's log. */
export const DAMAGED =
  "The database file of this server is damaged. Stop the server and restore a backup with `npm run restore -- <backup>`.";

const state = () => processState("database-damage", () => ({ problem: null as string | null }));

/** The first problem found with the database file; null if none is known. */
export function knownDamage(): string | null {
  return state().problem;
}

/** Remembers, and logs once, that the database file is damaged: `problem` is SQLite's message. */
export function noteDamage(problem: string): void {
  if (state().problem !== null) return;
  state().problem = problem;
  logger().fatal({ problem }, "the database file is damaged; stop the server and restore a backup");
}
