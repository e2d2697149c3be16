// The tests that also run on Postgres. Read by vitest.config.ts: imports have their extension here, because Node alone
// loads it.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { findPostgres } from "../database/find-postgres.ts";

/** Tests of what only SQLite has (its pragmas, a file on a disk that may be full), and of what only Postgres has. */
const SQLITE_ONLY = "**/*-sqlite.test.ts";
export const POSTGRES_ONLY = "**/*-postgres.test.ts";

/** Tests of code above the store: its prompts, its numbers and code that people write are the same on either database. */
const ABOVE_THE_STORE = [
  "**/*boundaries.test.ts",
  "**/*-numbers.test.ts",
  "lib/server/agents/hooks/**",
  "lib/server/extensions/**",
  "lib/server/wiring/{extensions,clean-replies,missing-tool}.test.ts",
  "lib/server/engine/guard-input.test.ts",
  "lib/server/tools/mcp/{mcp-run,real-servers}.test.ts",
  "lib/server/tools/mcp/composer/**",
  "lib/server/apis/**",
  "lib/server/skills/**",
  "lib/server/threads/{titles,test-thread}.test.ts",
  "lib/server/traces/sent-requests.test.ts",
  "lib/server/wiring/{prepared-history,trace-limits}.test.ts",
  "app/agents/**/{context-window,final-answer,no-history,pictures,unknown-usage}.test.ts",
  "app/api/agents/{document-samples,*/prompt-runs}.test.ts",
  "app/api/runs/{subagent-cards,subagent-config}.test.ts",
  "app/api/threads/choices.test.ts",
];

/** Globs of the test files that use the store: those with a fixture that opens a database. */
export function storeTests(): string[] {
  const usesOne = new RegExp(`from "@/lib/testing/(${databaseFixtures().join("|")})"`);
  return globSync("{lib,app}/**/*.test.ts")
    .filter((file) => ![SQLITE_ONLY, ...ABOVE_THE_STORE].some((glob) => path.matchesGlob(file, glob)))
    .filter((file) => usesOne.test(readFileSync(file, "utf8")))
    .map((file) => file.replace(/[[\](){}]/g, "\\$&"));
}

/** False, with a warning, on a laptop without Postgres; with CI set the tests then fail rather than being skipped. */
export function canTestPostgres(): boolean {
  if (findPostgres() !== null || process.env.CI) return true;
  process.stderr.write("SKIPPED: this machine has no postgresql: the tests run on SQLite only.\n");
  return false;
}

/** `test-database` and every fixture that imports one of them. */
function databaseFixtures(): string[] {
  const fixtures = globSync("lib/testing/*/*.ts").map((file) => ({
    name: path.relative("lib/testing", file).replace(/\.ts$/, ""),
    text: readFileSync(file, "utf8"),
  }));
  const found = new Set(["databases/test-database"]);
  for (const name of found) {
    for (const fixture of fixtures) {
      if (fixture.text.includes(`from "@/lib/testing/${name}"`)) found.add(fixture.name);
    }
  }
  return [...found];
}
