import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { sqliteDialect } from "@/lib/server/platform/db/dialect";
import { eachJudgedCall } from "./judge-calls";

test("between two pages that are there at once, everybody else has a turn", async () => {
  const pages = [150, 150, 20];
  const page = () => Array.from({ length: pages.shift() ?? 0 }, () => ({ startedAt: "2026-11-29T12:00:00.000+00:00" }));
  const db = { dialect: sqliteDialect, readAside: async () => page() } as unknown as Database;
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  let calls = 0;
  await eachJudgedCall(db, { agentId: "a", since: new Date(0) }, () => (calls += 1));
  isOver = true;
  await others;
  expect(calls).toBe(320);
  expect(turns).toBeGreaterThanOrEqual(3);
});

test("while a page is judged the next one is being read, and none after the last", async () => {
  const pages = [150, 20];
  let reads = 0;
  const page = () => Array.from({ length: pages.shift() ?? 0 }, () => ({ startedAt: "2026-11-29T12:00:00.000+00:00" }));
  const readAside = async () => {
    reads += 1;
    return page();
  };
  const readsThen: number[] = [];
  const scope = { agentId: "a", since: new Date(0) };
  await eachJudgedCall({ dialect: sqliteDialect, readAside } as unknown as Database, scope, () =>
    readsThen.push(reads),
  );
  expect([readsThen[0], readsThen.at(-1), reads]).toEqual([2, 2, 2]);
});
