import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { POST as dryRunRoute } from "@/app/api/backup/dry-run/route";
import { GET as fileRoute } from "@/app/api/backup/files/[name]/route";
import { POST as backupRoute, GET as stateRoute } from "@/app/api/backup/route";
import { POST as runRoute } from "@/app/api/backup/run/route";
import { PATCH as patchRoute } from "@/app/api/settings/route";
import { BackupState, DryRun } from "@/lib/schema/settings/backup";
import { secretBox } from "@/lib/server/platform/secrets/secrets";
import { startSettings } from "@/lib/server/settings/settings";
import { checkSecretCanary } from "@/lib/server/wiring/secrets-canary";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { backUpNow, backUpWhenDue } from "./kept-backups";

const HOUR_MS = 3_600_000;
const as = "admin" as const;

let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  await startSettings(server.services);
  await checkSecretCanary(server.database, secretBox());
  if (server.database.dialect.provider === "sqlite") await recordMigrations();
  folder = path.join(server.dataDirectory, "kept");
  mkdirSync(path.join(server.dataDirectory, "workspaces", "a"), { recursive: true });
  writeFileSync(path.join(server.dataDirectory, "workspaces", "a", "note.txt"), "hello");
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.call(patchRoute, { as, method: "PATCH", body: { backup: { folder, everyHours: 24, keep: 2 } } });
});

/** Adds the migration records that a test's database lacks. */
async function recordMigrations(): Promise<void> {
  const { database } = server;
  await database.raw(`create table "_prisma_migrations" ("migration_name" text, "finished_at" text)`);
  const entries = readdirSync("prisma/sqlite/migrations", { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isDirectory())) await addMigration(name);
}

const addMigration = (name: string) =>
  server.database.raw(`insert into "_prisma_migrations" values ($1, 'now')`, [name]);

const state = async () => BackupState.parse(await (await server.call(stateRoute, { as })).json());
const tryRestore = async (file: string) => {
  const reply = await server.call(dryRunRoute, { as, body: { path: file } });
  expect(reply.status).toBe(200);
  return DryRun.parse(await reply.json());
};

async function makeOne(name: string): Promise<string> {
  const reply = await server.call(backupRoute, { as, method: "POST" });
  expect(reply.status).toBe(200);
  const file = path.join(server.dataDirectory, name);
  writeFileSync(file, Buffer.from(await reply.arrayBuffer()));
  return file;
}

test("a download has the database and the workspaces, and not the secret", async () => {
  const file = await makeOne("download.tar.gz");
  const names = execFileSync("tar", ["-tzf", file], { encoding: "utf8" }).split("\n");
  expect(names).toContain("./workspaces/a/note.txt");
  expect(names.filter((name) => /secret|ringmaster\.(db|dump)$/.test(name))).toHaveLength(1);
  const secret = readFileSync(path.join(server.dataDirectory, "secret"), "utf8").trim();
  expect(execFileSync("tar", ["-xzOf", file], { maxBuffer: 1e9 }).includes(secret)).toBe(false);
  await expect.poll(() => readdirSync(server.dataDirectory).filter((name) => name.startsWith(".backup-"))).toEqual([]);
});

describe("by themselves", () => {
  test("backups are made when the newest is old enough, and the oldest goes", async () => {
    const at = Date.parse("2026-11-20T08:00:00Z");
    for (const hours of [0, 1, 23, 24, 49]) await backUpWhenDue(server.services, new Date(at + hours * HOUR_MS));
    const { backups, problem } = await state();
    expect(problem).toBe(null);
    expect(backups.map(({ name }) => name)).toEqual([
      "ringmaster-2026-11-22T090000.000Z.tar.gz",
      "ringmaster-2026-11-21T080000.000Z.tar.gz",
    ]);
    expect(backups[0]?.at).toBe("2026-11-22T09:00:00.000Z");
  });

  test("none is made without a folder", async () => {
    await server.call(patchRoute, { as, method: "PATCH", body: { backup: { folder: null } } });
    await backUpWhenDue(server.services);
    expect((await state()).backups).toEqual([]);
    const reply = await server.call(runRoute, { as, method: "POST" });
    expect([reply.status, (await reply.json()).error.message]).toEqual([
      409,
      expect.stringContaining("No folder is set"),
    ]);
  });
});

test("the folder can't be part of what is backed up", async () => {
  const inside = path.join(server.dataDirectory, "workspaces", "kept");
  const reply = await server.call(patchRoute, { as, method: "PATCH", body: { backup: { folder: inside } } });
  expect([reply.status, (await reply.json()).error.details[0].path]).toEqual([400, "backup.folder"]);
});

test("those made within one second keep names of their own, and the newest comes first", async () => {
  const at = Date.parse("2030-01-01T08:00:00Z");
  for (const milliseconds of [4, 250]) await backUpNow(server.services, new Date(at + milliseconds));
  expect((await state()).backups.map(({ at }) => at)).toEqual(["2030-01-01T08:00:00.250Z", "2030-01-01T08:00:00.004Z"]);
});

test("one whose making can't be recorded is not made", async () => {
  const before = readdirSync(folder);
  const record = () => Promise.reject(new Error("The log is full."));
  await expect(backUpNow(server.services, new Date(), record)).rejects.toThrow("The log is full.");
  expect(readdirSync(folder)).toEqual(before);
});

test("two are not made at once, and both are told what happens", async () => {
  const replies = await Promise.all([1, 2].map(() => server.call(runRoute, { as, method: "POST" })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect((await state()).running).toBe(null);
});

test("only its own files are offered from the folder", async () => {
  writeFileSync(path.join(folder, "private.txt"), "x");
  for (const name of ["private.txt", "../secret", "ringmaster-2020-01-01T000000Z.tar.gz"]) {
    expect((await server.call(fileRoute, { as, params: { name } })).status).toBe(404);
  }
});

describe("a dry run", () => {
  test("of a good backup says so with its counts, and changes nothing", async () => {
    const found = await tryRestore(await makeOne("good.tar.gz"));
    expect(found).toMatchObject({ ok: true, problems: [], migrations: { missing: 0, unknown: [] } });
    if (server.database.dialect.provider === "sqlite") {
      expect(found).toMatchObject({ counts: { people: 3 }, secretFits: true });
    }
  });

  test("of one that a newer version made says to update first", async () => {
    if (server.database.dialect.provider !== "sqlite") return;
    await addMigration("9_from_the_future");
    const found = await tryRestore(await makeOne("newer.tar.gz"));
    expect(found).toMatchObject({ ok: false, migrations: { missing: 0, unknown: ["9_from_the_future"] } });
    expect(found.problems).toEqual([expect.stringContaining("Update this installation first")]);
    await server.database.raw(`delete from "_prisma_migrations" where "migration_name" like '9%'`);
  });

  test("of a file that was cut says so", async () => {
    const file = await makeOne("cut.tar.gz");
    truncateSync(file, 2_000);
    expect((await tryRestore(file)).problems).toEqual([expect.stringContaining("cut or damaged")]);
  });

  test("of another archive says that it is none of ours", async () => {
    const file = path.join(server.dataDirectory, "other.tar.gz");
    execFileSync("tar", ["-czf", file, "-C", server.dataDirectory, "workspaces"]);
    expect((await tryRestore(file)).problems).toEqual([expect.stringContaining("not a backup of Ringmaster")]);
  });

  test("of a file that is not there is refused", async () => {
    const reply = await server.call(dryRunRoute, { as, body: { path: "/nowhere/b.tar.gz" } });
    expect(reply.status).toBe(404);
    expect(existsSync("/nowhere")).toBe(false);
  });

  test("takes the archive itself", async () => {
    const body = new Uint8Array(readFileSync(await makeOne("sent.tar.gz")));
    const key = await server.addKey("admin", ["admin"]);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/gzip", host: "127.0.0.1:3000" };
    const request = new Request("http://127.0.0.1:3000/api/backup/dry-run", { method: "POST", headers, body });
    expect(await (await dryRunRoute(request)).json()).toMatchObject({ ok: true });
  });
});
