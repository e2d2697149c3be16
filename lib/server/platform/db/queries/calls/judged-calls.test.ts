import { afterEach, beforeEach, expect, test } from "vitest";
import { planOf, statementOf } from "@/lib/testing/databases/plan-of";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { type JudgedCall, selectJudgedCalls } from "./judged-calls";

let testDatabase: TestDatabase;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
});
afterEach(() => testDatabase.close());

const SCOPE = { agentId: "a1", since: new Date(0) };
const ids = { runId: "r1", threadId: "t1", ownerId: "u1", agentId: "a1", agentVersionId: "a1-1", agentVersion: 1 };
const FACTS = { step: 1, spanId: "s1", kind: "tool", argsHash: "h", annotations: "{}", aliases: "[]" };

async function addCalls(startedAt: readonly Date[]): Promise<void> {
  const { database } = testDatabase;
  await database.trace.create({
    data: { id: "trace1", ...ids, status: "completed", steps: 1, startedAt: new Date(1_000) },
  });
  await database.call.createMany({
    data: startedAt.map((at, number) => ({
      ...{ ...ids, ...FACTS, traceId: "trace1", rootRunId: "r1", toolCallId: `call${number}`, startedAt: at },
      ...{ tool: "read_file", gist: "a.txt", verdict: "allow", status: "completed" },
    })),
  });
}

test("pages have each call once, newest first, also where many began at once", async () => {
  const times = [1_000, 2_000, 2_000, 2_000, 2_000, 3_000, 3_000];
  await addCalls(times.map((ms) => new Date(ms)));
  const found: string[] = [];
  let after: JudgedCall | null = null;
  for (let isLast = false; !isLast; ) {
    const page: JudgedCall[] = await selectJudgedCalls(testDatabase.database, SCOPE, { after, limit: 2 });
    expect(page.length).toBeLessThanOrEqual(2);
    found.push(...page.map(({ toolCallId }) => toolCallId));
    after = page.at(-1) ?? null;
    isLast = page.length < 2;
  }
  expect(found).toEqual(["call6", "call5", "call4", "call3", "call2", "call1", "call0"]);
});

test("a page reads the index by time and stops, however few calls are expected", async () => {
  const { database } = testDatabase;
  const asked = await statementOf(database, "readAside", (watched) =>
    selectJudgedCalls(watched, SCOPE, { after: null, limit: 150 }),
  );
  const plan = await planOf(database, asked, ["seqscan", "bitmapscan", "hashjoin", "mergejoin"]);
  // Both read calls in the order of the index; only calls of the same moment are sorted, or those of the page.
  expect(plan).toMatch(
    /call_agentId_startedAt_idx[\s\S]*LAST 2 TERMS|Sort[\s\S]*Limit[\s\S]*Backward using "call_agentId_startedAt_idx"/,
  );
});
