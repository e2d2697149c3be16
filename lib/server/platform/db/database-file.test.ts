import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { applyMigrations } from "@/scripts/database/apply-migrations";
import { openDatabase } from "./database";
import { requireDatabaseFile } from "./database-file";

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
  expect(await again.raw(`select "key" from "setting"`)).toEqual([{ key: "kept" }]);
  await again.close();
  rmSync(directory, { recursive: true });
});
