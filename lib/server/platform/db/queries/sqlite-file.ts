import type { Database } from "@/lib/server/platform/db/database";

/** The path of the SQLite file; empty for a database in memory. */
export async function selectDatabaseFile(database: Database): Promise<string> {
  const [main] = await database.raw<{ file: string }>(`select "file" from pragma_database_list where "name" = 'main'`);
  return main?.file ?? "";
}

/** Writes all that the database holds into a new file. */
export async function copyDatabase(database: Database, file: string): Promise<void> {
  await database.raw("vacuum into $1", [file]);
}
