import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { VERSION } from "@/lib/server/platform/version";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { applyMigrations } from "../database/apply-migrations";
import { type PostgresServer, startPostgres } from "../database/postgres-server";
import { addMigration, LINKED_OPTIONS, linkProgram } from "../testing/linked-program";
import { listUpdateBackups } from "./update-backup";

const PROGRAM = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts"];
const LATER = "9_later";
/** What pg_dump writes when the server is newer. */
const OLDER_CLIENT = `[ "$1" != --version ] || { echo "pg_dump (PostgreSQL) 9.6.24"; exit; }
echo "pg_dump: error: aborting because of server version mismatch" >&2
echo "pg_dump: detail: server version: 18.4; pg_dump version: 9.6.24 (Debian 9.6.24-0+deb12u1)" >&2
exit 1`;

describe.skipIf(!requireMachine("postgresql"))("an update of a Postgres database", () => {
  let server: PostgresServer;
  let folder: string;
  let newerProgram: string;
  let count = 0;
  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(path.join(tmpdir(), "ringmaster-update-postgres-"));
    newerProgram = path.join(folder, "newer");
    linkProgram(newerProgram);
    addMigration(newerProgram, "postgresql", LATER, `alter table "user" add column "later" text;\n`);
  });
  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  let url: string;
  let data: string;
  beforeEach(async () => {
    url = await emptyDatabase();
    data = path.join(folder, `data-${count}`);
    await applyMigrations(url);
    await ask(
      url,
      `insert into "user" ("id", "name", "email", "updatedAt") values ('u', 'Ada', 'ada@example.org', current_timestamp)`,
    );
  });
  afterEach(() => rmSync(data, { recursive: true, force: true }));

  async function emptyDatabase(): Promise<string> {
    count += 1;
    await server.query(`create database u${count}`);
    return server.url.replace(/postgres$/, `u${count}`);
  }

  async function ask(database: string, sql: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  const names = (database: string) => ask(database, `select "name" from "user"`);
  const isUpdated = async () =>
    (await ask(url, `select 1 from information_schema.columns where table_name = 'user' and column_name = 'later'`))
      .length > 0;

  function ringmaster(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [...LINKED_OPTIONS, ...PROGRAM, ...words, "--data", data],
      {
        cwd: newerProgram,
        env: { ...process.env, RINGMASTER_NO_DOTENV: "1", DATABASE_URL: url, ...environment },
        encoding: "utf8",
      },
    );
    return { status, stdout, stderr };
  }

  test("dumps it first, and pg_restore makes a database of before the update from the dump", async () => {
    const { status, stdout, stderr } = ringmaster(["migrate"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [backup] = listUpdateBackups(data);
    expect(stdout).toContain(backup?.folder);
    expect(backup?.manifest).toMatchObject({ from: null, to: VERSION, migrations: [LATER], rows: null });
    expect(await isUpdated()).toBe(true);
    await ask(url, `update "user" set "name" = 'Bea'`);

    const refused = ringmaster(["rollback"]);
    expect(refused.status).toBe(1);
    const dump = path.join(backup?.folder ?? "", backup?.manifest.file ?? "");
    expect(refused.stderr).toContain(`put the backup into it with pg_restore (${dump})`);
    expect(refused.stderr).toContain("start the version of before the update");
    const before = await emptyDatabase();
    const { status: restored, stderr: said } = spawnSync("pg_restore", ["--dbname", before, "--no-owner", dump], {
      encoding: "utf8",
    });
    expect({ restored, said }).toEqual({ restored: 0, said: "" });
    expect(await names(before)).toEqual([{ name: "Ada" }]);
    expect(await applyMigrations(before)).toEqual([]);
  });

  /** A folder for PATH with Node and, where it is given, a `pg_dump` with these lines of shell. */
  function programsWith(pgDump?: string): string {
    const programs = mkdtempSync(path.join(folder, "programs-"));
    symlinkSync(process.execPath, path.join(programs, "node"));
    if (pgDump !== undefined) writeFileSync(path.join(programs, "pg_dump"), `#!/bin/sh\n${pgDump}\n`, { mode: 0o755 });
    return programs;
  }

  test("is refused by a pg_dump older than the server, with which one to install, and doctor warns of it before", async () => {
    const programs = programsWith(OLDER_CLIENT);
    const asked = ringmaster(["doctor", "--json"], { PATH: programs });
    const { checks } = z.object({ checks: z.array(z.record(z.string(), z.unknown())) }).parse(JSON.parse(asked.stdout));
    expect(checks.find(({ id }) => id === "backups")).toMatchObject({
      state: "warning",
      detail: expect.stringMatching(/^None can be made before an update\. pg_dump 9 can't read PostgreSQL \d+\.$/),
      fix: expect.stringMatching(/apt-get install postgresql-client-\d+/),
    });
    const { status, stderr } = ringmaster(["migrate"], { PATH: programs });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        "The database was not migrated: No backup could be made before the update. pg_dump 9 can't read PostgreSQL 18. Install the client of PostgreSQL 18 or newer (Debian and Ubuntu: apt-get install postgresql-client-18, from apt.postgresql.org if the system has none). Or make a backup yourself and start with --without-backup.\n",
    });
    expect([await isUpdated(), listUpdateBackups(data)]).toEqual([false, []]);
  });

  test("is refused without pg_dump, with what to install, and goes through with --without-backup", async () => {
    const programs = programsWith();
    const { status, stderr } = ringmaster(["migrate"], { PATH: programs });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The database was not migrated: No backup could be made before the update\. The database is Postgres, and pg_dump is not on this machine\. Install .*apt-get install postgresql-client.*--without-backup\.\n$/,
    );
    expect([await isUpdated(), listUpdateBackups(data)]).toEqual([false, []]);
    expect(ringmaster(["migrate", "--without-backup"], { PATH: programs }).status).toBe(0);
    expect([await isUpdated(), existsSync(path.join(data, "backups")) && listUpdateBackups(data).length > 0]).toEqual([
      true,
      false,
    ]);
  });
});
