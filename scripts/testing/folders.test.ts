import { globSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const MOST_FILES = 20;
/** Without e2e: its list of journeys, one spec each, is meant to be flat. */
const FOLDERS = "{app,bench,components,docs,examples,lib,prisma,scripts}";

const files = globSync(`${FOLDERS}/**/*.*`, { exclude: ["**/node_modules/**", "**/generated/**", "bench/peers/**"] });

/** Folders of more than 20 files; a test counts as part of the file it tests. */
function findLongFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of paths.filter((name) => !/\.test\.tsx?$/.test(name))) {
    counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder]) => folder);
}

/** Files next to a folder of the same name. */
function findTwins(paths: readonly string[]): string[] {
  const folders = new Set(paths.map((file) => path.dirname(file)));
  return paths.filter((file) => folders.has(file.slice(0, -path.extname(file).length)));
}

test("no folder has more than 20 files besides their tests", () => {
  expect(files).toContain("lib/agent/run-agent.ts");
  expect(findLongFolders(files)).toEqual([]);
});

test("no file stands beside a folder of its own name", () => {
  expect(findTwins(files)).toEqual([]);
});

test("a folder of 21 files and a file beside a folder of its name are found", () => {
  const many = Array.from({ length: MOST_FILES + 1 }, (_, index) => `lib/many/${index}.ts`);
  expect(findLongFolders([...many, "lib/few/one.ts", "lib/few/one.test.ts"])).toEqual(["lib/many"]);
  expect(findTwins(["lib/run.ts", "lib/run/start.ts", "lib/runs.ts"])).toEqual(["lib/run.ts"]);
});
