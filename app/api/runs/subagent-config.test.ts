import { expect, test } from "vitest";
import { publishChange } from "@/lib/server/agents/publish-version";
import { processServices } from "@/lib/server/wiring/services";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { DELEGATES, resultsOf, subagentTests, task } from "@/lib/testing/servers/subagent-server";

const { start, use, say, follow, childrenOf } = subagentTests();

const WORKER = { name: "Worker", model: "scripted:m", retries: 0, backend: { type: "state" } };

function publishWorker(config: object): Promise<number> {
  return publishChange(processServices(), "worker", () => ({ ...WORKER, ...config }), { createdById: null });
}

/** Names of the prompt's sections in a run's model calls, once these are recorded. */
async function sectionsOf(runId: string, calls: number): Promise<string[][]> {
  const where = { runId, name: "llm.call", endedAt: { not: null } };
  const { database } = use().server;
  await reached(async () => (await database.span.count({ where })) === calls);
  const spans = await database.span.findMany({ where });
  return spans.map(({ attributes }) => JSON.parse(attributes).system_sections as string[]);
}

test("a subagent whose agent has the full prompt gets the minimal one, where its parent gets the full", async () => {
  await start(DELEGATES, { prompt: { mode: "full" } });
  await publishWorker({ prompt: { mode: "full" } });
  const runId = await say("go");
  await follow(runId);
  const [child] = await childrenOf(runId);
  const [parents] = await sectionsOf(runId, 2);
  const [own] = await sectionsOf(child?.id ?? "", 1);
  expect(parents).toEqual(expect.arrayContaining(["safety", "user", "silent_replies", "subagents"]));
  expect(own).toEqual(expect.arrayContaining(["safety", "runtime"]));
  for (const section of ["user", "silent_replies"]) expect(own).not.toContain(section);
});

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
])("with its own max_iterations %i a subagent that needs two model calls makes %i", async (max_iterations, calls) => {
  const looks = { calls: [{ name: "ls", args: { path: "." } }] };
  await start({ go: [{ calls: [task("look")] }, { text: "Done." }], look: [looks, { text: "Nothing there." }] });
  await publishWorker({ max_iterations });
  const runId = await say("go");
  const [result] = resultsOf(await follow(runId));
  const [child] = await childrenOf(runId);
  expect(child).toMatchObject({ steps: calls, status: max_iterations === 1 ? "limit" : "completed" });
  const limit = "[The subagent reached its limit before it had finished.]";
  expect(String(result)).toContain(max_iterations === 1 ? limit : "Nothing there.");
});
