import { expect, test } from "vitest";
import type { ModelReply, RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import type { ChildTotals } from "@/lib/server/engine/children/child-totals";
import { type EndReason, type endColumns, endEvent, endingOf, type OpenRun, planEnding } from "./plan";

const RUN: OpenRun = {
  id: "run_1",
  threadId: "th_1",
  ownerId: "u_1",
  projectId: null,
  agentId: "agent",
  traceId: "tr_1",
  assistantMessageId: "msg_2",
  segment: 0,
  status: "running",
  epoch: 1,
  input: { messages: [{ id: "msg_1", role: "user", content: "Hi" }], transcriptPosition: 2 },
};

const REPLY: ModelReply = {
  content: "Hello.",
  reasoning: [],
  toolCalls: [],
  finishReason: "stop",
  usage: { ...NO_USAGE, inputTokens: 7, outputTokens: 2 },
  costUsd: 0.25,
  model: "demo:demo",
  timeToFirstTokenMs: null,
};
const CALL = { id: "call_1", name: "execute", args: { command: "ls" }, rawArgs: '{"command":"ls"}' };

const NO_CHILDREN: ChildTotals = { ids: [], usage: NO_USAGE, costUsd: 0, completed: [] };

const started: RunEvent = {
  type: "run.started",
  threadId: "th_1",
  agentId: "agent",
  traceId: "tr_1",
  assistantMessageId: "msg_2",
  segment: 0,
};
const says = (content: string): RunEvent[] => [
  { type: "text.delta", step: 1, delta: content },
  { type: "model.completed", step: 1, reply: { ...REPLY, content }, durationMs: 1 },
];
const asksForApproval: RunEvent[] = [
  { type: "model.completed", step: 1, reply: { ...REPLY, content: "", toolCalls: [CALL] }, durationMs: 1 },
  { type: "approval.requested", step: 1, toolCallId: CALL.id, tool: CALL.name, args: CALL.args },
];

/** One row per event; the first is from 1970, and each is a second later than the one before. */
function rowsOf(events: readonly RunEvent[]): StoredRunEvent[] {
  return events.map((event, index) => ({ runId: RUN.id, seq: index + 1, at: index * 1_000, event }));
}

function plan(reason: EndReason, events: readonly RunEvent[], run: OpenRun = RUN, children = NO_CHILDREN) {
  const ending = endingOf(reason, run, events);
  return planEnding(run, ending, { stored: rowsOf(events), children, todos: null, nowMs: 60_000, waitedMs: 0 });
}

const outcome = {
  status: "completed",
  added: [],
  response: "Hello.",
  usage: REPLY.usage,
  costUsd: 0.25,
  steps: 1,
} as const;

test.each<[string, EndReason, Partial<ReturnType<typeof endColumns>>]>([
  ["its loop ended", { kind: "outcome", outcome, cancelledBy: "" }, { status: "completed", notice: null }],
  [
    "it met its limit",
    { kind: "outcome", outcome: { ...outcome, status: "limit", notice: "25 model calls" }, cancelledBy: "" },
    { status: "limit", notice: "25 model calls" },
  ],
  [
    "somebody stopped its loop",
    { kind: "outcome", outcome: { ...outcome, status: "cancelled" }, cancelledBy: "u_2" },
    { status: "cancelled", cancelledBy: "u_2" },
  ],
  [
    "a hook threw",
    {
      kind: "outcome",
      outcome: { ...outcome, status: "failed", error: { code: "internal", message: "a\0b" } },
      cancelledBy: "",
    },
    { status: "failed", errorCode: "internal", errorMessage: "ab" },
  ],
  [
    "its time was over",
    { kind: "failed", error: { code: "timeout", message: "too long" } },
    { status: "failed", errorCode: "timeout", errorMessage: "too long" },
  ],
  ["its processes died", { kind: "too-many-takeovers" }, { status: "interrupted", errorCode: "unavailable" }],
  ["it was stopped in the queue", { kind: "cancelled", by: "u_1" }, { status: "cancelled", cancelledBy: "u_1" }],
  [
    "a new message came instead of a decision",
    { kind: "undecided", by: "u_1", why: "new-message" },
    { status: "cancelled", cancelledBy: "u_1" },
  ],
])(
  "a run whose end is that %s says so in its last event, its row and the event made of the row again",
  (_, reason, columns) => {
    const { columns: stored, rows } = plan(reason, [started]);
    expect(stored).toMatchObject(columns);
    expect(endEvent({ cancelledBy: null, ...stored })).toEqual(rows.at(-1)?.event);
    expect(rows).toMatchObject([{ seq: 2, at: 60_000 }]);
  },
);

test("a failure carries what it can't get past, for the way out that a page offers", () => {
  const error = { code: "model_failed", message: "refused", cause: { kind: "key_refused", provider: "lab" } } as const;
  const { rows } = plan({ kind: "outcome", outcome: { ...outcome, status: "failed", error }, cancelledBy: "" }, [
    started,
  ]);
  expect(rows.at(-1)?.event).toMatchObject({ type: "run.failed", error });
});

test("of an error of a megabyte, the run keeps the beginning", () => {
  const message = "x".repeat(1_000_000);
  const { columns, rows } = plan({ kind: "failed", error: { code: "internal", message } }, [started]);
  const kept = `${"x".repeat(20_000)}… (980,000 more characters)`;
  expect(columns.errorMessage).toBe(kept);
  expect(rows.at(-1)?.event).toMatchObject({ type: "run.failed", error: { message: kept } });
});

test("a run that ends without its loop keeps its finished steps and counts what summaries took", () => {
  const usage = { ...NO_USAGE, inputTokens: 50 };
  const summary: RunEvent = {
    type: "summary.completed",
    step: 1,
    count: 3,
    lastId: "m3",
    text: "Short.",
    usage,
    costUsd: 0.5,
  };
  const { added, figures, reply } = plan({ kind: "cancelled", by: "u_1" }, [started, summary, ...says("Hello.")]);
  expect(added).toMatchObject([{ content: "Hi" }, { role: "assistant", content: "Hello." }]);
  expect(figures).toMatchObject({
    steps: 1,
    usage: { inputTokens: 57, outputTokens: 2 },
    costUsd: 0.75,
    model: "demo:demo",
  });
  expect(reply?.text).toBe("Hello.");
});

test("a run that never started gets its first event with its last, so that every stream has a start", () => {
  const { rows, spans } = plan({ kind: "cancelled", by: "u_1" }, [], { ...RUN, status: "queued" });
  expect(rows.map(({ seq, event }) => [seq, event.type])).toEqual([
    [1, "run.started"],
    [2, "run.cancelled"],
  ]);
  expect(spans).toEqual({ waitingSince: new Date(60_000), error: null });
});

test("calls on which nobody decided get a decision, a result for the model and an end of their spans", () => {
  const waiting: OpenRun = { ...RUN, status: "waiting" };
  const ending = plan({ kind: "undecided", by: "u_1", why: "new-message" }, [started, ...asksForApproval], waiting);
  const text = "declined: the user sent a new message instead of deciding on this call";
  expect(ending.rows.map(({ event }) => event)).toMatchObject([
    { type: "interrupt.decided", toolCallId: CALL.id, decision: "declined", by: "u_1" },
    { type: "tool.result", result: { toolCallId: CALL.id, error: text, refused: "declined" } },
    { type: "run.cancelled", by: "u_1" },
  ]);
  expect(ending.added.at(-1)).toMatchObject({ role: "tool", toolCallId: CALL.id, content: text, isError: true });
  expect(ending.approvals).toEqual({ status: "declined" });
  expect(ending.spans).toEqual({ waitingSince: new Date(0), error: text });
});

test("what is asked for a deleted agent expires", () => {
  const waiting: OpenRun = { ...RUN, status: "waiting" };
  const ending = plan(
    { kind: "undecided", by: "nobody", why: "agent-deleted" },
    [started, ...asksForApproval],
    waiting,
  );
  expect(ending.approvals).toEqual({ status: "expired", decidedVia: "time" });
  expect(ending.rows[0]?.event).toMatchObject({ type: "interrupt.decided", decision: "expired", via: "time" });
});

test("its subagents' usage is in the run's figures, and not in what the run itself reports", () => {
  const usage = { ...NO_USAGE, inputTokens: 100 };
  const children = { ids: ["run_2"], usage, costUsd: 0.5, completed: [] };
  const ending = endingOf({ kind: "cancelled", by: "u_1" }, RUN, [started, ...says("Hello.")]);
  expect(ending.usage.inputTokens).toBe(7);
  const { figures, countedChildren } = plan(
    { kind: "cancelled", by: "u_1" },
    [started, ...says("Hello.")],
    RUN,
    children,
  );
  expect(figures).toMatchObject({
    usage: { inputTokens: 107 },
    costUsd: 0.75,
    startedAt: new Date(0),
    endedAt: new Date(60_000),
  });
  expect(countedChildren).toEqual(["run_2"]);
});

test("a silent reply leaves nothing in the transcript, unless people saw its run do something", () => {
  const silent: EndReason = { kind: "outcome", outcome: { ...outcome, silent: true }, cancelledBy: "" };
  expect(plan(silent, [started, { type: "model.started", step: 1, model: "demo:demo" }]).reply).toBeNull();
  expect(plan(silent, [started, ...says("Look at this.")]).reply?.text).toBe("Look at this.");
});

test("a run does not end before it began, even if the clock was set back", () => {
  const ending = endingOf({ kind: "cancelled", by: "u_1" }, RUN, [started]);
  const known = { stored: rowsOf([started]), children: NO_CHILDREN, todos: null, nowMs: -3_600_000, waitedMs: 0 };
  expect(planEnding(RUN, ending, known).figures).toMatchObject({ startedAt: new Date(0), endedAt: new Date(0) });
});
