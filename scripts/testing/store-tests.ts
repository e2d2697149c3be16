// The tests that also run on Postgres. Read by vitest.config.ts: imports have their extension here, because Node alone
// loads it.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { findPostgres } from "../database/find-postgres.ts";

/** Tests of what only Postgres has. */
export const POSTGRES_ONLY = "**/*-postgres.test.ts";

/**
 * What runs a second time on Postgres: only where the text of the SQL or the locking differs. All other tests are of
 * rules above the store, which are the same on either database.
 */
const ON_POSTGRES = [
  POSTGRES_ONLY,
  "lib/server/platform/db/**/*.test.ts",
  // Fences and leases of runs: several processes write to the same rows.
  "lib/server/engine/{host,sweep}.test.ts",
  "lib/server/engine/budgets/{kill-spender,run-budget,spend-property}.test.ts",
  "lib/server/engine/compaction/{save-compaction,thread-lock}.test.ts",
  "lib/server/engine/dispatch/*.test.ts",
  "lib/server/engine/durability/{bad-rows,kill-steered,poison-kill,run-recovery,statements-per-step}.test.ts",
  "lib/server/engine/ending/store.test.ts",
  "lib/server/engine/held/*.test.ts",
  "lib/server/engine/queue/{steer-races,steering}.test.ts",
  "lib/server/engine/asks/{approvals,asking-child-kill,child-approvals,expiry,waiting-kill}.test.ts",
  // Races of triggers and of the processes that send for them.
  "lib/server/triggers/{deliver,fire-trigger,trigger-kill}.test.ts",
  "lib/server/triggers/schedules/schedule-limit.test.ts",
  "lib/server/triggers/boards/{board-kill,boards,people-and-reviews,shared-board-files,stopped-boards}.test.ts",
  "lib/server/triggers/channels/links/link-costs.test.ts",
  "lib/server/triggers/heartbeat/heartbeat.test.ts",
  "lib/server/channels/{channel-kill,odd-text}.test.ts",
  "lib/server/tools/mcp/{asks-kill,oauth/connect-kill}.test.ts",
  // Requests of one client that reach several processes.
  "lib/server/apis/mcp/mcp-processes.test.ts",
  // Statements with a text of their own per database: recursive paths, text search, sums by time, deletes in portions.
  "lib/server/engine/transcript/paths.test.ts",
  "lib/server/threads/{list-messages,search,threads}.test.ts",
  "lib/server/threads/list/*.test.ts",
  "lib/server/platform/db/queries/search/thread-list.test.ts",
  "lib/server/threads/projects/projects.test.ts",
  "lib/server/traces/{left-spans,recorder,seen-messages,trace-list,trace-search,traces}.test.ts",
  "lib/server/traces/calls/*.test.ts",
  "lib/server/traces/otlp/export-runs.test.ts",
  "lib/server/traces/notes/notes.test.ts",
  "lib/server/traces/scores/scores.test.ts",
  "lib/server/traces/{alerts,charts,difference,list,problems,proposals,recall,state,undo,what-if}/*.test.ts",
  "lib/server/traces/replay/replay*.test.ts",
  "lib/server/usage/{budgets,usage-report}.test.ts",
  "lib/server/providers/price-history/*.test.ts",
  "lib/server/files/{file-history,memory-folder,state-file-store,version-authors}.test.ts",
  "lib/server/audit/*.test.ts",
  "lib/server/agents/{agents,list-activity,seed-agents}.test.ts",
  "lib/server/agents/versions/versions.test.ts",
  "lib/server/inbox/paging.test.ts",
  "lib/server/status/storage.test.ts",
  "lib/server/users/{api-keys,auth,session}.test.ts",
  "lib/server/views/{change-watch,idle-readers,stream-openings,stream-races}.test.ts",
  "lib/server/http/route.test.ts",
  "lib/server/wiring/{expired-rows,housekeeping,price-old-replies,unused-contents}.test.ts",
  "lib/server/wiring/erasing/erase-users.test.ts",
  // One request through everything.
  "app/agents/[[]id[]]/run-routes.test.ts",
  "app/api/runs/run-routes.test.ts",
];

/** Tests of what only SQLite has: its pragmas, a file on a disk that may be full. */
const SQLITE_ONLY = "**/*-sqlite.test.ts";

/** Globs of the test files that also run on Postgres; they open a database by `createTestDatabase` or a fixture. */
export function storeTests(): string[] {
  const usesOne = new RegExp(`from "@/lib/testing/(${databaseFixtures().join("|")})"`);
  return globSync(ON_POSTGRES, { exclude: ["**/node_modules/**", SQLITE_ONLY] })
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
