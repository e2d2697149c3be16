import { expect, test } from "vitest";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { ModelPort, SentChanges } from "@/lib/agent/model";
import { RunCancelled } from "@/lib/agent/run-cancelled";
import type { ScriptedStep } from "@/lib/models/scripted-model";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { runWith, type TestRun } from "@/lib/testing/scripted/run-with";
import { actionTool, echoTool } from "@/lib/testing/scripted/test-tools";
import { createTestTrace } from "@/lib/testing/scripted/test-trace";
import { tracingHook } from "./tracing";

async function traced(steps: readonly ScriptedStep[], run: TestRun & { isVerbose?: boolean } = {}) {
  const trace = createTestTrace();
  const hooks = [tracingHook({ isVerbose: run.isVerbose ?? false }), ...(run.hooks ?? [])];
  await runWith(steps, { tools: [echoTool()], ...run, hooks, trace });
  return trace.spans;
}

test("a model call has a span with its input and output", async () => {
  const usage = { inputTokens: 12, cachedReadTokens: 4, outputTokens: 5 };
  const [span] = await traced([{ text: "x".repeat(600), usage, costUsd: 0.25 }]);
  expect(span).toMatchObject({ name: "llm.call", type: "llm", status: "completed", error: null });
  expect(span?.attributes).toMatchObject({
    step: 1,
    model: "scripted:test",
    provider: "scripted",
    message_count: 1,
    content_length: 600,
    content_preview: "x".repeat(500),
    tool_calls_count: 0,
    tool_call_names: [],
    input_tokens: 12,
    cached_read_tokens: 4,
    output_tokens: 5,
    cost_usd: 0.25,
    time_to_first_token_ms: 0,
  });
});

test("a tool call has a span with its arguments and a preview of its output", async () => {
  const text = "y".repeat(600);
  const spans = await traced([{ calls: [{ name: "echo", id: "c1", args: { text } }] }, "ok"]);
  expect(spans.map((span) => span.name)).toEqual(["llm.call", "tool.call", "llm.call"]);
  expect(spans[1]).toMatchObject({ type: "tool", status: "completed" });
  expect(spans[1]?.attributes).toMatchObject({
    step: 1,
    tool_name: "echo",
    tool_call_id: "c1",
    tool_args: JSON.stringify({ text }),
    is_error: false,
    output_length: 605,
    output_preview: `echo ${text}`.slice(0, 500),
  });
});

test("what a tool says to the user is on its span, apart from what the model reads", async () => {
  const tool = actionTool("weather", async () => ({ output: "18 C", forUser: "It is 18 degrees." }));
  const [, span] = await traced([{ calls: [{ name: "weather" }] }, "ok"], { tools: [tool] });
  expect(span?.attributes).toMatchObject({ output_preview: "18 C", for_user: "It is 18 degrees." });
});

test("the first call names the texts of its prompt by hash, later ones only those that changed", async () => {
  const trace = createTestTrace();
  const hooks = [tracingHook({ isVerbose: false })];
  await runWith([{ calls: [{ name: "echo", args: { text: "x" } }] }, "ok"], { tools: [echoTool()], hooks, trace });
  const sections = trace.spans.flatMap(({ name, attributes }) => (name === "llm.call" ? [attributes.sections] : []));
  expect(sections).toEqual([[{ name: "identity", tokens: 3, estimated: true, hash: "text_0" }], undefined]);
  expect(trace.texts.slice(0, 2)).toEqual(["You are a test.", expect.stringContaining('"name":"echo"')]);
});

test("a model call names the call before it and only the messages that are new", async () => {
  const spans = await traced([{ calls: [{ name: "echo", args: { text: "x" } }] }, "ok"]);
  const [first, second] = spans.filter(({ name }) => name === "llm.call").map(({ attributes }) => attributes);
  expect(first).toMatchObject({ base_call: null, message_hashes: ["message_0"], reply_hash: "message_1" });
  expect(second).toMatchObject({ base_call: "span_1", kept_messages: 2, message_hashes: ["message_2"] });
});

test("what is recorded is what leaves the last ring", async () => {
  const rewrite: Hook = {
    name: "rewrite",
    wrapModelCall: (request, next) =>
      next({
        ...request,
        system: [{ name: "other", text: "Another prompt." }],
        messages: [{ role: "user", content: "Rewritten" }],
      }),
  };
  const trace = createTestTrace();
  await runWith(["ok"], { hooks: [tracingHook({ isVerbose: false }), rewrite], trace });
  expect(trace.spans[0]?.attributes).toMatchObject({ sections: [{ name: "other" }], message_hashes: ["message_0"] });
  expect([trace.texts[0], trace.messages[0]]).toEqual(["Another prompt.", { role: "user", content: "Rewritten" }]);
});

test("what the provider was sent otherwise is on the span, as of the last attempt", async () => {
  const told: SentChanges[] = [
    { left_out: { pictures: ["a.png"], tools: [] }, rewritten: { turns_merged: 2 } },
    { left_out: { pictures: [], tools: ["ls"] }, rewritten: { turns_merged: 0, system_as: null } },
  ];
  const wrapModel = (model: ModelPort): ModelPort => ({
    ...model,
    call(request, options) {
      for (const changes of told.splice(0)) options.onSent?.(changes);
      return model.call(request, options);
    },
  });
  const [first, , second] = await traced([{ calls: [{ name: "echo", args: { text: "x" } }] }, "ok"], { wrapModel });
  expect(first?.attributes).toMatchObject({ left_out: { tools: ["ls"] }, rewritten: null });
  expect(second?.attributes).not.toHaveProperty("left_out");
});

test("when a ring answers in the model's place, the span says that nothing was sent", async () => {
  const reply: ModelReply = {
    content: "From the cache.",
    reasoning: [],
    toolCalls: [],
    finishReason: "stop",
    usage: NO_USAGE,
    model: "cache",
    timeToFirstTokenMs: null,
  };
  const cache: Hook = { name: "cache", wrapModelCall: async () => reply };
  const [span] = await traced(["never asked"], { hooks: [cache] });
  expect(span?.attributes).toMatchObject({ kept_messages: 0, message_hashes: [], reply_hash: "message_0" });
});

test("an error result ends the span as failed with its text", async () => {
  const spans = await traced([{ calls: [{ name: "fly" }] }, "ok"]);
  const failed = { status: "failed", error: "unknown tool: fly", attributes: { is_error: true } };
  expect(spans[1]).toMatchObject(failed);
});

test("a failed model call ends its span as failed", async () => {
  const [span] = await traced([{ error: new Error("overloaded") }]);
  expect(span).toMatchObject({ status: "failed", error: "LLM call: overloaded" });
});

test("of an error of a megabyte, the spans of the call and of its attempt keep the beginning", async () => {
  const message = "x".repeat(1_000_000);
  const failedAttempt = { error: { code: "model_failed", message } };
  const spans = await traced([{ error: new Error(message), failedAttempt }]);
  expect(spans.map(({ name, error }) => [name, (error ?? "").length < 21_000])).toEqual([
    ["llm.call", true],
    ["llm.attempt", true],
  ]);
});

test("a failed attempt has a span of its own below the call that repeats it", async () => {
  const error = { code: "model_failed", message: "429" };
  const spans = await traced([{ text: "ok", failedAttempt: { error } }]);
  expect(spans[1]).toMatchObject({
    name: "llm.attempt",
    parentId: "span_1",
    status: "failed",
    error: "429",
    startedAtMs: 0,
  });
  expect(spans[1]?.attributes).toMatchObject({ attempt: 1, next_model: "scripted:test" });
});

test("a call that is cut off records the text so far and when it began; a silent one records neither", async () => {
  const controller = new AbortController();
  const spans = await traced([{ text: "half an answer", gateAfterText: new Promise(() => undefined) }], {
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === "text.delta" && event.delta.includes("answer")) controller.abort(new RunCancelled("user_1"));
    },
  });
  const cut = spans.find(({ status }) => status === "cancelled");
  expect(cut?.attributes).toMatchObject({ content_preview: "half an answer", content_length: 14 });
  expect(cut?.attributes.time_to_first_token_ms).toBeGreaterThan(0);
  const [silent] = await traced([{ error: new Error("overloaded") }]);
  expect(silent?.attributes).not.toHaveProperty("time_to_first_token_ms");
  expect(silent?.attributes).not.toHaveProperty("content_preview");
});

test("a cancelled call ends its span as cancelled", async () => {
  const controller = new AbortController();
  const stuck = actionTool("stuck", (_, { signal }) => {
    queueMicrotask(() => controller.abort(new RunCancelled("user_1")));
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  });
  const spans = await traced([{ calls: [{ name: "stuck" }] }], { tools: [stuck], signal: controller.signal });
  expect(spans[1]).toMatchObject({ name: "tool.call", status: "cancelled" });
});

test("a span keeps its input only when verbose", async () => {
  const quiet = await traced(["ok"], { input: [{ role: "user", content: "my secret" }] });
  expect(JSON.stringify(quiet)).not.toContain("my secret");
  const input = [{ role: "user" as const, content: `my secret ${"z".repeat(60_000)}` }];
  const [span] = await traced(["ok"], { input, isVerbose: true, config: { max_message_chars: 100_000 } });
  expect(span?.attributes.input).toContain("my secret");
  expect(span?.attributes.input).toHaveLength(50_000);
});

test("arguments over 50,000 characters are cut", async () => {
  const spans = await traced([{ calls: [{ name: "echo", args: { text: "w".repeat(60_000) } }] }, "ok"]);
  expect(spans[1]?.attributes.tool_args).toHaveLength(50_000);
});

test("a call that is left pending ends its span as waiting", async () => {
  const asks = {
    name: "asks",
    wrapToolCall: async (call: { id: string }) => ({
      kind: "pending" as const,
      toolCallId: call.id,
      reason: "approval" as const,
    }),
  };
  const spans = await traced([{ calls: [{ name: "echo", args: { text: "a" } }] }], { hooks: [asks] });
  expect(spans[1]).toMatchObject({ status: "waiting", attributes: { waiting_for: "approval" } });
});

test("without a trace the run passes through unchanged", async () => {
  const { outcome } = await runWith(["ok"], { hooks: [tracingHook({ isVerbose: true })] });
  expect(outcome.response).toBe("ok");
});
