import { expect, test } from "vitest";
import { AppError } from "@/lib/schema/app-error";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import type { Hook } from "./hook";

const echo = echoTool();
const oneCall = { calls: [{ name: "echo", args: { text: "a" } }] };

/** A hook that records when each of its phases runs. */
function recording(name: string, path: string[]): Hook {
  const note = (text: string) => void path.push(text);
  return {
    name,
    beforeAgent: async () => note(`${name} before`),
    modifyRequest: async (request) => {
      note(`${name} modify`);
      return { ...request, system: [...request.system, { name, text: name }] };
    },
    wrapModelCall: async (request, next) => {
      note(`${name} model>`);
      const reply = await next(request);
      note(`<model ${name}`);
      return reply;
    },
    wrapToolCall: async (call, next) => {
      note(`${name} tool>`);
      const outcome = await next(call);
      note(`<tool ${name}`);
      return outcome;
    },
    afterAgent: async () => note(`${name} after`),
  };
}

test("before, modify and after run in list order; the rings nest with the first hook outermost", async () => {
  const path: string[] = [];
  await runWith([oneCall, "done"], { tools: [echo], hooks: [recording("A", path), recording("B", path)] });
  const model = ["A modify", "B modify", "A model>", "B model>", "<model B", "<model A"];
  const tool = ["A tool>", "B tool>", "<tool B", "<tool A"];
  expect(path).toEqual(["A before", "B before", ...model, ...tool, ...model, "A after", "B after"]);
});

test("what modifyRequest adds is in each request once and never in the history", async () => {
  const { requests, outcome } = await runWith([oneCall, "done"], { tools: [echo], hooks: [recording("A", [])] });
  for (const request of requests) expect(request.system.map((section) => section.name)).toEqual(["identity", "A"]);
  expect(outcome.added.some((message) => message.role === "system")).toBe(false);
});

const failing = (phase: "beforeAgent" | "modifyRequest" | "wrapModelCall"): Hook => ({
  name: "bad",
  [phase]: async () => {
    throw new Error("boom");
  },
});

test.each([
  ["beforeAgent", "before_agent"],
  ["modifyRequest", "modify_request"],
  ["wrapModelCall", "wrap_model_call"],
] as const)("a throw in %s fails the run and names the hook", async (phase, wire) => {
  const { outcome } = await runWith(["unused"], { hooks: [failing(phase)] });
  expect(outcome).toMatchObject({
    status: "failed",
    error: { code: "hook_failed", message: `hook bad ${wire}: boom` },
  });
});

test("a synchronous throw is attributed in the same way", async () => {
  const hook: Hook = {
    name: "bad",
    beforeAgent: () => {
      throw new Error("boom");
    },
  };
  const { outcome } = await runWith(["unused"], { hooks: [hook] });
  expect(outcome.error?.message).toBe("hook bad before_agent: boom");
});

test("a model failure that passes through the rings is not attributed to a hook", async () => {
  const error = new AppError("timeout", "No answer within 10 minutes.");
  const { outcome } = await runWith([{ error }], { hooks: [recording("A", []), recording("B", [])] });
  expect(outcome.error).toEqual({ code: "timeout", message: "LLM call: No answer within 10 minutes." });
});

test("an outer ring may catch what an inner one throws and answer in the model's place", async () => {
  const fallback: Hook = {
    name: "fallback",
    wrapModelCall: (request, next) => next(request).catch(() => ({ ...emptyReply, content: "Sorry." })),
  };
  const { outcome, events } = await runWith([{ error: new AppError("model_failed", "down") }], { hooks: [fallback] });
  expect(outcome).toMatchObject({ status: "completed", response: "Sorry." });
  expect(events.filter((event) => event.type === "text.delta")).toMatchObject([{ delta: "Sorry." }]);
});

test("a ring that calls the model again voids what was streamed", async () => {
  const twice: Hook = {
    name: "twice",
    wrapModelCall: async (request, next) => {
      await next(request);
      return next(request);
    },
  };
  const { events, outcome } = await runWith(["First.", "Second."], { hooks: [twice] });
  expect(outcome.response).toBe("Second.");
  expect(events.map((event) => event.type)).toEqual([
    "model.started",
    "text.delta",
    "step.reset",
    "text.delta",
    "model.completed",
  ]);
});

test("a ring that changes the text makes the stream show the text that counts", async () => {
  const shout: Hook = {
    name: "shout",
    wrapModelCall: async (request, next) => {
      const reply = await next(request);
      return { ...reply, content: reply.content.toUpperCase() };
    },
  };
  const { events } = await runWith(["quiet"], { hooks: [shout] });
  expect(events.slice(1, -1)).toEqual([
    { type: "text.delta", step: 1, delta: "quiet" },
    { type: "step.reset", step: 1 },
    { type: "text.delta", step: 1, delta: "QUIET" },
  ]);
});

test("a throw in wrapToolCall is the tool's error result", async () => {
  const hook: Hook = {
    name: "bad",
    wrapToolCall: async () => {
      throw new Error("boom");
    },
  };
  const { outcome } = await runWith([oneCall, "done"], { tools: [echo], hooks: [hook] });
  expect(outcome.added[2]).toMatchObject({ role: "tool", isError: true, content: "hook bad wrap_tool_call: boom" });
});

test("a throw in afterAgent is logged and the answer is kept", async () => {
  const hook: Hook = {
    name: "bad",
    afterAgent: async () => {
      throw new Error("boom");
    },
  };
  const { outcome, logLines } = await runWith(["fine"], { hooks: [hook] });
  expect(outcome).toMatchObject({ status: "completed", response: "fine" });
  expect(logLines).toEqual(["error hook bad after_agent: boom"]);
});

test("hooks of one run share values", async () => {
  const seen: unknown[] = [];
  const writer: Hook = { name: "writer", beforeAgent: async ({ values }) => void values.set("topic", "boats") };
  const reader: Hook = { name: "reader", afterAgent: async (_, { values }) => void seen.push(values.get("topic")) };
  await runWith(["ok"], { hooks: [writer, reader] });
  expect(seen).toEqual(["boats"]);
});

const emptyReply = {
  content: "",
  reasoning: [],
  toolCalls: [],
  finishReason: "stop" as const,
  usage: { inputTokens: 0, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 },
  model: "fallback:none",
  timeToFirstTokenMs: null,
};
