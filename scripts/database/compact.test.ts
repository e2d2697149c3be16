import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "@/lib/server/platform/db/database";
import { parseEnvironment } from "@/lib/server/platform/env";
import { runHousekeeping } from "@/lib/server/wiring/housekeeping";
import { applyMigrations } from "./apply-migrations";
import { compactDatabase } from "./compact";

const ROWS = 3_000;
const ROW_BYTES = 4_000;

let dataDirectory: string;
let file: string;

beforeEach(() => {
  dataDirectory = mkdtempSync(path.join(tmpdir(), "ringmaster-compact-"));
  file = path.join(dataDirectory, "ringmaster.db");
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

const environment = () => parseEnvironment({ RINGMASTER_DATA_DIR: dataDirectory }, "/");

/** Some megabytes of audit entries from two years ago. */
async function fill(database: Database) {
  await database.raw(
    `with recursive n("i") as (select 1 union all select "i" + 1 from n where "i" < ${ROWS})
      insert into "audit_entry" ("id", "actorId", "action", "target", "details", "number", "createdAt")
      select 'old ' || "i", 'u', 'a', 't', hex(zeroblob(${ROW_BYTES / 2})), 0, $1 from n`,
    [new Date(Date.now() - 730 * 86_400_000)],
  );
}

const keep = (database: Database) =>
  runHousekeeping(database, { ...environment(), nowMs: Date.now(), pace: { rest: async () => true } });

const sizeAfter = (database: Database) =>
  database.raw("pragma wal_checkpoint(truncate)").then(() => statSync(file).size);

test("a new database gives back what housekeeping has deleted, up to a small rest", async () => {
  await applyMigrations(`file:${file}`);
  const database = await openDatabase(`file:${file}`);
  await fill(database);
  const full = await sizeAfter(database);
  await keep(database);
  expect(await sizeAfter(database)).toBeLessThan(full * 0.6);
  await database.close();
});

/** As earlier versions created it: a file that never shrinks. */
async function makeEarlierDatabase() {
  await applyMigrations(`file:${file}`);
  const connection = new Connection(file);
  connection.pragma("auto_vacuum = NONE");
  connection.exec("vacuum");
  connection.close();
}

test("one from an earlier version keeps its size until it is compacted, and then gives back what becomes free", async () => {
  await makeEarlierDatabase();
  const earlier = await openDatabase(`file:${file}`);
  await fill(earlier);
  const full = await sizeAfter(earlier);
  await keep(earlier);
  expect(await sizeAfter(earlier)).toBe(full);
  await earlier.close();
  const sizes = compactDatabase(environment());
  expect(sizes?.beforeBytes).toBe(full);
  expect(sizes?.afterBytes).toBeLessThan(full * 0.2);
  const converted = await openDatabase(`file:${file}`);
  await fill(converted);
  await keep(converted);
  expect(await sizeAfter(converted)).toBeLessThan(full * 0.6);
  expect(await converted.auditEntry.count()).toBe(0);
  await converted.close();
});

test("without a file there is nothing to compact", () => {
  expect(compactDatabase(environment())).toBeNull();
  expect(compactDatabase({ dataDirectory, databaseUrl: "postgresql://host/a" })).toBeNull();
});
