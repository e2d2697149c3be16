import "server-only";
import type { Database } from "@/lib/server/platform/db/database";
import { selectConnectionNeed } from "@/lib/server/platform/db/queries/dispatch/processes";
import { logger } from "@/lib/server/platform/logger";

/** What to do about processes that together may open more connections than Postgres accepts; null if they may not. */
export async function describeConnectionNeed(database: Database): Promise<string | null> {
  const need = await selectConnectionNeed(database);
  if (need === null || need.wanted <= need.accepted) return null;
  const { processes, wanted, accepted } = need;
  const subject = processes === 1 ? "This process" : `The ${processes} processes`;
  return `${subject} may open ${wanted} connections, Postgres accepts ${accepted}. Raise its max_connections, or lower RINGMASTER_DB_CONNECTIONS.`;
}

/** One line in the log, once this process listens to the others. */
export async function warnOfConnections(database: Database): Promise<void> {
  const problem = await describeConnectionNeed(database);
  if (problem !== null) logger().warn(problem);
}
