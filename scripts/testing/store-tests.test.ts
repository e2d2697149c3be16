import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { storeTests } from "./store-tests";

test("tests where SQL or locking differs run on Postgres too, brackets in paths escaped", () => {
  expect(storeTests()).toEqual(
    expect.arrayContaining([
      "lib/server/platform/db/database.test.ts",
      "lib/server/platform/db/lost-connection-postgres.test.ts",
      "lib/server/engine/asks/approvals.test.ts",
      "app/agents/\\[id\\]/run-routes.test.ts",
    ]),
  );
});

test("tests without a database, of SQLite's own traits, and of rules above the store do not", () => {
  const files = storeTests();
  expect(files).not.toContain("lib/server/platform/db/driver-sqlite.test.ts");
  expect(files).not.toContain("app/api/prompts/prompts.test.ts");
  expect(files.filter((file) => file.startsWith("lib/agent/"))).toEqual([]);
});

test("each pattern names a file, so that a renamed test does not leave Postgres unnoticed", () => {
  const source = readFileSync("scripts/testing/store-tests.ts", "utf8");
  const patterns = [...source.matchAll(/^ {2}"([^"]+)",$/gm)].map(([, pattern = ""]) => pattern);
  const unused = patterns.flatMap(alternatives).filter((pattern) => globSync(pattern).length === 0);
  expect(patterns.length).toBeGreaterThan(20);
  expect(unused).toEqual([]);
});

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
function alternatives(pattern: string): string[] {
  const [before = "", list, after = ""] = pattern.split(/[{}]/);
  return list === undefined ? [pattern] : list.split(",").map((name) => before + name + after);
}
