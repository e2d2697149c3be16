import { expect, test } from "vitest";
import type { ModelRequest } from "@/lib/agent/model";
import { RunCancelled } from "@/lib/agent/run-cancelled";
import { SummarizationConfig } from "@/lib/schema/agents/agent-config-context";
import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import { runWith, type TestRun } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import { createTestTrace } from "@/lib/testing/scripted/test-trace";
import { summarizationHook } from "./summarization";
import { tracingHook } from "./tracing";

/** A window of 100 tokens; more than 85 exceed the threshold. */
const hook = (settings = {}) =>
  summarizationHook({ settings: SummarizationConfig.parse(settings), contextWindow: 100, charsPerToken: 4 });

const user = (content: string): Message => ({ role: "user", content });
const pairs = (count: number, text: string): Message[] =>
  Array.from({ length: count }, (_, index) => index).flatMap((index) => [
    user(`${text} ${index}`),
    { role: "assistant" as const, content: `answer ${index}`, toolCalls: [] },
  ]);
const long = pairs(10, "question ".repeat(3));
const isSummaryRequest = ({ messages }: ModelRequest) => messages[0]?.content.includes("<conversation>");
const summaryMessage = (text: string) => user(`[Summary of the conversation so far]\n${text}`);

test("a history at the threshold passes through, one above it is summarised", async () => {
  const at = await runWith(["ok"], { input: [user("x".repeat(85 * 4)), user("a"), user("b")], hooks: [hook()] });
  expect(at.requests).toHaveLength(1);
  const above = await runWith(["short", "ok"], {
    input: [user("x".repeat(86 * 4)), user("a"), user("b")],
    hooks: [hook()],
  });
  expect(above.requests).toHaveLength(2);
  expect(above.requests[1]?.messages).toEqual([summaryMessage("short"), user("a"), user("b")]);
});

test("the last tenth is kept, at least two messages, and the stored history is unchanged", async () => {
  const { requests, outcome } = await runWith(["short", "ok"], {
    history: long,
    input: [user("now")],
    hooks: [hook()],
  });
  expect(requests[1]?.messages).toEqual([summaryMessage("short"), long.at(-1), user("now")]);
  expect(outcome.added.map((message) => message.content)).toEqual(["now", "ok"]);
});

test("the summary call asks for under 2,000 words with 2,000 tokens and offers no tools", async () => {
  const run: TestRun = { history: long, input: [user("now")], hooks: [hook()], tools: [echoTool()] };
  const { requests } = await runWith(["short", "ok"], run);
  expect(requests[0]).toMatchObject({ maxTokens: 2_000, tools: [] });
  expect(requests[0]?.messages[0]?.content).toContain("under 2,000 words");
});

const call = (id: string, args: Record<string, unknown>, name = "echo") => ({
  id,
  name,
  args,
  rawArgs: JSON.stringify(args),
});

test("a cut never separates a call from its results", async () => {
  const work: Message[] = [
    { role: "assistant", content: "", toolCalls: [call("c1", {}), call("c2", {})] },
    { role: "tool", content: "one", toolCallId: "c1", name: "echo" },
    { role: "tool", content: "two", toolCallId: "c2", name: "echo" },
  ];
  const { requests } = await runWith(["short", "ok"], { history: long, input: work, hooks: [hook()] });
  expect(requests[1]?.messages).toEqual([summaryMessage("short"), ...work]);
});

test("tool results are part of what is summarised, and written files are cut to 2,000 characters", async () => {
  const content = "z".repeat(5_000);
  const work: Message[] = [
    { role: "assistant", content: "", toolCalls: [call("c1", { path: "a.txt", content }, "write_file")] },
    { role: "tool", content: "File written: a.txt", toolCallId: "c1", name: "write_file" },
  ];
  const options = { settings: SummarizationConfig.parse({}), contextWindow: 1_000, charsPerToken: 4 };
  const history = [...work, ...long];
  const { requests } = await runWith(["short", "ok"], { history, hooks: [summarizationHook(options)] });
  const asked = requests[0]?.messages[0]?.content ?? "";
  expect(asked).toContain("[Result of write_file]\nFile written: a.txt");
  expect(asked.match(/z+/g)?.map((zs) => zs.length)).toEqual([2_000]);
});

test("the summary's own request fits the window however long the conversation is", async () => {
  const { requests } = await runWith(["short", "ok"], { history: [user("y".repeat(9_000)), ...long], hooks: [hook()] });
  expect(requests[0]?.messages[0]?.content.length).toBeLessThan(100 * 4 + 1_500);
});

test("a summary is reused in the next steps while it suffices", async () => {
  const echo = { calls: [{ name: "echo", args: { text: "x" } }] };
  const run: TestRun = { history: long, input: [user("now")], hooks: [hook()], tools: [echoTool()] };
  const { requests } = await runWith(["short", echo, echo, "ok"], run);
  expect(requests.filter(isSummaryRequest)).toHaveLength(1);
  expect(requests.at(-1)?.messages[0]).toEqual(summaryMessage("short"));
});

test("a later segment of the run reuses the previous one's summary, and counts what it used", async () => {
  const named = long.map((message, index) => ({ ...message, id: `m${index}` }));
  const step = { text: "short", usage: { inputTokens: 50 }, costUsd: 0.5 };
  const first = await runWith([step, "ok"], { history: named, input: [user("now")], hooks: [hook()] });
  const events = first.events.filter(({ type }) => type === "summary.completed");
  const run: TestRun = { history: named, input: [user("now")], hooks: [hook()], events, segment: 1 };
  const later = await runWith(["ok"], run);
  expect(later.requests.map(({ messages }) => messages[0])).toEqual([summaryMessage("short")]);
  expect(later.outcome).toMatchObject({ usage: { inputTokens: 50 }, costUsd: 0.5 });
  const other = await runWith(["short", "ok"], { ...run, history: long });
  expect(other.requests.filter(isSummaryRequest)).toHaveLength(1);
});

test("an earlier summary is part of what the next one summarises", async () => {
  const echo = { text: "t".repeat(200), calls: [{ name: "echo", args: { text: "v".repeat(200) } }] };
  const run: TestRun = { history: long, input: [user("now")], hooks: [hook()], tools: [echoTool()] };
  const { requests } = await runWith(["first summary", echo, "second summary", "ok"], run);
  const asked = requests.filter(isSummaryRequest);
  expect(asked).toHaveLength(2);
  expect(asked[1]?.messages[0]?.content).toContain("first summary");
});

test("when the summary fails, the messages pass through unchanged and a line is logged", async () => {
  const failed = { error: new Error("overloaded") };
  const { requests, outcome, logLines } = await runWith([failed, "ok"], { history: long, hooks: [hook()] });
  expect(outcome.status).toBe("completed");
  expect(requests[1]?.messages).toHaveLength(long.length + 1);
  expect(logLines).toEqual(["warn summary failed, the conversation is sent unchanged: overloaded"]);
});

test("a cancel during the summary cancels the run", async () => {
  const controller = new AbortController();
  const waiting = () => {
    queueMicrotask(() => controller.abort(new RunCancelled("user_1")));
    return { gate: new Promise<never>(() => {}) };
  };
  const { outcome } = await runWith([waiting], { history: long, hooks: [hook()], signal: controller.signal });
  expect(outcome.status).toBe("cancelled");
});

test("the summary has a span of its own below the model call, and its tokens count", async () => {
  const trace = createTestTrace();
  const hooks = [tracingHook({ isVerbose: false }), hook()];
  const steps = [
    { text: "short", usage: { inputTokens: 50 }, costUsd: 0.5 },
    { text: "ok", usage: { inputTokens: 7 }, costUsd: 0.25 },
  ];
  const { outcome } = await runWith(steps, { history: long, hooks, trace });
  expect(trace.spans[1]).toMatchObject({ name: "summary", type: "summary", parentId: "span_1", status: "completed" });
  expect(trace.spans[1]?.attributes).toMatchObject({
    input_tokens: 50,
    cost_usd: 0.5,
    content_preview: "short",
    message_count: 19,
  });
  expect(outcome.usage.inputTokens).toBe(57);
  expect(outcome.costUsd).toBe(0.75);
});

test("it can be disabled", async () => {
  const { requests } = await runWith(["ok"], { history: long, hooks: [hook({ enabled: false })] });
  expect(requests).toHaveLength(1);
});

/** As a provider refuses a conversation, behind the errors of retries. */
const refusal = (refusedLength: object) => {
  const cause = Object.assign(new Error("refused"), { refusedLength });
  return { error: new AppError("model_failed", "too long", { cause }) };
};
const roomy = { settings: SummarizationConfig.parse({}), contextWindow: 10_000, charsPerToken: 4 };

test("a history that the model refuses as too long is summarised once, and the reply says so", async () => {
  const steps = [refusal({ limitTokens: 60 }), "short", { calls: [{ name: "echo", args: {} }] }, "ok"];
  const run: TestRun = { history: long, input: [user("now")], hooks: [summarizationHook(roomy)], tools: [echoTool()] };
  const { requests, events, outcome } = await runWith(steps, run);
  expect(outcome.status).toBe("completed");
  expect(requests).toHaveLength(4);
  expect(isSummaryRequest(requests[1] as ModelRequest)).toBe(true);
  expect(requests[2]?.messages).toEqual([summaryMessage("short"), long.at(-1), user("now")]);
  // The next step begins with the summary instead of another refusal.
  expect(requests[3]?.messages[0]).toEqual(summaryMessage("short"));
  const replies = events.flatMap((event) => (event.type === "model.completed" ? [event.reply] : []));
  expect(replies[0]?.notices).toEqual([expect.stringContaining("older part was summarised")]);
  expect(replies[1]?.notices).toBeUndefined();
});

test("a second refusal ends the run", async () => {
  const steps = [refusal({ limitTokens: 60 }), "short", refusal({ limitTokens: 60 }), "never"];
  const run: TestRun = { history: long, input: [user("now")], hooks: [summarizationHook(roomy)] };
  const { requests, outcome } = await runWith(steps, run);
  expect(requests).toHaveLength(3);
  expect(outcome).toMatchObject({ status: "failed", error: { code: "model_failed" } });
});

test.each([
  ["it is far below the window and no limit is named", roomy, {}],
  ["it is within the limit that is named", roomy, { limitTokens: 5_000 }],
  [
    "the agent does not summarise",
    { ...roomy, settings: SummarizationConfig.parse({ enabled: false }) },
    { limitTokens: 100 },
  ],
])("a refused history is not summarised where %s", async (_, options, refused) => {
  const run: TestRun = { history: long, input: [user("now")], hooks: [summarizationHook(options)] };
  const { requests, outcome } = await runWith([refusal(refused), "never"], run);
  expect(requests).toHaveLength(1);
  expect(outcome.status).toBe("failed");
});
