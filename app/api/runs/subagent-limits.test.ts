import { expect, test } from "vitest";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { DELEGATES, type Play, resultsOf, subagentTests, task } from "@/lib/testing/servers/subagent-server";

const { use, start, say, follow, rowOf } = subagentTests();

const parts = (count: number) => Array.from({ length: count }, (_, index) => `part ${index + 1}`);
const answers = (names: readonly string[], more: object = {}): Play =>
  Object.fromEntries(names.map((name) => [name, [{ text: `did ${name}`, ...more }]]));

test.each([
  [1, 0],
  [2, 0],
  [3, 1],
])("with max_children 2, of %i subagents %i is refused", async (count, refused) => {
  const names = parts(count);
  const go = [{ calls: names.map((name) => task(name)) }, { text: "Done." }];
  await start({ go, ...answers(names) }, { subagent_settings: { max_children: 2 } });
  const results = resultsOf(await follow(await say("go"))).map(String);
  expect(results.filter((text) => text.startsWith("did"))).toHaveLength(count - refused);
  expect(results.filter((text) => text.startsWith("A run can start 2 subagents, and this one has."))).toHaveLength(
    refused,
  );
});

test.each([
  [1, 0],
  [2, 0],
  [3, 1],
])("with max_active 2, of %i subagents in the background %i is refused", async (count, refused) => {
  const gate = Promise.withResolvers<void>();
  const names = parts(count);
  const go = [{ calls: names.map((name) => task(name, { background: true })) }, { text: "Started." }];
  await start({ go, ...answers(names, { gate: gate.promise }) }, { subagent_settings: { max_active: 2 } });
  const results = resultsOf(await follow(await say("go"))).map(String);
  expect(results.filter((text) => text.includes("run_id"))).toHaveLength(count - refused);
  expect(results.filter((text) => text.startsWith("2 subagents are running, which is the limit"))).toHaveLength(
    refused,
  );
  gate.resolve();
  await reached(async () => (await use().server.database.run.count({ where: { endedAt: null } })) === 0);
});

test.each([1, 2, 4])("with max_depth %i subagents are nested as deep and no deeper", async (max_depth) => {
  const down = [{ calls: [task("down", { agent: "boss" })] }, { text: "Level done." }];
  await start({ down }, { subagent_settings: { max_depth } });
  await follow(await say("down"));
  const runs = await use().server.database.run.findMany({ orderBy: { depth: "desc" } });
  expect(runs.map(({ depth }) => depth)).toEqual(Array.from({ length: max_depth + 1 }, (_, up) => max_depth - up));
  expect(resultsOf(await follow(runs[0]?.id ?? ""))[0]).toContain(`nested ${max_depth} deep`);
});

test("a subagent can't widen the depth that the agent above it allows", async () => {
  const calls = [{ calls: [task("middle", { agent: "boss" })] }, { text: "Done." }];
  const middle = [{ calls: [task("find it")] }, { text: "Done." }];
  await start({ ...DELEGATES, top: calls, middle }, { subagent_settings: { max_depth: 1 } });
  await follow(await say("top"));
  expect(await use().server.database.run.count()).toBe(2);
});

test.each([
  [99, "x".repeat(99)],
  [100, "x".repeat(100)],
  [101, `${"x".repeat(10)}\n\n... (truncated 86 characters) ...\n\n${"x".repeat(5)}`],
])("with result.max_chars 100 an answer of %i characters reaches the parent as it should", async (length, result) => {
  const limits = { max_chars: 100, head: 10, tail: 5 };
  await start({ ...DELEGATES, "find it": [{ text: "x".repeat(length) }] }, { subagent_settings: { result: limits } });
  expect(resultsOf(await follow(await say("go")))).toEqual([result]);
});

test("the time limit of tools is not that of subagents", async () => {
  const gate = Promise.withResolvers<void>();
  const play = { ...DELEGATES, "find it": [{ text: "It is 42.", gate: gate.promise }] };
  await start(play, { tool_settings: { timeout_ms: 1 } });
  const runId = await say("go");
  await reached(async () => ["waiting", "completed"].includes((await rowOf(runId)).status));
  gate.resolve();
  expect(resultsOf(await follow(runId))).toEqual(["It is 42."]);
});
