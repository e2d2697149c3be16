import { expect, test } from "vitest";
import { runWith, type TestRun } from "@/lib/testing/scripted/run-with";
import { actionTool, echoTool } from "@/lib/testing/scripted/test-tools";

const echo = echoTool();

async function resultsOf(calls: readonly object[], run: TestRun) {
  const { outcome, ...rest } = await runWith([{ calls: calls as never }, "done"], run);
  const results = outcome.added.flatMap((message) => (message.role === "tool" ? [message] : []));
  return { results, outcome, ...rest };
}

test("an unknown tool is an error result and the run continues", async () => {
  const { results, outcome } = await resultsOf([{ name: "fly", args: {} }], { tools: [echo] });
  expect(results[0]).toMatchObject({ content: "unknown tool: fly", isError: true });
  expect(outcome.status).toBe("completed");
});

test("no duration is negative when the clock is set back", async () => {
  let now = 1_000_000;
  const { events } = await resultsOf([{ name: "echo", args: { text: "x" } }], {
    tools: [echo],
    now: () => {
      now -= 60_000;
      return now;
    },
  });
  const took = events.flatMap((event) => ("durationMs" in event ? [event.durationMs] : []));
  expect(took).toEqual([0, 0, 0]);
});

test("arguments that are not a JSON object give an error result that says so", async () => {
  const { results } = await resultsOf([{ name: "echo", rawArgs: "{text:" }], { tools: [echo] });
  expect(results[0]).toMatchObject({ isError: true, content: expect.stringContaining("not a JSON object") });
});

test("arguments nested 100,000 levels deep are an error result, not a crash", async () => {
  const rawArgs = `{"text":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const { results, events } = await resultsOf([{ name: "echo", rawArgs }], { tools: [echo] });
  expect(results[0]?.content).toContain("nested more than 200 levels deep");
  expect(() => JSON.stringify(events)).not.toThrow();
});

test("a wrong argument is an error result that names the field", async () => {
  const { results } = await resultsOf([{ name: "echo", args: { text: 7 } }], { tools: [echo] });
  expect(results[0]?.content).toMatch(/^invalid arguments: text: /);
});

test("aliases of tools and arguments are resolved, and unknown arguments are ignored", async () => {
  const { results, events } = await resultsOf([{ name: "Echo", args: { words: "hi", loud: true } }], { tools: [echo] });
  expect(results[0]).toMatchObject({ content: "echo hi", name: "echo" });
  expect(events.find((event) => event.type === "tool.call")).toMatchObject({ call: { name: "echo" } });
});

test("an argument's name wins over its alias", async () => {
  const { results } = await resultsOf([{ name: "echo", args: { words: "no", text: "yes" } }], { tools: [echo] });
  expect(results[0]?.content).toBe("echo yes");
});

test("a registered tool wins over an alias of the same name", async () => {
  const other = echoTool({ name: "Echo" });
  const { results } = await resultsOf([{ name: "Echo", args: { text: "x" } }], { tools: [echo, other] });
  expect(results[0]?.name).toBe("Echo");
});

test("a hook's tool wins over the agent's of the same name", async () => {
  const hookTool = actionTool("echo", async () => "from the hook");
  const hook = {
    name: "own",
    beforeAgent: async (context: { registerTool(tool: typeof echo): void }) => context.registerTool(hookTool),
  };
  const { results } = await resultsOf([{ name: "echo", args: {} }], { tools: [echo], hooks: [hook] });
  expect(results[0]?.content).toBe("from the hook");
});

test("what a tool throws is its error result", async () => {
  const broken = actionTool("broken", async () => {
    throw new Error("the disk is on fire");
  });
  const { results, events } = await resultsOf([{ name: "broken" }], { tools: [broken] });
  expect(results[0]).toMatchObject({ content: "the disk is on fire", isError: true });
  expect(events.find((event) => event.type === "tool.result")).toMatchObject({ result: { output: "" } });
});

test("a tool that takes too long is stopped by its signal and reported", async () => {
  let wasTold = false;
  const slow = actionTool(
    "slow",
    (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          wasTold = true;
          reject(signal.reason);
        });
      }),
  );
  const { results } = await resultsOf([{ name: "slow" }], {
    tools: [slow],
    config: { tool_settings: { timeout_ms: 5 } },
  });
  expect(results[0]?.content).toContain("slow did not finish within 5 ms");
  expect(wasTold).toBe(true);
});

test("repeated call ids in a reply are made unique, also in the stream", async () => {
  const calls = ["a", "b"].map((text) => ({ name: "echo", id: "same", args: { text } }));
  const { events, results } = await resultsOf(calls, { tools: [echo] });
  const announced = events.flatMap((event) => (event.type === "tool.input" ? [event.toolCallId] : []));
  expect(new Set(announced).size).toBe(2);
  expect(results.map((message) => message.toolCallId)).toEqual(announced);
  expect(results.map((message) => message.content)).toEqual(["echo a", "echo b"]);
});

test("an id already in the thread's history is made unique", async () => {
  const earlier = { id: "call_1", name: "echo", args: {}, rawArgs: "{}" };
  const history = [{ role: "assistant" as const, content: "", toolCalls: [earlier] }];
  const { results } = await resultsOf([{ name: "echo", id: "call_1", args: { text: "a" } }], {
    tools: [echo],
    history,
  });
  expect(results[0]?.toolCallId).toBe("call_new_1");
});

test("at most max_parallel calls run at once, and later ones write their intent before they start", async () => {
  let running = 0;
  let most = 0;
  const busy = actionTool("busy", async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return "ok";
  });
  const calls = Array.from({ length: 5 }, () => ({ name: "busy" }));
  const { events, commits } = await resultsOf(calls, { tools: [busy], config: { tool_settings: { max_parallel: 2 } } });
  expect(most).toBe(2);
  const intents = events.flatMap((event) =>
    event.type === "tool.intent" || event.type === "tool.result" ? [event.type] : [],
  );
  expect(intents.slice(0, 3)).toEqual(["tool.intent", "tool.result", "tool.intent"]);
  expect(commits).toHaveLength(1 + 3 + 1 + 1);
});

test("200 calls of one reply all get a result, in order", async () => {
  const calls = Array.from({ length: 200 }, (_, index) => ({ name: "echo", args: { text: String(index) } }));
  const { results } = await resultsOf(calls, { tools: [echo] });
  expect(results.map((message) => message.content)).toEqual(calls.map((_, index) => `echo ${index}`));
});

test("a pending call lets its siblings finish and ends the segment as waiting", async () => {
  const asks = {
    name: "asks",
    wrapToolCall: async (call: { id: string; args: Record<string, unknown> }, next: (call: never) => Promise<never>) =>
      call.args.text === "b"
        ? { kind: "pending" as const, toolCallId: call.id, reason: "approval" as const }
        : next(call as never),
    afterAgent: () => expect.unreachable("the run has not ended"),
  };
  const calls = ["a", "b", "c"].map((text) => ({ name: "echo", args: { text } }));
  const { outcome, events } = await runWith([{ calls }], { tools: [echo], hooks: [asks] });
  expect(outcome.status).toBe("waiting");
  expect(events.flatMap((event) => (event.type === "tool.result" ? [event.result.output] : []))).toEqual([
    "echo a",
    "echo c",
  ]);
  expect(events.filter((event) => event.type === "tool.pending")).toMatchObject([{ reason: "approval" }]);
});

test("the third identical failure tells the model, the sixth ends the run with the reason", async () => {
  const steps = Array.from({ length: 10 }, () => ({ calls: [{ name: "fly", args: { to: "moon" } }] }));
  const { outcome, requests } = await runWith(steps);
  expect(requests).toHaveLength(6);
  expect(outcome.status).toBe("limit");
  expect(outcome.notice).toContain("failed 6 times with the same error: unknown tool: fly");
  const errors = outcome.added.flatMap((message) => (message.role === "tool" ? [message.content] : []));
  expect(errors[1]).toBe("unknown tool: fly");
  expect(errors[2]).toContain("has now failed 3 times");
});

test("the loop guard can be disabled", async () => {
  const steps = [...Array.from({ length: 7 }, () => ({ calls: [{ name: "fly" }] })), "gave up"];
  const { outcome } = await runWith(steps, { config: { loop_guard: { enabled: false } } });
  expect(outcome.status).toBe("completed");
});

test("a result never contains NUL or lone surrogates", async () => {
  const dirty = actionTool("dirty", async () => "a\0b\ud800c");
  const { results } = await resultsOf([{ name: "dirty" }], { tools: [dirty] });
  expect(results[0]?.content).toBe("ab\ufffdc");
});
