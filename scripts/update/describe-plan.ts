// What an update is going to do, for the person who waits.
import { openDatabase } from "@/lib/server/platform/db/database";
import { readMigrations } from "../database/migration-files";
import { providerOf } from "../database/run-prisma";

const TABLES = {
  sqlite: `select "name" from "sqlite_master" where "type" = 'table'`,
  postgresql: `select "tablename" as "name" from "pg_tables" where "schemaname" = current_schema()`,
} as const;

/** The table that a statement changes; `on delete` and the like name none. */
const CHANGED =
  /\b(?:(?:alter|drop) table(?: only| if exists)?|update|insert into|delete from|on) "?(?!(?:conflict|delete|set|update)\b)(\w+)/gi;
const COMMENT = /--.*/g;

/** The plan in a sentence or two: which migrations, and the rows of the tables that they change. */
export async function describePlan(databaseUrl: string, missing: readonly string[]): Promise<string> {
  const [first, last] = [missing[0] ?? "", missing.at(-1) ?? ""];
  const which =
    missing.length === 1
      ? `Updating the database: one migration, ${first}.`
      : `Updating the database: ${missing.length} migrations, from ${first} to ${last}.`;
  const rows = await countRows(databaseUrl, tablesOf(databaseUrl, missing));
  const counted = Object.entries(rows).map(([table, count]) => `${table} ${count.toLocaleString("en")}`);
  if (counted.length === 0) return `${which} They change no table that exists.`;
  return `${which} Rows of the tables that they change: ${counted.join(", ")}.`;
}

function tablesOf(databaseUrl: string, missing: readonly string[]): string[] {
  const scripts = readMigrations(providerOf(databaseUrl)).filter(({ name }) => missing.includes(name));
  return [...new Set(scripts.flatMap(({ sql }) => tablesChanged(sql)))].sort();
}

export function tablesChanged(sql: string): string[] {
  return [...sql.replaceAll(COMMENT, "").matchAll(CHANGED)].map(([, table = ""]) => table);
}

/** Of those that exist. */
async function countRows(databaseUrl: string, tables: readonly string[]): Promise<Record<string, number>> {
  const db = await openDatabase(databaseUrl);
  try {
    const existing = new Set((await db.raw<{ name: string }>(TABLES[providerOf(databaseUrl)])).map(({ name }) => name));
    const counts = tables
      .filter((table) => existing.has(table))
      .map(async (table) => {
        const [row] = await db.raw<{ count: number | string }>(`select count(*) as "count" from "${table}"`);
        return [table, Number(row?.count ?? 0)] as const;
      });
    return Object.fromEntries(await Promise.all(counts));
  } finally {
    await db.close();
  }
}
