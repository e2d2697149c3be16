// What commit 6dc39ba0 stored, with f14d9968's schema and tables, and how a test opens a database without the program.
import { readFileSync } from "node:fs";
import Connection from "better-sqlite3";
import pg from "pg";

type Provider = "sqlite" | "postgresql";

/** A database as it is opened directly, without checks of foreign keys: rows of every table refer to each other by chance. */
export interface Opened {
  readonly all: (sql: string) => Promise<Record<string, unknown>[]>;
  readonly run: (sql: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export function openSqliteFile(file: string): Opened {
  const connection = new Connection(file);
  connection.pragma("foreign_keys = OFF");
  return {
    all: async (sql) => connection.prepare<[], Record<string, unknown>>(sql).all(),
    run: async (sql) => void connection.exec(sql),
    close: async () => void connection.close(),
  };
}

export async function openPostgres(url: string): Promise<Opened> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set session_replication_role = replica");
  return {
    all: async (sql) => (await client.query(sql)).rows,
    run: async (sql) => void (await client.query(sql)),
    close: () => client.end(),
  };
}

/** Every table of the schema but the indexes for searching, which follow from the others. */
export const COLUMNS: Readonly<Record<Provider, string>> = {
  sqlite: `select m.name as "table", c.name as "column", lower(c.type) as "type" from sqlite_master m, pragma_table_info(m.name) c
    where m.type = 'table' and m.sql not like '%virtual table%' and m.name not like 'sqlite_%'
      and m.name not like 'search_%' and m.name <> '_prisma_migrations' order by m.name, c.cid`,
  postgresql: `select table_name as "table", column_name as "column", data_type as "type" from information_schema.columns
    where table_schema = 'public' and table_name not like 'search_%' and table_name <> '_prisma_migrations'
    order by table_name, ordinal_position`,
};

/** A row of every kind that differs in its states or JSON. */
export const FIRST_ROWS = readFileSync("lib/testing/databases/first-published-state.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): { table: string; row: Record<string, unknown> } => JSON.parse(line));

/** Writes a stored value, as SQLite has it, for a column of this type. */
function literal(value: unknown, type: string): string {
  const isBinary = typeof value === "object" && value !== null && "hex" in value;
  if (isBinary) return type === "bytea" ? `'\\x${value.hex}'::bytea` : `x'${value.hex}'`;
  if (type === "boolean" && typeof value === "number") return value === 1 ? "true" : "false";
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`;
}

/** Rows of which the database has one with the same key are left as they are if `conflict` says so. */
export async function insertFirstRows(
  provider: Provider,
  database: Opened,
  conflict: "" | "on conflict do nothing" = "",
): Promise<void> {
  const columns = await database.all(COLUMNS[provider]);
  const types = new Map(columns.map(({ table, column, type }) => [`${table}.${column}`, String(type)]));
  for (const { table, row } of FIRST_ROWS) {
    const names = Object.keys(row).map((name) => `"${name}"`);
    const values = Object.entries(row).map(([name, value]) => literal(value, types.get(`${table}.${name}`) ?? ""));
    await database.run(`insert into "${table}" (${names.join(", ")}) values (${values.join(", ")}) ${conflict}`);
  }
}

export function isJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
