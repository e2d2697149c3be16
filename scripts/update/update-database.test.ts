import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Connection from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { VERSION } from "@/lib/server/platform/version";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { applyMigrations } from "../database/apply-migrations";
import { addMigration, LINKED_OPTIONS, linkProgram } from "../testing/linked-program";
import { rollBack } from "./roll-back";
import { listUpdateBackups } from "./update-backup";

const PROGRAM = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts"];
const LACKING = 6;

/** This program, of a version that has more migrations. */
let newerProgram: string;
beforeAll(() => {
  newerProgram = mkdtempSync(path.join(tmpdir(), "ringmaster-newer-"));
  linkProgram(newerProgram);
  for (let number = 1; number <= LACKING; number += 1) {
    addMigration(newerProgram, "sqlite", `9_later_${number}`, laterMigration(number));
  }
});
afterAll(() => rmSync(newerProgram, { recursive: true, force: true }));

/** Touches a table with rows in several statements. */
function laterMigration(number: number): string {
  return `-- Since ${VERSION}
alter table "user" add column "later${number}" text;
update "user" set "later${number}" = "name";
create table "later${number}" as select * from "user";
`;
}

let data: string;
beforeEach(async () => {
  data = path.join(mkdtempSync(path.join(tmpdir(), "ringmaster-update-")), "data");
  mkdirSync(data, { mode: 0o700 });
  await applyMigrations(`file:${file()}`);
  write(
    `insert into "user" ("id", "name", "email", "role", "updatedAt") values ('u', 'Ada', 'ada@example.org', 'admin', current_timestamp)`,
  );
});
afterEach(() => rmSync(path.dirname(data), { recursive: true, force: true }));

const file = () => path.join(data, "ringmaster.db");
/** How many of the newer program's migrations the database has. */
function appliedLater(database = file()): number {
  const connection = new Connection(database, { readonly: true });
  const count = connection
    .prepare(`select count(*) from "_prisma_migrations" where "migration_name" like '9_later_%'`)
    .pluck()
    .get();
  connection.close();
  return Number(count);
}

function write(sql: string): void {
  const connection = new Connection(file());
  connection.exec(sql);
  connection.close();
}

function namesOfPeople(database = file()): unknown[] {
  const connection = new Connection(database, { readonly: true });
  const names = connection.prepare(`select "name" from "user"`).pluck().all();
  connection.close();
  return names;
}

const environment = () => ({ ...process.env, RINGMASTER_NO_DOTENV: "1" });

/** A module that kills the process before its nth step that changes a file. */
function killedBeforeStep(number: number): string {
  const source = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module"; let steps = 0;
    for (const name of ["copyFileSync", "linkSync", "renameSync", "rmSync"]) {
      const step = fs[name];
      fs[name] = (...words) => { steps += 1; if (steps === ${number}) process.kill(process.pid, "SIGKILL"); return step(...words); };
    }
    syncBuiltinESMExports();`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

function run(
  folder: string,
  words: readonly string[],
  prefix: readonly string[] = [],
  options: readonly string[] = [],
) {
  const [command = "", ...rest] = [
    ...prefix,
    process.execPath,
    ...options,
    ...LINKED_OPTIONS,
    ...PROGRAM,
    ...words,
    "--data",
    data,
  ];
  const ended = spawnSync(command, rest, { cwd: folder, env: environment(), encoding: "utf8" });
  const { status, signal, stdout, stderr } = ended;
  return { status, signal, stdout, stderr };
}

/** What an update that was cut off has left of its copy. */
function halfCopies(): string[] {
  const backups = path.join(data, "backups");
  const names = existsSync(backups) ? readdirSync(backups) : [];
  return names.filter((name) => name.endsWith(".partial")).map((name) => path.join(backups, name));
}

/** The size of the copies in these folders. */
function bytesOf(folders: readonly string[]): number {
  const copies = folders.map((folder) => path.join(folder, "ringmaster.db")).filter((copy) => existsSync(copy));
  return copies.reduce((sum, copy) => sum + statSync(copy).size, 0);
}

const ringmaster = (...words: readonly string[]) => run(newerProgram, words);

describe("an update of the database", () => {
  test("copies it first, says where, and notes that it went through", async () => {
    const { status, stdout } = ringmaster("migrate");
    expect(status).toBe(0);
    expect(stdout).toContain(`Updating the database: ${LACKING} migrations`);
    expect(stdout).toContain("Rows of the tables that they change: user 1.");
    const [backup, ...more] = listUpdateBackups(data);
    expect(more).toEqual([]);
    expect(stdout).toContain(backup?.folder);
    expect(backup?.manifest).toMatchObject({ from: null, to: VERSION, rows: { user: 1 } });
    expect(backup?.manifest.finishedAt).not.toBeNull();
    expect(backup?.manifest.migrations).toHaveLength(LACKING);
    expect(namesOfPeople(path.join(backup?.folder ?? "", "ringmaster.db"))).toEqual(["Ada"]);
    expect(appliedLater()).toBe(LACKING);
  });

  test("killed again and again, it goes on, and the backup stays that of before", async () => {
    let kills = 0;
    for (let waitMs = 100; appliedLater() < LACKING; waitMs *= 1.2) {
      const child = spawn(process.execPath, [...LINKED_OPTIONS, ...PROGRAM, "migrate", "--data", data], {
        cwd: newerProgram,
        env: environment(),
        stdio: "ignore",
      });
      const ended = once(child, "close");
      await Promise.race([ended, sleep(waitMs)]);
      if (child.exitCode === null) kills += 1;
      child.kill("SIGKILL");
      await ended;
    }
    expect(kills).toBeGreaterThan(2);
    expect(ringmaster("migrate").status).toBe(0);
    expect(namesOfPeople()).toEqual(["Ada"]);
    for (const { folder, manifest } of listUpdateBackups(data)) {
      expect(appliedLater(path.join(folder, manifest.file))).toBe(0);
    }
    expect(readdirSync(path.join(data, "backups")).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });

  test("killed while it copies, it leaves the database alone, and the next start removes the half copy", async () => {
    const big = 80_000_000;
    write(
      `insert into "setting" ("key", "value", "updatedAt") values ('big', hex(zeroblob(${big / 2})), current_timestamp)`,
    );
    const words = [...LINKED_OPTIONS, ...PROGRAM, "migrate", "--data", data];
    const child = spawn(process.execPath, words, { cwd: newerProgram, env: environment(), stdio: "ignore" });
    const ended = once(child, "close");
    await expect.poll(() => bytesOf(halfCopies()), { interval: 1 }).toBeGreaterThan(0);
    child.kill("SIGKILL");
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(halfCopies()).toHaveLength(1);
    expect(bytesOf(halfCopies())).toBeLessThan(big);
    expect([appliedLater(), listUpdateBackups(data)]).toEqual([0, []]);

    expect(ringmaster("migrate").status).toBe(0);
    expect(halfCopies()).toEqual([]);
    const [backup, ...more] = listUpdateBackups(data);
    expect(more).toEqual([]);
    expect(namesOfPeople(path.join(backup?.folder ?? "", "ringmaster.db"))).toEqual(["Ada"]);
    expect(appliedLater()).toBe(LACKING);
  });

  test.skipIf(!requireMachine("linux", "bubblewrap"))(
    "a disk that is full in the copy leaves all as it was, in one sentence",
    () => {
      const backups = path.join(data, "backups");
      mkdirSync(backups);
      const full = ["bwrap", "--dev-bind", "/", "/", "--size", "200000", "--tmpfs", backups];
      const { status, stderr } = run(newerProgram, ["migrate"], full);
      expect(status).toBe(1);
      expect(stderr).toBe(
        "The database was not migrated: The disk is full. Free some space, then start again. (SQLITE_FULL)\n",
      );
      expect([appliedLater(), namesOfPeople()]).toEqual([0, ["Ada"]]);
      expect(ringmaster("migrate").status).toBe(0);
      expect(appliedLater()).toBe(LACKING);
    },
  );

  test("the copies of the last three updates are kept", () => {
    const update = (number: number) => {
      addMigration(newerProgram, "sqlite", `9_one_more_${number}`, `create table "more${number}" ("id" text);\n`);
      expect(ringmaster("migrate").status).toBe(0);
      return listUpdateBackups(data)[0]?.folder;
    };
    const folders = [1, 2, 3, 4].map(update);
    for (const number of [1, 2, 3, 4]) {
      rmSync(path.join(newerProgram, `prisma/sqlite/migrations/9_one_more_${number}`), { recursive: true });
    }
    expect(listUpdateBackups(data).map(({ folder }) => folder)).toEqual(folders.slice(1).reverse());
  });

  test("without migrations nothing is copied", () => {
    ringmaster("migrate");
    rmSync(path.join(data, "backups"), { recursive: true });
    expect(ringmaster("migrate").stdout).toBe("Up to date.\n");
    expect(existsSync(path.join(data, "backups"))).toBe(false);
  });

  test("nor with --without-backup", () => {
    expect(ringmaster("migrate", "--without-backup").status).toBe(0);
    expect(existsSync(path.join(data, "backups"))).toBe(false);
  });

  test("where the copy can't be made nothing is migrated", async () => {
    writeFileSync(path.join(data, "backups"), "in the way");
    const { status, stderr } = ringmaster("migrate");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The database was not migrated/);
    expect(appliedLater()).toBe(0);
  });

  test("is refused while a server runs on the data", async () => {
    const holder = new Connection(path.join(data, "lock"));
    holder.exec("BEGIN EXCLUSIVE");
    const { status, stderr } = ringmaster("migrate");
    holder.close();
    expect(status).toBe(1);
    expect(stderr).toContain("already running");
  });
});

describe("a program that is older than the database", () => {
  test.each([[["migrate"]], [["start", "--port", "0"]]])("%j ends with 78 and says so, touching nothing", (words) => {
    ringmaster("migrate");
    write(
      `update "setting" set "value" = '{"schemaVersion":"9.10.0","minimumProgram":"9.9.0"}' where "key" = 'schema'`,
    );
    const before = readFileSync(file());
    const { status, stderr } = run(process.cwd(), words);
    expect(status).toBe(78);
    expect(stderr).toMatch(/newer version of Ringmaster \(it has 9_later_1.*Start version 9\.9\.0 or newer/);
    expect(stderr).not.toContain("    at ");
    expect(readFileSync(file()).equals(before)).toBe(true);
  });
});

describe("ringmaster rollback", () => {
  test("puts back the database of before the update and keeps that of after it", async () => {
    ringmaster("migrate");
    write(`update "user" set "name" = 'Bea'`);
    const { status, stdout } = ringmaster("rollback");
    expect(status).toBe(0);
    expect(stdout).toContain("Now start the version that you had before.");
    expect(namesOfPeople()).toEqual(["Ada"]);
    const aside = readdirSync(data).find((name) => name.startsWith("before-rollback-")) ?? "";
    expect(namesOfPeople(path.join(data, aside, "ringmaster.db"))).toEqual(["Bea"]);
    expect(appliedLater()).toBe(0);
  });

  test("killed before any of its steps, it leaves one of the two databases, and goes on when repeated", () => {
    ringmaster("migrate");
    write(`update "user" set "name" = 'Bea'`);
    const before = `${data}-before`;
    cpSync(data, before, { recursive: true });
    let steps = 0;
    for (let isKilled = true; isKilled; steps += 1) {
      rmSync(data, { recursive: true });
      cpSync(before, data, { recursive: true });
      isKilled = run(newerProgram, ["rollback"], [], ["--import", killedBeforeStep(steps + 1)]).signal === "SIGKILL";
      expect(["Ada", "Bea"]).toContain(namesOfPeople()[0]);
      if (isKilled) expect(ringmaster("rollback").status).toBe(0);
      expect(namesOfPeople()).toEqual(["Ada"]);
      const asides = readdirSync(data).filter((name) => name.startsWith("before-rollback-"));
      const kept = asides.map((name) => path.join(data, name, "ringmaster.db")).filter((copy) => existsSync(copy));
      expect(kept.flatMap((copy) => namesOfPeople(copy))).toContain("Bea");
    }
    expect(steps).toBeGreaterThan(3);
  });

  test("refuses a backup that is no longer what was written", () => {
    ringmaster("migrate");
    const [backup] = listUpdateBackups(data);
    writeFileSync(path.join(backup?.folder ?? "", "ringmaster.db"), "cut");
    const { status, stderr } = ringmaster("rollback");
    expect(status).toBe(1);
    expect(stderr).toContain("is not what was backed up");
    expect(namesOfPeople()).toEqual(["Ada"]);
  });

  test.each([
    ["reads it", `update "user" set "name" = 'Bea'`, "begin", 'select count(*) from "user"'],
    ["writes it", "begin immediate"],
    ["holds it for itself", "pragma locking_mode = exclusive", "begin exclusive"],
    ["holds it for itself, without a journal beside it", "pragma journal_mode = delete", "begin exclusive"],
  ])("is refused under a program that %s, and leaves nothing behind", (_, ...statements) => {
    ringmaster("migrate");
    const holder = new Connection(file());
    holder.pragma("wal_autocheckpoint = 0");
    for (const sql of statements) holder.exec(sql);
    const before = readdirSync(data).filter((name) => !/-(wal|shm)$/.test(name));
    const { status, stderr } = ringmaster("rollback");
    expect(stderr).toContain("another program is using");
    expect(status).toBe(1);
    expect(readdirSync(data).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(before);
    holder.close();
    expect(ringmaster("rollback").status).toBe(0);
  });

  test("rolls back a damaged database, which is kept as it is", () => {
    ringmaster("migrate");
    writeFileSync(file(), "no database ".repeat(999));
    expect(ringmaster("rollback").status).toBe(0);
    expect(namesOfPeople()).toEqual(["Ada"]);
    const aside = readdirSync(data).find((name) => name.startsWith("before-rollback-")) ?? "";
    expect(readFileSync(path.join(data, aside, "ringmaster.db"), "utf8")).toMatch(/^no database/);
  });

  test("that fails leaves nothing behind", async () => {
    ringmaster("migrate");
    const now = new Date("2026-11-22T06:00:00.123Z");
    mkdirSync(path.join(data, "before-rollback-2026-11-22T060000123Z"));
    const before = readdirSync(data);
    const installation = { dataDirectory: data, databaseUrl: `file:${file()}` };
    await expect(rollBack(installation, now)).rejects.toThrow(/before-rollback-.* already exists/);
    expect(readdirSync(data)).toEqual(before);
  });

  test("says that there is nothing to go back to", () => {
    expect(ringmaster("rollback")).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no backup") });
  });
});
