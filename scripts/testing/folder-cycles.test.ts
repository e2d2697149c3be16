import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const IMPORT = /(?:\bfrom|\bimport|\bimport\()\s*"(@\/[^"]+|\.[^"]+)"/g;

/** Biome only sees cycles of files. A file next to the folders counts as its own folder. */
test.each(["lib/server", "lib/server/engine"])(
  "no folder of %s imports, even through others, one that imports it",
  (root) => {
    expect(findCycle(readFolderImports(root))).toEqual([]);
  },
);

test("a cycle of folders is found and named", () => {
  const imports = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["c"])],
    ["c", new Set(["a"])],
  ]);
  expect(findCycle(imports)).toEqual(["a", "b", "c", "a"]);
});

/** For each folder of `root` (one level down, e.g. `engine`), the others that its files import. */
function readFolderImports(root: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of listSources(root)) {
    const from = folderOf(root, file);
    const targets = imports.get(from) ?? new Set<string>();
    imports.set(from, targets);
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(IMPORT)) {
      const target = specifier.startsWith("@/") ? specifier.slice(2) : path.join(path.dirname(file), specifier);
      if (target.startsWith(`${root}/`) && folderOf(root, target) !== from) targets.add(folderOf(root, target));
    }
  }
  return imports;
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.join(folder, name))
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && !file.includes("/generated/"));
}

function folderOf(root: string, file: string): string {
  const [name = ""] = file.slice(root.length + 1).split("/");
  return name.replace(/\.ts$/, "");
}

/** The first cycle found, its first folder repeated at the end; empty if there is none. */
function findCycle(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const done = new Set<string>();
  const visit = (folder: string, trail: readonly string[]): string[] => {
    const start = trail.indexOf(folder);
    if (start !== -1) return [...trail.slice(start), folder];
    if (done.has(folder)) return [];
    for (const next of imports.get(folder) ?? []) {
      const cycle = visit(next, [...trail, folder]);
      if (cycle.length > 0) return cycle;
    }
    done.add(folder);
    return [];
  };
  for (const folder of imports.keys()) {
    const cycle = visit(folder, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
