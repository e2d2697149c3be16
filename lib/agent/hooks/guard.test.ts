import { expect, test } from "vitest";
import { RunSuspended } from "@/lib/agent/run-cancelled";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import { type Guard, guardHook } from "./guard";

const oneCall = { calls: [{ name: "echo", args: { text: "a" } }] };

async function runGuarded(...guards: Guard[]) {
  const runs: string[] = [];
  const hooks = guards.map((guard, index) => guardHook(`guard-${index + 1}`, guard));
  const run = await runWith([oneCall, "done"], { tools: [echoTool({ runs })], hooks });
  const result = run.outcome.added[2];
  return { ...run, runs, result };
}

test("a denied call never runs and the model reads why", async () => {
  const { runs, result } = await runGuarded({
    preToolUse: async () => ({ verdict: "deny", message: "Not on Sundays." }),
  });
  expect(runs).toEqual([]);
  expect(result).toMatchObject({ isError: true, content: "Not on Sundays." });
});

test.each(["allow", "continue"] as const)("a call with the verdict %s runs", async (verdict) => {
  const { runs } = await runGuarded({ preToolUse: async () => ({ verdict }) });
  expect(runs).toEqual(["a"]);
});

test("an ask leaves the call pending for a person", async () => {
  const { runs, outcome, events } = await runGuarded({
    preToolUse: async () => ({ verdict: "ask", message: "Costs money." }),
  });
  expect([runs, outcome.status, outcome.waitingFor]).toEqual([[], "waiting", ["approval"]]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: "approval.requested", tool: "echo", args: { text: "a" }, reason: "Costs money." }),
  );
});

test("an allow settles an inner guard's ask, not its denial", async () => {
  const allow: Guard = { preToolUse: async () => ({ verdict: "allow" }) };
  const asks = await runGuarded(allow, { preToolUse: async () => ({ verdict: "ask" }) });
  const denies = await runGuarded(allow, { preToolUse: async () => ({ verdict: "deny", message: "no" }) });
  expect([asks.runs, denies.runs]).toEqual([["a"], []]);
});

test("a throw in preToolUse denies the call", async () => {
  const { runs, result } = await runGuarded({
    preToolUse: async () => {
      throw new Error("rules are gone");
    },
  });
  expect(runs).toEqual([]);
  expect(result?.content).toBe("hook guard-1 pre_tool_use: rules are gone");
});

test("a throw in postToolUse is logged and the result is kept", async () => {
  const { result, logLines } = await runGuarded({
    postToolUse: async () => {
      throw new Error("no space");
    },
  });
  expect(result).toMatchObject({ content: "echo a" });
  expect(logLines).toEqual(["error hook guard-1 post_tool_use: no space"]);
});

test("a guard sees the tool, the call and the result", async () => {
  const seen: unknown[] = [];
  await runGuarded({
    preToolUse: async ({ tool, call }) => {
      seen.push(tool?.annotations, call.args);
      return { verdict: "continue" };
    },
    postToolUse: async ({ result }) => void seen.push(result.output),
  });
  expect(seen).toEqual([{ readOnly: true }, { text: "a" }, "echo a"]);
});

test("preGeneration may refuse the run, postGeneration sees its outcome", async () => {
  const statuses: string[] = [];
  const { outcome } = await runGuarded({
    preGeneration: async () => {
      throw new Error("closed");
    },
    postGeneration: async ({ outcome }) => void statuses.push(outcome.status),
  });
  expect(outcome.error?.message).toBe("hook guard-1 before_agent: closed");
  expect(statuses).toEqual(["failed"]);
});

test("preGeneration may change the system prompt and the messages that every call of the run starts from", async () => {
  const inject: Guard = {
    preGeneration: async ({ state }) => {
      state.systemPrompt += " Speak French.";
      state.messages.unshift({ role: "user", content: "context" });
    },
  };
  const { requests, outcome } = await runGuarded(inject);
  for (const request of requests)
    expect(request.system).toEqual([{ name: "identity", text: "You are a test. Speak French." }]);
  expect(requests[1]?.messages.map((message) => message.content)).toEqual(["context", "go", "", "echo a"]);
  expect(outcome.added.map((message) => message.content)).toEqual(["go", "", "echo a", "done"]);
});

test("the guards of a run see each other's changes in list order", async () => {
  const seen: string[] = [];
  const add = (text: string): Guard => ({
    preGeneration: async ({ state }) => {
      seen.push(state.systemPrompt);
      state.systemPrompt = `${state.systemPrompt} ${text}`;
    },
  });
  const { requests } = await runGuarded(add("one"), add("two"));
  expect(seen).toEqual(["You are a test.", "You are a test. one"]);
  expect(requests.map((request) => request.system[0]?.text)).toEqual(Array(2).fill("You are a test. one two"));
});

test("a pre hook cut off by the end of its process denies nothing", async () => {
  const preToolUse = async () => {
    throw new RunSuspended("moved on");
  };
  await expect(runGuarded({ preToolUse })).rejects.toThrow("moved on");
});
