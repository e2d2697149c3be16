import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { VERSION } from "@/lib/server/platform/version";
import { applyToSqlite, compareMigrations, listMigrations, migrationsDirectory } from "../database/apply-migrations";
import { listUpdateBackups } from "./update-backup";

const PROGRAM = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts"];
/** Of the last versions' migrations, so that they touch tables with rows. */
const LACKING = 6;

let data: string;
beforeEach(() => {
  data = path.join(mkdtempSync(path.join(tmpdir(), "ringmaster-update-")), "data");
  mkdirSync(data, { mode: 0o700 });
  applyToSqlite(file(), migrations().slice(0, -LACKING));
  write(
    `insert into "user" ("id", "name", "email", "role", "updatedAt") values ('u', 'Ada', 'ada@example.org', 'admin', current_timestamp)`,
  );
});
afterEach(() => rmSync(path.dirname(data), { recursive: true, force: true }));

const file = () => path.join(data, "ringmaster.db");
const migrations = () =>
  listMigrations("sqlite").map((migration) => ({
    ...migration,
    sql: readFileSync(path.join(migrationsDirectory("sqlite"), migration.name, "migration.sql"), "utf8"),
  }));

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

function ringmaster(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...PROGRAM, ...words, "--data", data], {
    env: environment(),
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe("an update of the database", () => {
  test("copies it first, says where, and notes that it went through", async () => {
    const { status, stdout } = ringmaster("migrate");
    expect(status).toBe(0);
    expect(stdout).toContain(`Updating the database: ${LACKING} migrations`);
    const [backup, ...more] = listUpdateBackups(data);
    expect(more).toEqual([]);
    expect(stdout).toContain(backup?.folder);
    expect(backup?.manifest).toMatchObject({ from: null, to: VERSION, rows: { user: 1 } });
    expect(backup?.manifest.finishedAt).not.toBeNull();
    expect(backup?.manifest.migrations).toHaveLength(LACKING);
    expect(namesOfPeople(path.join(backup?.folder ?? "", "ringmaster.db"))).toEqual(["Ada"]);
    expect(await compareMigrations(`file:${file()}`)).toMatchObject({ missing: [], unknown: [] });
  });

  test("killed again and again, it goes on, and the backup stays that of before", async () => {
    let kills = 0;
    for (let waitMs = 100; (await compareMigrations(`file:${file()}`)).missing.length > 0; waitMs += 60) {
      const child = spawn(process.execPath, [...PROGRAM, "migrate", "--data", data], {
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
      const { applied } = await compareMigrations(`file:${path.join(folder, manifest.file)}`);
      expect(applied).toHaveLength(migrations().length - LACKING);
    }
    expect(readdirSync(path.join(data, "backups")).filter((name) => name.endsWith(".partial"))).toEqual([]);
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
    expect((await compareMigrations(`file:${file()}`)).missing).toHaveLength(LACKING);
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
    expect((await compareMigrations(`file:${file()}`)).missing).toHaveLength(LACKING);
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

  test("says that there is nothing to go back to", () => {
    expect(ringmaster("rollback")).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no backup") });
  });
});
