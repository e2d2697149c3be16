import { expect, test } from "vitest";
import { storeTests } from "./store-tests";

test("tests that open a database themselves or through a fixture run on Postgres too, brackets in paths escaped", () => {
  expect(storeTests()).toEqual(
    expect.arrayContaining([
      "lib/server/platform/db/database.test.ts",
      "lib/server/engine/asks/approvals.test.ts",
      "app/api/runs/subagents.test.ts",
      "app/agents/\\[id\\]/run-routes.test.ts",
      "lib/server/wiring/channels/telegram-chat.test.ts",
    ]),
  );
});

test("tests without a database, and those of SQLite's own traits, do not", () => {
  const files = storeTests();
  expect(files).not.toContain("lib/server/platform/db/driver-sqlite.test.ts");
  expect(files.filter((file) => file.startsWith("lib/agent/"))).toEqual([]);
});
