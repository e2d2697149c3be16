import { sql } from "kysely";
import { shareConnections, totalConnections } from "@/lib/server/platform/db/connections";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";

const NOTIFIER_NAME = "ringmaster-notifier";

/**
 * The name of the connection on which a process receives notifications (Postgres): it tells the others how many
 * connections the process may open.
 */
export function notifierName(connections: number): string {
  return `${NOTIFIER_NAME} ${connections}`;
}

/** Whether other processes seem to work on this database. On SQLite there are none. */
export async function hasOtherProcesses(database: Database): Promise<boolean> {
  if (database.dialect.provider === "sqlite") return false;
  const [row] = await database.execute(
    textStatement(sql<{ count: number }>`select count(*)::int as "count" from pg_stat_activity
      where "datname" = current_database() and "application_name" like ${`${NOTIFIER_NAME}%`}`),
  );
  return (row?.count ?? 0) > 1;
}

interface ConnectionNeed {
  readonly processes: number;
  /** What all of them together may open. */
  readonly wanted: number;
  /** What Postgres accepts from anyone but a superuser. */
  readonly accepted: number;
}

/** The connections of all processes on this Postgres server, whichever database they use. Null on SQLite. */
export async function selectConnectionNeed(database: Database): Promise<ConnectionNeed | null> {
  if (database.dialect.provider === "sqlite") return null;
  // Processes of versions that do not tell use the default.
  const unsaid = totalConnections(shareConnections(null, "all"));
  const [row] = await database.execute(
    textStatement(sql<ConnectionNeed>`select count(*)::int as "processes",
        coalesce(sum(coalesce(substring("application_name" from '[0-9]+$')::int, ${unsaid}::int)), 0)::int as "wanted",
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true)::int, 0) as "accepted"
      from pg_stat_activity where "application_name" like ${`${NOTIFIER_NAME}%`}`),
  );
  return row ?? null;
}
