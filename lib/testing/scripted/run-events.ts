import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { DELEGATED } from "@/lib/testing/scripted/delegated-events";
import { COMPACTED, MESSAGE_FOR_USER } from "@/lib/testing/scripted/ending-events";
import { REPLY, RUN_STARTED } from "@/lib/testing/scripted/reply-events";
import { SILENT } from "@/lib/testing/scripted/silent-events";

/** The events as rows of run `run_1`, 10 ms apart. */
function asRows(events: readonly RunEvent[]): StoredRunEvent[] {
  return events.map((event, index) => ({ runId: "run_1", seq: index + 1, at: 1_000 + index * 10, event }));
}

const write = {
  id: "call_1",
  name: "write_file",
  args: { path: "a.txt", content: "hi" },
  rawArgs: '{"path":"a.txt","content":"hi"}',
};
const look = { id: "call_2", name: "read_file", args: { path: "b.txt" }, rawArgs: '{"path":"b.txt"}' };

const BEGINNING: readonly RunEvent[] = [
  RUN_STARTED,
  { type: "model.started", step: 1, model: "openai:gpt" },
  { type: "reasoning.delta", step: 1, delta: "Let me " },
  { type: "reasoning.delta", step: 1, delta: "think." },
  { type: "text.delta", step: 1, delta: "Bad start" },
  { type: "step.reset", step: 1 },
  {
    type: "model.retry",
    step: 1,
    attempt: 1,
    error: { code: "model_failed", message: "The provider is overloaded." },
    delayMs: 500,
    nextModel: "openai:gpt",
  },
  { type: "text.delta", step: 1, delta: "I will " },
  { type: "text.delta", step: 1, delta: "write it." },
  { type: "tool.input", step: 1, toolCallId: "call_1", name: "write_file" },
  { type: "tool.delta", step: 1, toolCallId: "call_1", delta: '{"path":"a.txt","content' },
  { type: "tool.delta", step: 1, toolCallId: "call_1", delta: '":"hi"}' },
  {
    type: "model.completed",
    step: 1,
    durationMs: 80,
    reply: {
      ...REPLY,
      content: "I will write it.",
      toolCalls: [write, look],
      finishReason: "tool-calls",
      model: "openai:gpt",
    },
  },
  { type: "tool.call", step: 1, call: write, annotations: { idempotent: true } },
  { type: "tool.call", step: 1, call: look, annotations: { readOnly: true } },
  { type: "tool.intent", step: 1, toolCallIds: ["call_1", "call_2"] },
  { type: "todo.updated", todos: [{ id: "1", title: "Write", status: "pending" }] },
  {
    type: "file.changed",
    path: "a.txt",
    operation: "created",
    version: 1,
    addedLines: 1,
    removedLines: 0,
    toolCallId: "call_1",
  },
  {
    type: "tool.result",
    step: 1,
    result: { toolCallId: "call_1", name: "write_file", output: "{}", display: { kind: "file" }, truncatedChars: 7 },
    durationMs: 20,
  },
  {
    type: "tool.result",
    step: 1,
    result: { toolCallId: "call_2", name: "read_file", output: "", error: "not found" },
    durationMs: 15,
  },
  { type: "todo.updated", todos: [{ id: "1", title: "Write", status: "done" }] },
];

const SECOND_STEP: readonly RunEvent[] = [
  { type: "model.started", step: 2, model: "openai:gpt" },
  { type: "text.delta", step: 2, delta: "Done." },
];

const approval = { kind: "approval" as const, toolCallId: "call_1", tool: "write_file", args: write.args };
const questions = [{ question: "Which file?", options: ["a", "b"] }];
const ask = { id: "call_2", name: "ask_user", args: { questions }, rawArgs: '{"questions":[]}' };
const question = { kind: "question" as const, toolCallId: "call_2", tool: "ask_user", args: ask.args, questions };

/** A run that asks for an approval and an answer, and waits. */
const ASKING: readonly RunEvent[] = [
  ...BEGINNING.slice(0, 2),
  {
    type: "model.completed",
    step: 1,
    durationMs: 80,
    reply: { ...REPLY, content: "", toolCalls: [write, ask], finishReason: "tool-calls", model: "openai:gpt" },
  },
  { type: "tool.call", step: 1, call: write, annotations: { idempotent: true } },
  { type: "tool.call", step: 1, call: ask, annotations: { readOnly: true } },
  { type: "tool.intent", step: 1, toolCallIds: ["call_1", "call_2"] },
  {
    type: "approval.requested",
    step: 1,
    toolCallId: "call_1",
    tool: "write_file",
    args: write.args,
    reason: "Rule: ask before write_file.",
  },
  { type: "tool.pending", step: 1, toolCallId: "call_1", reason: "approval" },
  { type: "question.asked", step: 1, toolCallId: "call_2", tool: "ask_user", args: ask.args, questions },
  { type: "tool.pending", step: 1, toolCallId: "call_2", reason: "question" },
  { type: "run.waiting", interrupts: [approval, question] },
];

/** Runs that together have every kind of event and every ending. */
export const EXAMPLE_RUNS = {
  delegated: asRows(DELEGATED),
  completed: asRows([
    ...BEGINNING,
    ...SECOND_STEP,
    { type: "model.completed", step: 2, durationMs: 30, reply: { ...REPLY, content: "Done.", model: "openai:gpt" } },
    { type: "run.completed", status: "completed" },
  ]),
  messageForUser: asRows(MESSAGE_FOR_USER),
  compacted: asRows(COMPACTED),
  limit: asRows([...BEGINNING, { type: "run.completed", status: "limit", notice: "The agent stopped after 1 call." }]),
  cancelled: asRows([...BEGINNING, ...SECOND_STEP, { type: "run.cancelled", by: "u1" }]),
  failed: asRows([
    ...BEGINNING.slice(0, 16),
    { type: "run.failed", status: "failed", error: { code: "timeout", message: "It took too long." } },
  ]),
  unstreamed: asRows([
    ...BEGINNING.slice(0, 2),
    { type: "model.completed", step: 1, durationMs: 1, reply: { ...REPLY, content: "From a hook.", model: "x:y" } },
    { type: "run.completed", status: "completed" },
  ]),
  resumed: asRows([
    ...BEGINNING.slice(0, 16),
    { ...RUN_STARTED, segment: 1 },
    ...BEGINNING.slice(16),
    ...SECOND_STEP,
    { ...RUN_STARTED, segment: 2 },
    { type: "step.reset", step: 2 },
    { type: "text.delta", step: 2, delta: "All done." },
    {
      type: "model.completed",
      step: 2,
      durationMs: 30,
      reply: { ...REPLY, content: "All done.", model: "openai:gpt" },
    },
    { type: "run.completed", status: "completed" },
  ]),
  decided: asRows([
    ...ASKING,
    {
      type: "interrupt.decided",
      kind: "approval",
      toolCallId: "call_1",
      decision: "edit",
      args: { path: "b.txt", content: "hi" },
      scope: "once",
      by: "u1",
    },
    { type: "interrupt.decided", kind: "question", toolCallId: "call_2", decision: "answer", answers: ["a"], by: "u1" },
    { ...RUN_STARTED, segment: 1 },
    { type: "tool.intent", step: 1, toolCallIds: ["call_1", "call_2"] },
    {
      type: "tool.result",
      step: 1,
      result: { toolCallId: "call_1", name: "write_file", output: "{}" },
      durationMs: 20,
    },
    {
      type: "tool.result",
      step: 1,
      result: { toolCallId: "call_2", name: "ask_user", output: '{"answers":["a"]}' },
      durationMs: 1,
    },
    ...SECOND_STEP,
    { type: "model.completed", step: 2, durationMs: 30, reply: { ...REPLY, content: "Done.", model: "openai:gpt" } },
    { type: "run.completed", status: "completed" },
  ]),
  declined: asRows([
    ...ASKING,
    { type: "interrupt.decided", kind: "approval", toolCallId: "call_1", decision: "declined", by: "u1" },
    {
      type: "tool.result",
      step: 1,
      result: { toolCallId: "call_1", name: "write_file", output: "", error: "declined" },
      durationMs: 0,
    },
    { type: "run.cancelled", by: "u1" },
  ]),
  silent: asRows(SILENT),
} as const satisfies Record<string, readonly StoredRunEvent[]>;
