// Which version of the program wrote a database last: a setting, so that a rollback can say what to start.
import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { selectSetting, upsertSetting } from "@/lib/server/platform/db/queries/settings";
import { VERSION } from "@/lib/server/platform/version";
import { PROGRAM_VERSION } from "./program-version-key";

/** Null for a database that was written before versions were noted. */
export function readProgramVersion(databaseUrl: string): Promise<string | null> {
  return withDatabase(databaseUrl, async (database) => (await selectSetting(database, PROGRAM_VERSION)) ?? null);
}

/** Writes only if it is another, so that a start changes nothing. */
export function writeProgramVersion(databaseUrl: string): Promise<void> {
  return withDatabase(databaseUrl, async (database) => {
    if ((await selectSetting(database, PROGRAM_VERSION)) !== VERSION)
      await upsertSetting(database, PROGRAM_VERSION, VERSION);
  });
}

async function withDatabase<Result>(url: string, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = await openDatabase(url);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
