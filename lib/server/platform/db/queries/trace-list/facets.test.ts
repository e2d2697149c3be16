import { afterEach, beforeEach, expect, test } from "vitest";
import type { Database } from "@/lib/server/platform/db/database";
import { planOf, statementOf } from "@/lib/testing/databases/plan-of";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { selectDifference } from "./difference";
import { selectFacets } from "./facets";
import { keepUses } from "./uses-of-runs";

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.close());

const ALL = { isDraft: false, choices: {} };

/** How the database would read what is asked aside. */
async function planOfAsked(ask: (database: Database) => Promise<unknown>): Promise<string> {
  const { database } = testDatabase;
  const asked = await statementOf(database, "readAside", ask);
  return planOf(database, asked, ["seqscan", "bitmapscan", "hashjoin", "mergejoin"]);
}

const TOOLS = /COVERING INDEX call_traceId_tool_status_idx|Index Only Scan using "?call_traceId_tool_status_idx/g;
const RULES = /COVERING INDEX call_rule_idx|Index Only Scan using "?call_rule_idx/g;

test("tools, those that failed and rules are counted in one pass each over an index, without the calls' rows", async () => {
  expect((await planOfAsked((database) => selectFacets(database, ALL))).match(TOOLS)).toHaveLength(1);
  const difference = await planOfAsked((database) => selectDifference(database, { within: ALL, runIds: ["run"] }, ALL));
  expect(difference.match(TOOLS)).toHaveLength(1);
  expect(difference.match(RULES)).toHaveLength(1);
});

test("traces that do not keep yet what their calls used are found by an index of their own", async () => {
  const { database } = testDatabase;
  const inOneTurn = { rest: async () => false };
  const asked = await statementOf(database, "execute", (watched) => keepUses(watched, new Date(), inOneTurn));
  const plan = await planOf(database, asked, ["seqscan", "bitmapscan", "hashjoin", "mergejoin", "sort"]);
  expect(plan).toMatch(/INDEX trace_uses_unkept_idx|Index (?:Only )?Scan using "?trace_uses_unkept_idx/);
});

test("with a chosen tool its calls are found in the index, on SQLite those of one trace at a time", async () => {
  const plan = await planOfAsked((database) => selectFacets(database, { ...ALL, choices: { tool: ["execute"] } }));
  expect(plan.match(TOOLS)).toHaveLength(2);
  // Postgres may look up each trace or read all calls of the tool at once, whichever it expects to be quicker.
  expect(plan).toMatch(/\(traceId=\? AND tool=\?\)|Index Cond: .*tool = 'execute'/);
});
