import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createServices } from "@/lib/server/platform/services";
import { noDatabase } from "@/lib/testing/databases/services-of";
import { requireSkillFolder } from "./skill-folders";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "ringmaster-skills-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const FILES = [
  { path: "pdf/SKILL.md", hash: "a" },
  { path: "pdf/scripts/fill.py", hash: "b" },
  { path: "slides/SKILL.md", hash: "a" },
];
const read = async (hash: string) => new TextEncoder().encode(`bytes of ${hash}`);

/** Behaves like a process that has just started. */
function start() {
  const services = createServices(noDatabase);
  return requireSkillFolder.bind(null, services);
}

test("a folder has the files, which anybody may read and nobody write", async () => {
  const folderOf = start();
  const folder = await folderOf(directory, FILES, read);
  expect(readFileSync(join(folder, "pdf/scripts/fill.py"), "utf8")).toBe("bytes of b");
  const modes = ["", "pdf", "pdf/scripts", "pdf/scripts/fill.py"].map(
    (path) => statSync(join(folder, path)).mode & 0o777,
  );
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o444]);
  expect(statSync(join(directory, "skills")).mode & 0o777).toBe(0o700);
});

test("the same files are one folder, read once, even when two ask at once", async () => {
  const folderOf = start();
  const asked: string[] = [];
  const note = (hash: string) => {
    asked.push(hash);
    return read(hash);
  };
  const both = await Promise.all([1, 2].map(() => folderOf(directory, FILES, note)));
  expect(new Set(both).size).toBe(1);
  expect(asked).toEqual(["a", "b"]);
  const other = await folderOf(directory, FILES.slice(0, 1), note);
  expect(other).not.toBe(both[0]);
  expect(asked).toEqual(["a", "b"]);
});

test("retries a folder that could not be created", async () => {
  const folderOf = start();
  await expect(folderOf(directory, FILES, async () => null)).rejects.toThrow("is gone from the database");
  expect(await folderOf(directory, FILES, read)).toContain(directory);
});

test("does not trust what an earlier process left", async () => {
  const left = await start()(directory, FILES, read);
  writeFileSync(join(directory, "skills", "stray"), "x");
  const folder = await start()(directory, FILES, read);
  expect(folder).toBe(left);
  expect(() => statSync(join(directory, "skills", "stray"))).toThrow("ENOENT");
});

test("retries a data directory that could not be prepared", async () => {
  const folderOf = start();
  const data = join(directory, "data");
  writeFileSync(data, "in the way");
  await expect(folderOf(data, FILES, read)).rejects.toThrow();
  rmSync(data);
  expect(statSync(await folderOf(data, FILES, read)).isDirectory()).toBe(true);
});
