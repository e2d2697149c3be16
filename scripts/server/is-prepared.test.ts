import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "@/lib/server/platform/db/database";
import { createSecretBox } from "@/lib/server/platform/secrets/secrets";
import { checkSecretCanary } from "@/lib/server/wiring/secrets-canary";
import { updateDatabase } from "../update/update-database";
import { isPrepared } from "./is-prepared";

const OLD = createSecretBox(["an-earlier-secret-of-a-test"]);
const NEW = createSecretBox(["a-newer-secret-of-a-test", "an-earlier-secret-of-a-test"]);

let folder: string;
let databaseUrl: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "ringmaster-prepared-"));
  databaseUrl = `file:${path.join(folder, "ringmaster.db")}`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the first start does. */
async function prepare(): Promise<void> {
  await updateDatabase({ databaseUrl, dataDirectory: folder }, { withoutBackup: true, say: () => undefined });
  const database = await openDatabase(databaseUrl);
  await checkSecretCanary(database, OLD).finally(() => database.close());
}

function change(sql: string): void {
  const connection = new Connection(path.join(folder, "ringmaster.db"));
  connection.exec(sql);
  connection.close();
}

test("the second start has nothing to prepare", async () => {
  expect(isPrepared({ databaseUrl }, OLD)).toBe(false);
  await prepare();
  expect(isPrepared({ databaseUrl }, OLD)).toBe(true);
});

test.each([
  ["without a migration", "delete from _prisma_migrations"],
  ["with one that it does not know", "update _prisma_migrations set migration_name = '29990101000000_later'"],
  ["in the middle of one", "update _prisma_migrations set finished_at = null"],
  ["of another version", "update setting set value = '0.0.1' where key = 'program_version'"],
  ["of a start that was cut off", "delete from setting where key = 'secret_canary'"],
  ["without its tables", "drop table setting"],
])("a start on a database %s prepares it, or says why it can't", async (_what, sql) => {
  await prepare();
  change(sql);
  expect(isPrepared({ databaseUrl }, OLD)).toBe(false);
});

test("a start with another secret or a newer one prepares, which refuses the one and encrypts again with the other", async () => {
  await prepare();
  expect(isPrepared({ databaseUrl }, createSecretBox(["quite-another-secret"]))).toBe(false);
  expect(isPrepared({ databaseUrl }, NEW)).toBe(false);
});

test("Postgres is always prepared: its job queue has migrations of its own", () => {
  expect(isPrepared({ databaseUrl: "postgresql://host/name" }, OLD)).toBe(false);
});
