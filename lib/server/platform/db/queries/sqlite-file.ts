import { sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { textStatement } from "@/lib/server/platform/db/kysely/build";

/** The path of the SQLite file; empty for a database in memory. */
export async function selectDatabaseFile(database: Database): Promise<string> {
  const [main] = await database.execute(
    textStatement(sql<{ file: string }>`select "file" from pragma_database_list where "name" = 'main'`),
  );
  return main?.file ?? "";
}

/** Copies the whole database into a new file. */
export async function copyDatabase(database: Database, file: string): Promise<void> {
  await database.execute(textStatement(sql`vacuum into ${file}`));
}

interface FreePages {
  readonly free: number;
  readonly all: number;
}

/** The unused pages of the SQLite file; null if it was created without the ability to release them. */
export async function selectFreePages(database: Database): Promise<FreePages | null> {
  const [row] = await database.execute(
    textStatement(sql<FreePages & { mode: number }>`
      select f."freelist_count" as "free", p."page_count" as "all", a."auto_vacuum" as "mode"
      from pragma_freelist_count() f, pragma_page_count() p, pragma_auto_vacuum() a`),
  );
  return row?.mode === INCREMENTAL ? { free: row.free, all: row.all } : null;
}

const INCREMENTAL = 2;

/** Releases up to `limit` unused pages to the disk. */
export async function releaseFreePages(database: Database, limit: number): Promise<void> {
  // A prepared statement releases one page at a time.
  const one = textStatement(sql`pragma incremental_vacuum(1)`);
  await database.runAll(
    Array.from({ length: limit }, () => one),
    "normal",
  );
}
