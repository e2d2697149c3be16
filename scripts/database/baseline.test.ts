import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { VERSION } from "@/lib/server/platform/version";
import {
  COLUMNS,
  FIRST_ROWS,
  insertFirstRows,
  isJson,
  type Opened,
  openPostgres,
  openSqliteFile,
} from "@/lib/testing/databases/first-rows";
import { STORED_JSON } from "@/lib/testing/databases/stored-json";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { applyMigrations, compareMigrations } from "./apply-migrations";
import { knownMigrations, type MigrationScript, readMigrations } from "./migration-files";
import { type PostgresServer, startPostgres } from "./postgres-server";
import type { Provider } from "./run-prisma";

/** What the records were kept in before the baseline. */
const RECORDS = `create table "_prisma_migrations" ("id" varchar(36) primary key, "checksum" varchar(64) not null,
  "finished_at" timestamp, "migration_name" varchar(255) not null, "logs" text, "rolled_back_at" timestamp,
  "started_at" timestamp not null default current_timestamp, "applied_steps_count" integer not null default 0);`;

function recordsOf(names: readonly string[]): string {
  const rows = names.map((name, index) => `('${index}', 'x', '${name}', current_timestamp, 1)`);
  return `${RECORDS} insert into "_prisma_migrations"
    ("id", "checksum", "migration_name", "finished_at", "applied_steps_count") values ${rows.join(", ")};`;
}

const VALUES: readonly (readonly [RegExp, string])[] = [
  [/bool/, "true"],
  [/int/, "7"],
  [/double|real|numeric|decimal/, "0.25"],
  [/time|date/, "'2026-11-01 12:00:00'"],
  [/bytea/, "'\\x00ff'::bytea"],
  [/blob/, "x'00ff'"],
  [/text|char/, `'{"kind": "Отпуск", "parts": [{"text": "a\nb"}]}'`],
];

function sampleOf(type: string): string {
  const [, value] = VALUES.find(([kind]) => kind.test(type)) ?? [];
  if (value === undefined) throw new Error(`No value for a column of type ${type}.`);
  return value;
}

interface Column {
  readonly table: string;
  /** As in SQL. */
  readonly name: string;
  readonly value: string;
}

async function columnsOf(provider: Provider, database: Opened): Promise<Map<string, Column[]>> {
  const columns = (await database.all(COLUMNS[provider])).map(({ table, column, type }) => ({
    table: String(table),
    name: `"${column}"`,
    value: sampleOf(String(type)),
  }));
  return Map.groupBy(columns, ({ table }) => table);
}

/** One row in each of the tables, with a value in each of the columns. */
async function fillTables(database: Opened, tables: ReadonlyMap<string, readonly Column[]>): Promise<void> {
  for (const [table, columns] of tables) {
    const names = columns.map(({ name }) => name).join(", ");
    await database.run(`insert into "${table}" (${names}) values (${columns.map(({ value }) => value).join(", ")})`);
  }
}

/** One row in every table, with a value in every column; returns the tables. */
async function fillEveryTable(provider: Provider, database: Opened): Promise<string[]> {
  const tables = await columnsOf(provider, database);
  await fillTables(database, tables);
  return [...tables.keys()];
}

/** As the program runs a migration: inside a transaction, its own pragmas have no effect. */
function wholly(sql: string): string {
  return `begin;\n${sql}\n;commit`;
}

/** The migrations of each version, oldest first; the baseline is a version of its own. */
function migrationsByVersion(provider: Provider): MigrationScript[][] {
  const [baseline, ...later] = readMigrations(provider);
  return [baseline ? [baseline] : [], ...Map.groupBy(later, ({ since }) => since).values()];
}

/** The columns whose JSON the program's reader refuses, or for which it has none; how many it read. */
async function openJson(database: Opened): Promise<{ read: number; refused: unknown[] }> {
  let read = 0;
  const refused: unknown[] = [];
  for (const table of new Set(FIRST_ROWS.map((row) => row.table))) {
    const texts = (await database.all(`select * from "${table}"`)).flatMap((row) =>
      Object.entries(row).filter(([, text]) => typeof text === "string" && isJson(text)),
    );
    for (const [column, text] of texts) {
      const place = `${table}.${column}`;
      const found = STORED_JSON[place]?.safeParse(JSON.parse(String(text)));
      if (found?.success) read += 1;
      else refused.push([place, text, found?.error.issues]);
    }
  }
  return { read, refused };
}

async function contentOf(database: Opened, tables: readonly string[]): Promise<unknown> {
  const content: Record<string, unknown> = {};
  for (const table of tables) {
    const where = table === "setting" ? ` where "key" <> 'schema'` : "";
    content[table] = await database.all(`select * from "${table}"${where}`);
  }
  return content;
}

function describeBaseline(provider: Provider, create: () => Promise<{ url: string; open: () => Promise<Opened> }>) {
  const { folded } = knownMigrations(provider);
  const [baseline, ...later] = readMigrations(provider);
  const laterNames = later.map(({ name }) => name);

  /** A database with the schema of the baseline and these records. */
  async function recorded(names: readonly string[]) {
    const { url, open } = await create();
    const database = await open();
    await database.run(baseline?.sql ?? "");
    await database.run(recordsOf(names));
    return { url, database };
  }

  test("takes over a database that has all migrations of before it, with a row of every table", async () => {
    const { url, database } = await recorded(folded);
    const tables = await fillEveryTable(provider, database);
    expect(tables.length).toBeGreaterThan(50);
    const other = await recorded([baseline?.name ?? ""]);
    await fillEveryTable(provider, other.database);
    await applyMigrations(other.url);
    expect(await compareMigrations(url)).toMatchObject({ missing: laterNames, unknown: [], refusal: null });
    expect(await applyMigrations(url)).toEqual(laterNames);
    expect(await contentOf(database, tables)).toEqual(await contentOf(other.database, tables));
    await other.database.close();
    const records = `select "migration_name" as "name", "checksum" from "_prisma_migrations" order by "migration_name"`;
    expect(await database.all(records)).toEqual(
      readMigrations(provider).map(({ name, checksum }) => ({ name, checksum })),
    );
    const [schema] = await database.all(`select "value" from "setting" where "key" = 'schema'`);
    expect(JSON.parse(String(schema?.value))).toEqual({ schemaVersion: "0.2.0", minimumProgram: "0.2.0" });
    expect(await applyMigrations(url)).toEqual([]);
    await database.close();
  });

  test("opens what the first published state stored: every row is there, and all JSON is read", async () => {
    const { url, database } = await recorded(folded);
    await insertFirstRows(provider, database);
    const tables = [...new Set(FIRST_ROWS.map(({ table }) => table))];
    const ofSchema = (await database.all(COLUMNS[provider])).map(({ table }) => table);
    expect(tables.toSorted(), "a table has no row of the first published state").toEqual(
      [...new Set(ofSchema)].toSorted(),
    );
    expect(await applyMigrations(url)).toEqual(laterNames);
    for (const table of tables) {
      const [row] = await database.all(`select count(*) as "count" from "${table}"`);
      const wanted = FIRST_ROWS.filter((first) => first.table === table).length;
      expect([table, Number(row?.count)]).toEqual([table, wanted + (table === "setting" ? 1 : 0)]);
    }
    const { read, refused } = await openJson(database);
    expect(refused).toEqual([]);
    expect(read).toBeGreaterThan(800);
    await database.close();
  });

  test("leaves the version before working: it writes, changes, reads and deletes a row of every table of its own", async () => {
    const versions = migrationsByVersion(provider);
    expect(versions.length).toBeGreaterThan(1);
    for (const [before, [migration]] of versions.slice(1).entries()) {
      const { open } = await create();
      const database = await open();
      for (const { sql } of versions.slice(0, before + 1).flat()) await database.run(wholly(sql));
      const tables = await columnsOf(provider, database);
      for (const { sql } of versions[before + 1] ?? []) await database.run(wholly(sql));
      await fillTables(database, tables);
      for (const [table, columns] of tables) {
        const place = `${table}, since ${migration?.since}`;
        const names = columns.map(({ name }) => name).join(", ");
        await database.run(
          `update "${table}" set ${columns.map(({ name, value }) => `${name} = ${value}`).join(", ")}`,
        );
        expect(await database.all(`select ${names} from "${table}"`), place).toHaveLength(1);
        await database.run(`delete from "${table}"`);
        expect(await database.all(`select ${names} from "${table}"`), place).toEqual([]);
      }
      await database.close();
    }
  });

  test("refuses one that lacks some of them, names the commit that brings it there, and changes nothing", async () => {
    const { url, database } = await recorded(folded.slice(0, -1));
    const records = await database.all(`select * from "_prisma_migrations" order by "id"`);
    await expect(applyMigrations(url)).rejects.toThrow(/Start the commit [0-9a-f]{8} once/);
    expect(await database.all(`select * from "_prisma_migrations" order by "id"`)).toEqual(records);
    expect(await database.all(`select * from "setting"`)).toEqual([]);
    await database.close();
  });

  test("runs alone on a new database, which says which version it is of", async () => {
    const { url, open } = await create();
    expect(await applyMigrations(url)).toEqual(readMigrations(provider).map(({ name }) => name));
    const database = await open();
    const [schema] = await database.all(`select "value" from "setting" where "key" = 'schema'`);
    expect(JSON.parse(String(schema?.value)).schemaVersion).toMatch(/^\d+\.\d+\.\d+$/);
    await database.close();
  });

  test("a database that needs a newer program is refused with that version, also if it has no other migrations", async () => {
    const { url, open } = await create();
    await applyMigrations(url);
    const database = await open();
    await database.run(`update "setting" set "value" = '{"schemaVersion":"0.10.0","minimumProgram":"0.10.0"}'`);
    await expect(applyMigrations(url)).rejects.toMatchObject({
      exitCode: 78,
      message: expect.stringContaining("Start version 0.10.0 or newer"),
    });
    await database.close();
  });
}

describe("the baseline on SQLite", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), "ringmaster-baseline-"));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  describeBaseline("sqlite", async () => {
    const file = path.join(mkdtempSync(path.join(directory, "data-")), "ringmaster.db");
    return { url: `file:${file}`, open: async () => openSqliteFile(file) };
  });
});

describe.skipIf(!requireMachine("postgresql"))("the baseline on Postgres", () => {
  let server: PostgresServer;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  describeBaseline("postgresql", async () => {
    count += 1;
    await server.query(`create database d${count}`);
    const url = server.url.replace(/postgres$/, `d${count}`);
    return { url, open: () => openPostgres(url) };
  });
});

test("migrations name the version that brought them, in order", () => {
  for (const provider of ["sqlite", "postgresql"] as const) {
    const versions = readMigrations(provider).map(({ since }) => since);
    const inOrder = [...versions, VERSION].toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
    expect([...versions, VERSION]).toEqual(inOrder);
  }
});
