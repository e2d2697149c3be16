import { expect, test } from "vitest";
import type { ScriptedReply } from "@/lib/models/scripted-model";
import type { ToolMessage } from "@/lib/schema/messages/message";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";

const echo = echoTool();
const call = (text: string) => ({ name: "echo", args: { text } });

test("a reply without tool calls ends the run with its text", async () => {
  const { outcome, events } = await runWith(["Hello there."]);
  expect(outcome).toMatchObject({ status: "completed", response: "Hello there.", steps: 1 });
  expect(outcome.notice).toBeUndefined();
  expect(outcome.added.map((message) => message.role)).toEqual(["user", "assistant"]);
  expect(events.map((event) => event.type)).toEqual(["model.started", "text.delta", "text.delta", "model.completed"]);
});

test("tool results reach the model in call order", async () => {
  const { outcome, requests } = await runWith([{ calls: [call("a"), call("b")] }, "done"], { tools: [echo] });
  expect(outcome.status).toBe("completed");
  const results = requests[1]?.messages.filter((message): message is ToolMessage => message.role === "tool");
  expect(results?.map((message) => message.content)).toEqual(["echo a", "echo b"]);
});

test("a tool that only reads does not wait until the reply and its intent are stored; the next step waits for the results", async () => {
  const { commits, events } = await runWith([{ calls: [call("a")] }, "done"], { tools: [echo] });
  expect(commits).toEqual(["aside", "normal", "normal"]);
  expect(events.map((event) => event.type)).toEqual([
    "model.started",
    "tool.input",
    "model.completed",
    "tool.call",
    "tool.intent",
    "tool.result",
    "model.started",
    "text.delta",
    "model.completed",
  ]);
});

test("the arguments of a call that writes a file are emitted as they come, others are not", async () => {
  const write = { ...echoTool({ name: "write" }), kind: "edit" } as const;
  const { events } = await runWith(
    [
      {
        calls: [
          { name: "write", args: { text: "x" }, id: "w" },
          { ...call("a"), id: "e" },
        ],
      },
      "done",
    ],
    {
      tools: [write, echo],
      wrapModel: (model) => ({
        ...model,
        call: (request, options) =>
          model.call(request, {
            ...options,
            onToolInput(id, name) {
              options.onToolInput?.(id, name);
              for (const delta of ['{"text":', '"x"}']) options.onToolInputDelta?.(id, delta);
            },
          }),
      }),
    },
  );
  const deltas = events.filter((event) => event.type === "tool.delta");
  const writing = events.find((event) => event.type === "tool.input" && event.name === "write");
  expect(deltas.map(({ delta }) => delta).join("")).toBe('{"text":"x"}');
  expect(new Set(deltas.map(({ toolCallId }) => toolCallId))).toEqual(
    new Set([writing?.type === "tool.input" ? writing.toolCallId : ""]),
  );
});

test("intents and results of a tool that changes something are committed to disk", async () => {
  const write = echoTool({ name: "write", annotations: { idempotent: true } });
  const steps = [{ calls: [{ name: "write", args: { text: "x" } }] }, "done"];
  const { commits } = await runWith(steps, { tools: [write] });
  expect(commits).toEqual(["full", "full", "normal"]);
});

test("history and a client's system messages are sent, the latter after the agent's own text", async () => {
  const { requests } = await runWith(["ok"], {
    history: [
      { role: "user", content: "earlier" },
      { role: "assistant", content: "yes", toolCalls: [] },
    ],
    input: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "now" },
    ],
  });
  expect(requests[0]?.messages.map((message) => message.content)).toEqual(["earlier", "yes", "now"]);
  expect(requests[0]?.system.map((section) => section.text)).toEqual(["You are a test.", "Be brief."]);
});

test("a user message over the limit is sent shortened with a notice and stored unchanged", async () => {
  const input = [{ role: "user" as const, content: "x".repeat(50) }];
  const { requests, outcome } = await runWith(["ok"], { input, config: { max_message_chars: 20 } });
  expect(requests[0]?.messages[0]?.content).toBe(
    `${"x".repeat(20)}\n\n[This message was shortened: it has 50 characters, of which you see the first 20.]`,
  );
  expect(outcome.added[0]?.content).toHaveLength(50);
});

const threeSteps = [1, 2, 3].map((n) => ({ text: `step ${n}`, calls: [call(String(n))] }));

test("the model is called exactly max_iterations times, then the run ends with a notice", async () => {
  const { outcome, requests } = await runWith(threeSteps, { tools: [echo], config: { max_iterations: 3 } });
  expect(requests).toHaveLength(3);
  expect(outcome).toMatchObject({ status: "limit", steps: 3, response: "step 3" });
  expect(outcome.notice).toContain("3 model calls");
  expect(outcome.added.at(-1)).toMatchObject({ role: "tool", content: "echo 3" });
});

test("with final_answer there is one more call without tools, and the status is still limit", async () => {
  const { outcome, requests } = await runWith([...threeSteps, "All I found."], {
    tools: [echo],
    config: { max_iterations: 3, on_limit: "final_answer" },
  });
  expect(requests).toHaveLength(4);
  expect(requests[3]).toMatchObject({ tools: [] });
  expect(outcome).toMatchObject({ status: "limit", response: "All I found." });
});

test("tool calls in the final answer are dropped", async () => {
  const { outcome, events } = await runWith([threeSteps[0] ?? "", { text: "So.", calls: [call("again")] }], {
    tools: [echo],
    config: { max_iterations: 1, on_limit: "final_answer" },
  });
  expect(outcome.added.at(-1)).toMatchObject({ role: "assistant", content: "So.", toolCalls: [] });
  expect(events.filter((event) => event.type === "tool.call")).toHaveLength(1);
  expect(events.some((event) => event.type === "step.reset")).toBe(true);
});

test.each<[string, ScriptedReply, string, string]>([
  ["an empty reply", { text: "" }, "empty", "without writing an answer"],
  ["a reply cut at max_tokens", { text: "", finishReason: "length" }, "empty", "output limit"],
  ["a filtered reply", { text: "", finishReason: "content-filter" }, "withheld", "content filter"],
])("%s completes with a notice of its own and no empty message", async (_, reply, noticeKind, notice) => {
  const { outcome } = await runWith([reply]);
  expect(outcome).toMatchObject({ status: "completed", response: "", noticeKind });
  expect(outcome.notice).toContain(notice);
  expect(outcome.added).toHaveLength(1);
});

test("an answer cut by max_tokens is kept, and a notice says that it stops in the middle", async () => {
  const { outcome } = await runWith([{ text: "Half an ans", finishReason: "length" }], { config: { max_tokens: 100 } });
  expect(outcome).toMatchObject({ status: "completed", response: "Half an ans", noticeKind: "cut" });
  expect(outcome.notice).toContain("max_tokens: 100");
  expect(outcome.added).toHaveLength(2);
});

test("an answer that the provider's filter stops is kept, and a notice says so", async () => {
  const { outcome } = await runWith([{ text: "Half an ans", finishReason: "content-filter" }]);
  expect(outcome).toMatchObject({ status: "completed", response: "Half an ans", noticeKind: "withheld" });
  expect(outcome.notice).toContain("withheld the answer or a part of it");
  expect(outcome.added).toHaveLength(2);
});

test("the agent's default response replaces the built-in sentence", async () => {
  const { outcome } = await runWith([{ text: "" }], { config: { default_response: "Nothing to say." } });
  expect(outcome).toMatchObject({
    defaultResponse: "Nothing to say.",
    notice: expect.stringContaining("without writing an answer"),
  });
});

test("usage is the sum of all model calls", async () => {
  const usage = { inputTokens: 10, outputTokens: 3 };
  const steps = [
    { calls: [call("a")], usage },
    { text: "done", usage },
  ];
  const { outcome } = await runWith(steps, { tools: [echo] });
  expect(outcome.usage).toMatchObject({ inputTokens: 20, outputTokens: 6 });
});

test("a model failure fails the run with a sentence for people and keeps the finished steps", async () => {
  const { outcome } = await runWith([{ calls: [call("a")] }], { tools: [echo] });
  expect(outcome.status).toBe("failed");
  expect(outcome.error).toEqual({
    code: "model_failed",
    message: "LLM call: The scripted model has no step 2.",
  });
  expect(outcome.added.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
});

test("a retry voids what the failed attempt streamed", async () => {
  const { events, outcome } = await runWith([{ text: "Good.", failedAttempt: { text: "Bad start" } }]);
  expect(events.map((event) => event.type)).toEqual([
    "model.started",
    "text.delta",
    "text.delta",
    "step.reset",
    "usage.unknown",
    "model.retry",
    "text.delta",
    "model.completed",
  ]);
  expect(outcome.response).toBe("Good.");
});

test("a log that can't be written fails the run", async () => {
  const onCommit = () => {
    throw new Error("disk full");
  };
  const { outcome, logLines } = await runWith(["hello"], { onCommit });
  expect(outcome.error).toMatchObject({ code: "internal", message: expect.stringContaining("disk full") });
  expect(logLines[0]).toContain("disk full");
});
