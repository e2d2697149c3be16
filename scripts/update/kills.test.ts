import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VERSION } from "@/lib/server/platform/version";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { type PostgresServer, startPostgres } from "../database/postgres-server";
import { addMigration, LINKED_OPTIONS, linkProgram } from "../testing/linked-program";

const MADE_UP = "9_made_up";
/** Several statements, one of which fills what another has added. */
const MADE_UP_SQL = `-- Since ${VERSION}
alter table "user" add column "shownName" text;
update "user" set "shownName" = "name";
create table "nickname" as select "id", "name" from "user";
create index "nickname_id_idx" on "nickname"("id");
insert into "nickname" ("id", "name") select "id", 'again' from "user";
`;
const PEOPLE = ["Ada", "Grace", "Linus"];
const insertPeople = PEOPLE.map(
  (name) =>
    `insert into "user" ("id", "name", "email", "updatedAt") values ('${name}', '${name}', '${name}@example.org', current_timestamp)`,
).join(";");

/** The program without this version's last migration, and with one more than it has. */
let programs: Record<"old" | "new", string>;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "ringmaster-kills-"));
  programs = { old: program("old"), new: program("new") };
  for (const provider of ["sqlite", "postgresql"] as const) {
    const last = migrationsOf("new", provider).at(-1) ?? "";
    rmSync(path.join(programs.old, "prisma", provider, "migrations", last), { recursive: true });
    addMigration(programs.new, provider, MADE_UP, MADE_UP_SQL);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function program(name: string): string {
  const place = path.join(folder, name);
  linkProgram(place);
  return place;
}

/** Oldest first. */
function migrationsOf(version: "old" | "new", provider = "sqlite"): string[] {
  const names = readdirSync(path.join(programs[version], "prisma", provider, "migrations"));
  return names.filter((name) => /^\d/.test(name)).sort();
}

interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  query(sql: string): Promise<unknown[]>;
}

/** Updates the database; resolves to whether it was killed before the statement of that number. */
async function update(version: "old" | "new", { env }: Place, killBefore = 0): Promise<boolean> {
  const imports = ["./scripts/resolve-imports.ts", "./scripts/testing/killing/kill-at-statement.ts"];
  const options = [...LINKED_OPTIONS, ...imports.flatMap((file) => ["--import", file])];
  const words = ["scripts/ringmaster/ringmaster.ts", "migrate", "--without-backup"];
  const child = spawn(process.execPath, [...options, ...words], {
    cwd: programs[version],
    env: {
      ...{ ...process.env, ...env, RINGMASTER_NO_DOTENV: "1", KILL_BEFORE: String(killBefore) },
      NODE_COMPILE_CACHE: path.join(folder, "compiled"),
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: string[] = [];
  child.stderr.on("data", (text: Buffer) => said.push(String(text)));
  const [code, signal] = await once(child, "close");
  if (signal !== "SIGKILL") expect(code, said.join("")).toBe(0);
  return signal === "SIGKILL";
}

const applied = async ({ query }: Place) =>
  (await query(`select "migration_name" as "name" from "_prisma_migrations" order by 1`)) as { name: string }[];

/** Kills the update before each of its statements in turn; begins again once it has stored a migration. */
async function killEverywhere(place: Place, columns: string): Promise<void> {
  await update("old", place);
  await place.query(insertPeople);
  let stored = migrationsOf("old").length;
  expect(await applied(place)).toHaveLength(stored);
  let kills = 0;
  for (let number = 1; await update("new", place, number); number += 1) {
    kills += 1;
    const names = (await applied(place)).map(({ name }) => name);
    // A migration and its record are stored together or not at all.
    const found = await place.query(columns);
    expect(found, `killed before statement ${number}`).toEqual(
      names.includes(MADE_UP) ? [{ count: 3 }] : [{ count: 0 }],
    );
    expect(await place.query(`select "name" from "user" order by 1`)).toEqual(PEOPLE.map((name) => ({ name })));
    if (names.length > stored) number = 0;
    stored = names.length;
  }
  expect(kills).toBeGreaterThan(20);
  expect(await applied(place)).toHaveLength(migrationsOf("new").length);
  expect(await place.query(`select "shownName" as "name" from "user" order by 1`)).toEqual(
    PEOPLE.map((name) => ({ name })),
  );
  expect(await place.query(`select "name" from "nickname" where "name" <> 'again' order by 1`)).toEqual(
    PEOPLE.map((name) => ({ name })),
  );
  expect(await place.query(`select "name" from "nickname" where "name" = 'again'`)).toHaveLength(PEOPLE.length);
}

describe("an update that is killed before each of its statements goes on with the next start, and nothing is lost", () => {
  test("on SQLite", { timeout: 400_000 }, async () => {
    const data = path.join(folder, "data");
    const query = async (sql: string) => {
      const connection = new Connection(path.join(data, "ringmaster.db"));
      try {
        return sql.startsWith("select") ? connection.prepare(sql).all() : [connection.exec(sql)];
      } finally {
        connection.close();
      }
    };
    const columns = `select count(*) as "count" from (
      select "name" from pragma_table_info('user') where "name" = 'shownName' union all
      select "name" from sqlite_master where "name" in ('nickname', 'nickname_id_idx'))`;
    await killEverywhere({ env: { RINGMASTER_DATA_DIR: data, DATABASE_URL: undefined }, query }, columns);
  });

  describe.skipIf(!requireMachine("postgresql"))("with a server", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    test("on Postgres", { timeout: 400_000 }, async () => {
      const query = async (sql: string) => {
        const client = new pg.Client({ connectionString: server.url });
        await client.connect();
        try {
          return (await client.query(sql)).rows;
        } finally {
          await client.end();
        }
      };
      const columns = `select count(*)::int as "count" from (
        select column_name from information_schema.columns where table_name = 'user' and column_name = 'shownName' union all
        select relname::text from pg_class where relname in ('nickname', 'nickname_id_idx')) as found`;
      const env = { RINGMASTER_DATA_DIR: path.join(folder, "postgres"), DATABASE_URL: server.url };
      await killEverywhere({ env, query }, columns);
    });
  });
});
