import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDataDirectory } from "@/lib/server/platform/data-directory";
import { BLOCKED_PORTS } from "./blocked-ports";
import { applyMigrations, applyToSqlite, refuseReadOnly } from "./database/apply-migrations";
import { explainStart } from "./explain-failure";
import { requireBrowserPort, requireFreePort } from "./free-port";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), "ringmaster-start-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const failureOf = async (start: () => unknown) => {
  try {
    await start();
  } catch (error) {
    return explainStart(error);
  }
  return "It started.";
};

test("a data directory that is a file is reported in one line with what to set", async () => {
  const file = path.join(directory, "file");
  writeFileSync(file, "");
  const said = await failureOf(() => lockDataDirectory(file));
  expect(said).toBe(
    `Ringmaster can't start: it can't use ${file}: there is a file of that name (EEXIST). ` +
      "Fix that, or set RINGMASTER_DATA_DIR to another folder.",
  );
});

test("files of the database that may only be read are named, with what to do", async () => {
  const file = path.join(directory, "ringmaster.db");
  for (const name of [file, `${file}-shm`]) writeFileSync(name, "");
  expect(await failureOf(() => refuseReadOnly(file, (name: string) => !name.endsWith("-shm")))).toBe(
    `Ringmaster can't start: this user may not write this file of the database: ${file}-shm. Give this user the right ` +
      "(chmod u+w, chown), or mount the file system for writing; then start again.",
  );
  expect(await failureOf(() => refuseReadOnly(file, () => true))).toBe("It started.");
});

test("a file that is not a database is reported with the way back", async () => {
  const file = path.join(directory, "ringmaster.db");
  writeFileSync(file, "a letter, not a database ".repeat(100));
  expect(await failureOf(() => applyMigrations(`file:${file}`))).toMatch(/not a database\. Restore a backup with/);
});

/** Every migration's record says there which version may open the database. */
const SETTINGS = `create table "setting" ("key" text primary key, "value" text, "updatedAt" datetime);`;

test("a migration that fails leaves nothing of itself, and what came before it stays", () => {
  const file = path.join(directory, "ringmaster.db");
  const good = { name: "1_good", checksum: "a", sql: `${SETTINGS} create table one (x);`, since: "0.2.0" };
  const bad = { name: "2_bad", checksum: "b", sql: "create table two (x); create table two (x);", since: "0.2.0" };
  expect(() => applyToSqlite(file, [good, bad])).toThrow(/two already exists/);
  const connection = new Connection(file);
  const names = (sql: string) => connection.prepare(sql).pluck().all();
  expect(names("select name from sqlite_master where name in ('one', 'two')")).toEqual(["one"]);
  expect(names("select migration_name from _prisma_migrations")).toEqual(["1_good"]);
  connection.close();
});

test("a database that was left in the middle of a migration is refused with the way back", async () => {
  const file = path.join(directory, "ringmaster.db");
  applyToSqlite(file, [{ name: "0_baseline", checksum: "a", sql: SETTINGS, since: "0.2.0" }]);
  const connection = new Connection(file);
  connection.exec("update _prisma_migrations set finished_at = null");
  connection.close();
  expect(await failureOf(() => applyMigrations(`file:${file}`))).toMatch(
    /middle of the migration 0_baseline\. Restore/,
  );
});

test("a Postgres server that does not answer is reported with where it was looked for", async () => {
  const text = await failureOf(() => applyMigrations("postgresql://someone:a-secret@127.0.0.1:1/ringmaster"));
  expect(text).toBe(
    "Ringmaster can't start: the Postgres server of DATABASE_URL does not answer (ECONNREFUSED 127.0.0.1:1). " +
      "Start it, or correct DATABASE_URL.",
  );
});

test("a refusal by a Postgres server is reported in its words", () => {
  const error = Object.assign(new Error('database "ringmaster" does not exist'), { code: "3D000", severity: "FATAL" });
  expect(explainStart(error)).toBe(
    'Ringmaster can\'t start: the Postgres server of DATABASE_URL says: database "ringmaster" does not exist (3D000). ' +
      "Create it (createdb), or correct DATABASE_URL.",
  );
});

test("a port in use is reported before anything is migrated or built", async () => {
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const variables = { PORT: String(port), RINGMASTER_DATA_DIR: directory, RINGMASTER_NO_DOTENV: "1" };
  const start = spawn(process.execPath, ["scripts/start.mjs"], { env: { ...process.env, ...variables } });
  const said = await text(start.stderr);
  listener.close();
  const next = port === 65_535 ? 3_000 : port + 1;
  expect(said).toBe(
    `Port ${port} is in use. Stop the program that is listening there, or take another port: ` +
      `\`npm run ringmaster -- start --port ${next}\`, or set PORT=${next}.\n`,
  );
  expect(existsSync(path.join(directory, "ringmaster.db"))).toBe(false);
});

test.each(["203.0.113.1", "no-such-host.invalid"])(
  "HOST=%s is reported to be no address of this machine",
  async (host) => {
    expect(await failureOf(() => requireFreePort(host, 0))).toMatch(
      /^Ringmaster can't start: \S+ is not an address of this machine \(E\w+\)\. Set --host or HOST to one that is, or to 0\.0\.0\.0 for all\.$/,
    );
  },
);

test("a port that browsers refuse is refused with the next one that they open", async () => {
  expect(await failureOf(() => requireBrowserPort(6_665))).toBe(
    "Ringmaster can't start: browsers refuse to connect to port 6665. Take another port: `npm run ringmaster -- start --port 6670`, or set PORT=6670.",
  );
});

test.each([...BLOCKED_PORTS])("Node's fetch opens no connection to port %i either", async (port) => {
  const refused = fetch(`http://127.0.0.1:${port}`);
  await expect(refused).rejects.toMatchObject({ cause: { message: "bad port" } });
});

test("an unexpected error comes with its stack", () => {
  expect(explainStart(new Error("odd"))).toMatch(/can't start\.\nError: odd\n\s+at /);
});
