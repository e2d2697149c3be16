import { expect, test } from "vitest";
import { standardHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { runWith, testConfig } from "@/lib/testing/scripted/run-with";
import { createTestTrace } from "@/lib/testing/scripted/test-trace";
import { historyHook } from "./history";
import { injectContextHook } from "./inject-context";
import { tracingHook } from "./tracing";

const REPORT = { tokensBefore: 90, tokensAfter: 40, leftOut: 0, trimmed: 2, cleared: 1, dropped: 0, added: 0 };
const tracing = tracingHook({ isVerbose: false });

test("what pruning changed is one span of the run and a fact on each model call", async () => {
  const trace = createTestTrace();
  await runWith(["ok"], { trace, hooks: [historyHook(REPORT) ?? [], tracing].flat() });
  expect(trace.spans.map(({ name, type }) => [name, type])).toEqual([
    ["pruning", "hook"],
    ["llm.call", "llm"],
  ]);
  expect(trace.spans[0]?.attributes).toMatchObject({
    results_trimmed: 2,
    results_cleared: 1,
    tokens_before: 90,
    tokens_after: 40,
    estimated: true,
    note: "2 tool results trimmed, 1 tool result cleared",
  });
  expect(trace.spans[1]?.attributes).toMatchObject({ history_trimmed: 2, history_cleared: 1 });
});

test("a later segment does not record it again", async () => {
  const trace = createTestTrace();
  await runWith(["ok"], { trace, segment: 1, hooks: [historyHook(REPORT) ?? []].flat() });
  expect(trace.spans).toEqual([]);
});

test("an unchanged history has no hook", () => {
  expect(historyHook({ ...REPORT, trimmed: 0, cleared: 0 })).toBeNull();
});

test("injected context precedes the conversation in every call and is never stored", async () => {
  const history = [{ role: "user", content: "earlier" } as const];
  const steps = [{ calls: [{ name: "nothing" }] }, "done"];
  const { requests, outcome } = await runWith(steps, {
    history,
    hooks: [injectContextHook("The house has two floors.")],
  });
  for (const { messages } of requests) {
    expect(messages.slice(0, 3).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      "user: The house has two floors.",
      "user: earlier",
      "user: go",
    ]);
  }
  expect(outcome.added.map(({ content }) => content)).not.toContain("The house has two floors.");
});

test("an agent with inject_context has the hook, others do not", () => {
  const namesOf = (config: object) =>
    standardHooks({ config: testConfig(config), workspace: null, fileHistory: null, verboseTrace: false }).map(
      ({ name }) => name,
    );
  expect(namesOf({ inject_context: "x" })).toContain("inject-context");
  expect(namesOf({})).not.toContain("inject-context");
});
