import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { loadSecrets } from "@/lib/server/platform/secrets/secrets";
import { applyMigrations } from "@/scripts/database/apply-migrations";
import { openDatabase } from "./database";
import { requireDatabaseFile, saveDeletedDatabase } from "./database-file";

test("a database that is deleted under the server is saved once, and nothing new is accepted", async () => {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-gone-"));
  const file = path.join(directory, "ringmaster.db");
  await applyMigrations(`file:${file}`);
  const live = await openDatabase(`file:${file}`);
  await live.raw(`insert into "setting" ("key", "value", "updatedAt") values ('kept', 'x', 0)`, [], "full");
  await expect(requireDatabaseFile(live)).resolves.toBeUndefined();

  for (const name of readdirSync(directory)) rmSync(path.join(directory, name));
  await expect(requireDatabaseFile(live)).rejects.toMatchObject({ code: "unavailable" });
  await expect(requireDatabaseFile(live)).rejects.toThrow(/rename ringmaster.db.rescued-\S+ back/);
  await live.close();
  const [copy = ""] = readdirSync(directory).filter((name) => name.includes("rescued"));
  expect(readdirSync(directory).filter((name) => name.includes("rescued"))).toHaveLength(1);

  renameSync(path.join(directory, copy), file);
  const again = await openDatabase(`file:${file}`);
  expect(await again.raw(`select "key" from "setting" where "key" <> 'schema'`)).toEqual([{ key: "kept" }]);
  await again.close();
  rmSync(directory, { recursive: true });
});

async function startInFolder() {
  const parent = mkdtempSync(path.join(tmpdir(), "ringmaster-gone-"));
  const folder = path.join(parent, "data");
  mkdirSync(folder);
  const file = path.join(folder, "ringmaster.db");
  await applyMigrations(`file:${file}`);
  const [secret] = loadSecrets({ secrets: [], dataDirectory: folder });
  const live = await openDatabase(`file:${file}`);
  const store = (key: string) =>
    live.raw(`insert into "setting" ("key", "value", "updatedAt") values ($1, 'x', 0)`, [key], "full");
  await store("kept");
  return { parent, folder, file, secret, live, store };
}

const keysIn = async (file: string) => {
  const database = await openDatabase(`file:${file}`);
  const rows = await database.raw<{ key: string }>(
    `select "key" from "setting" where "key" <> 'schema' order by "key"`,
  );
  await database.close();
  return rows.map(({ key }) => key);
};

test("a data folder that is deleted under the server is saved beside it, with its secret and what came last", async () => {
  const { parent, folder, file, secret, live, store } = await startInFolder();
  rmSync(folder, { recursive: true });
  const sentence = /data folder of this server was deleted while it runs.*saved elsewhere/;
  await expect(requireDatabaseFile(live)).rejects.toThrow(sentence);
  await store("later");
  await saveDeletedDatabase(live);

  await live.close();
  const [rescuedFolder = ""] = readdirSync(parent);
  expect(rescuedFolder).toMatch(/^data\.rescued-/);
  renameSync(path.join(parent, rescuedFolder), folder);
  expect(readdirSync(folder).toSorted()).toEqual(["ringmaster.db", "secret"]);
  expect(readFileSync(path.join(folder, "secret"), "utf8").trim()).toBe(secret);
  expect(await keysIn(file)).toEqual(["kept", "later"]);
  rmSync(parent, { recursive: true });
});

test("where nothing can be written beside the folder, it is saved among the temporary files", async () => {
  const { parent, live } = await startInFolder();
  const temporary = mkdtempSync(path.join(tmpdir(), "ringmaster-temporary-"));
  vi.stubEnv("TMPDIR", temporary);
  rmSync(parent, { recursive: true });
  // A file in place of the parent folder, so that not even root can create a folder there.
  writeFileSync(parent, "");
  await expect(requireDatabaseFile(live)).rejects.toThrow(/saved elsewhere/);
  await live.close();
  vi.unstubAllEnvs();
  const [folder = ""] = readdirSync(temporary);
  expect(await keysIn(path.join(temporary, folder, "ringmaster.db"))).toEqual(["kept"]);
  rmSync(temporary, { recursive: true });
  rmSync(parent);
});
