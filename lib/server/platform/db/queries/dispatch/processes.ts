import type { Database } from "@/lib/server/platform/db/database";

/** The name of the connection on which each process receives notifications (Postgres). */
export const NOTIFIER_NAME = "ringmaster-notifier";

/** Whether other processes seem to work on this database. On SQLite there are none. */
export async function hasOtherProcesses(database: Database): Promise<boolean> {
  if (database.dialect.provider === "sqlite") return false;
  const sql = `select count(*)::int as "count" from pg_stat_activity
    where "datname" = current_database() and "application_name" = $1`;
  const [row] = await database.raw<{ count: number }>(sql, [NOTIFIER_NAME]);
  return (row?.count ?? 0) > 1;
}
