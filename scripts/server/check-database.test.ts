import { mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GET } from "@/app/health/route";
import { knownDamage } from "@/lib/server/platform/db/damage";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { startTestServer } from "@/lib/testing/servers/test-server";
import { checkDatabase } from "./check-database";

const PAGE_BYTES = 4_096;
const PATIENT_MS = 60_000;

let file: string;

beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), "ringmaster-check-")), "a.db");
  const connection = new Connection(file);
  connection.exec("create table note (id integer primary key, text text); create index by_text on note (text)");
  const insert = connection.prepare("insert into note (text) values (?)");
  for (let count = 0; count < 500; count++) insert.run(`note ${count} `.repeat(20));
  connection.close();
});
afterEach(() => {
  forgetProcessState("database-damage");
  rmSync(path.dirname(file), { recursive: true });
});

test("a whole database has no problem, nor has one that is not there or not SQLite", async () => {
  expect(await checkDatabase(`file:${file}`, PATIENT_MS)).toBeNull();
  expect(await checkDatabase("file:/nowhere/a.db", PATIENT_MS)).toBeNull();
  expect(await checkDatabase("postgresql://host/a", PATIENT_MS)).toBeNull();
  expect(knownDamage()).toBeNull();
});

test("a damaged database is found at the start, and /health says so", async () => {
  writeSync(openSync(file, "r+"), Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, 5 * PAGE_BYTES);
  expect(await checkDatabase(`file:${file}`, PATIENT_MS)).toMatch(/page|malformed/i);
  const server = await startTestServer();
  const reply = await server.call(GET, {});
  expect(reply.status).toBe(503);
  const problem = expect.stringMatching(/damaged.*restore a backup/);
  expect(await reply.json()).toMatchObject({ status: "degraded", database: "damaged", problem });
  await server.close();
});

test("a start does not wait for a long check, whose outcome counts when it comes", async () => {
  writeSync(openSync(file, "r+"), Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, 5 * PAGE_BYTES);
  expect(await checkDatabase(`file:${file}`, 0)).toBeNull();
  await expect.poll(knownDamage).not.toBeNull();
});
