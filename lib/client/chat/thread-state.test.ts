import { expect, test } from "vitest";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { type ChatMessage, messageText } from "./chat-message";
import {
  INITIAL_STATE,
  type Outgoing,
  reduceThread,
  type ThreadAction,
  type ThreadState,
  viewThread,
} from "./thread-state";

const AT = "2026-11-22T00:00:00.000Z";

const said = (runId: string) => ({
  id: `u-${runId}`,
  role: "user" as const,
  parts: [{ type: "text", text: `ask ${runId}` }],
  metadata: { runId },
});
const replied = (runId: string, text = `stored ${runId}`) => ({
  id: `a-${runId}`,
  role: "assistant" as const,
  parts: [{ type: "text", text }],
  metadata: { runId },
});

function stored(
  messages: ThreadDetail["messages"],
  open: Readonly<Record<string, ThreadDetail["openRuns"][number]["status"]>> = {},
): ThreadDetail {
  const openRuns = Object.entries(open).map(([id, status]) => ({
    id,
    status,
    text: `ask ${id}`,
    assistantMessageId: `a-${id}`,
    createdAt: AT,
    usage: NO_USAGE,
  }));
  return {
    id: "th",
    clientId: "th",
    activeAgentId: "a",
    agentId: "a",
    agentName: "A",
    title: null,
    pinned: false,
    archived: false,
    status: null,
    earlierCursor: null,
    activeRunId: null,
    createdAt: AT,
    updatedAt: AT,
    messages,
    openRuns,
    todos: [],
    latestTraceId: null,
    model: null,
    provider: null,
    usage: { ...NO_USAGE, totalTokens: 0, costUsd: 0 },
  };
}

const after = (...actions: ThreadAction[]): ThreadState => actions.reduce(reduceThread, INITIAL_STATE);
const started = (runId: string): ThreadAction => ({ type: "run-started", runId });
const streamed = (runId: string, more: Partial<ChatMessage> = {}): ThreadAction => ({
  type: "reply",
  reply: {
    id: `a-${runId}`,
    role: "assistant",
    parts: [{ type: "text", text: `streamed ${runId}` }],
    metadata: { runId, traceId: "t", status: "running" },
    ...more,
  },
});
const ended: ThreadAction = { type: "run-ended", status: "completed" };
const outgoing = (key: string, change: Partial<Outgoing> = {}): ThreadAction => ({
  type: "sending",
  message: {
    key,
    text: key,
    files: [],
    model: null,
    content: key,
    status: "sending",
    problem: null,
    runId: null,
    ...change,
  },
});

function look(detail: ThreadDetail, state: ThreadState) {
  const { messages, queued, unsent, ...rest } = viewThread(detail, state);
  return {
    ...rest,
    said: messages.map((message) => messageText(message)),
    queued: queued.map(({ text, isSending = false }) => (isSending ? `${text}…` : text)),
    unsent: unsent.map(({ key }) => key),
  };
}

test("a reply comes behind the words it answers, and stays until it is stored", () => {
  const state = after(started("r1"), streamed("r1"));
  expect(look(stored([said("r1")], { r1: "running" }), state)).toMatchObject({
    said: ["ask r1", "streamed r1"],
    currentRunId: "r1",
    isRunning: true,
  });
  const done = reduceThread(state, ended);
  expect(look(stored([said("r1")], { r1: "running" }), done)).toMatchObject({
    said: ["ask r1", "streamed r1"],
    currentRunId: null,
    isRunning: false,
  });
  expect(look(stored([said("r1"), replied("r1")]), done).said).toEqual(["ask r1", "stored r1"]);
});

test("what is stored of a run wins over what was streamed of it: it may have ended while the stream was closed", () => {
  const state = after(started("r1"), streamed("r1"));
  expect(look(stored([said("r1"), replied("r1")]), state)).toMatchObject({
    said: ["ask r1", "stored r1"],
    currentRunId: null,
    isRunning: false,
  });
});

test("a queued run that has begun leaves the queue, its words and those before it in their order", () => {
  const old = stored([said("r1"), said("r2"), said("r3")], { r1: "running", r2: "queued", r3: "queued" });
  const before = after(started("r1"), streamed("r1"));
  expect(look(old, before)).toMatchObject({ said: ["ask r1", "streamed r1"], queued: ["ask r2", "ask r3"] });
  const state = [ended, started("r2"), streamed("r2")].reduce(reduceThread, before);
  expect(look(old, state)).toMatchObject({
    said: ["ask r1", "streamed r1", "ask r2", "streamed r2"],
    queued: ["ask r3"],
    currentRunId: "r2",
  });
});

test("a run that the stored thread does not know yet is shown at its end", () => {
  const state = after(started("r9"), streamed("r9"));
  expect(look(stored([said("r1"), replied("r1")]), state)).toMatchObject({
    said: ["ask r1", "stored r1", "streamed r9"],
    currentRunId: "r9",
    isRunning: true,
  });
});

test("shows a message where it will be: in the transcript when nothing is running, otherwise in the queue", () => {
  expect(look(stored([]), after(outgoing("hello")))).toMatchObject({
    said: ["hello"],
    queued: [],
    isRunning: true,
    currentRunId: null,
  });
  expect(look(stored([said("r1")], { r1: "running" }), after(outgoing("hello")))).toMatchObject({
    said: ["ask r1"],
    queued: ["hello…"],
  });
  expect(look(stored([]), after(outgoing("one"), outgoing("two")))).toMatchObject({
    said: ["one"],
    queued: ["two…"],
  });
});

test("from the first press to the stored reply a message never vanishes and never appears twice", () => {
  const taken: ThreadAction = { type: "outgoing", key: "ask r1", change: { status: "sent", runId: "r1" } };
  const steps = [outgoing("ask r1"), taken, started("r1"), streamed("r1"), ended];
  const details = [stored([]), stored([said("r1")], { r1: "queued" }), stored([said("r1")], { r1: "running" })];
  let state = INITIAL_STATE;
  for (const step of steps) {
    state = reduceThread(state, step);
    const isTaken = state.outgoing.some(({ status }) => status === "sent");
    for (const detail of isTaken ? details : details.slice(0, 1)) {
      expect(look(detail, state).said.filter((text) => text === "ask r1")).toHaveLength(1);
    }
  }
  expect(look(stored([said("r1"), replied("r1")]), state).said).toEqual(["ask r1", "stored r1"]);
});

test("a message that was not sent is apart, and nothing runs for it", () => {
  const state = after(outgoing("hello", { status: "failed", problem: "Full." }));
  expect(look(stored([]), state)).toMatchObject({ said: [], unsent: ["hello"], isRunning: false });
  expect(look(stored([]), reduceThread(state, { type: "discarded", key: "hello" })).unsent).toEqual([]);
});

test("a run waits for a person until everything is decided, whether or not it has gone on yet", () => {
  const asking = (status: "pending" | "approved"): Partial<ChatMessage> => ({
    metadata: { runId: "r1", traceId: "t", status: "waiting" },
    parts: [
      {
        type: "data-approval",
        data: { toolCallId: "c", tool: "x", args: {}, status, requestedAtMs: 1, facts: { kind: "other" } },
      } as ChatMessage["parts"][number],
    ],
  });
  const waiting = after(started("r1"), streamed("r1", asking("pending")));
  expect(look(stored([said("r1")], { r1: "running" }), waiting)).toMatchObject({ isWaiting: true, isRunning: false });
  const decided = reduceThread(waiting, streamed("r1", asking("approved")));
  expect(look(stored([said("r1")], { r1: "queued" }), decided)).toMatchObject({ isWaiting: false, isRunning: true });
});

test("before its stream has come, a thread says what is stored of its run", () => {
  expect(look(stored([said("r1")], { r1: "waiting" }), INITIAL_STATE)).toMatchObject({
    isWaiting: true,
    isAsked: true,
  });
  expect(look(stored([said("r1")], { r1: "running" }), INITIAL_STATE)).toMatchObject({ isRunning: true });
});

test("a run that waits only for its subagents is running, and a message declines what they ask", () => {
  const state = after(started("r1"), streamed("r1"));
  expect(look(stored([said("r1")], { r1: "waiting" }), state)).toMatchObject({
    isWaiting: false,
    isRunning: true,
    isAsked: true,
  });
});

test("of many runs only the last two are kept besides what is stored", () => {
  const state = after(...["r1", "r2", "r3"].flatMap((id) => [started(id), streamed(id), ended]));
  expect(state.runs.map(({ id }) => id)).toEqual(["r2", "r3"]);
});

test("a run of another branch is neither shown nor waited for, and is shown once its branch is", () => {
  const state = after(started("r2"), streamed("r2"));
  const [mine, theirs] = [{ r2: "running" as const }, [said("r1"), replied("r1")]];
  const branches = { lastEndedRunId: "r1" };
  const other = stored(theirs, mine);
  const openRuns = other.openRuns.map((run) => ({ ...run, elsewhere: true as const }));
  expect(look({ ...other, branches, openRuns }, state)).toMatchObject({
    said: ["ask r1", "stored r1"],
    currentRunId: null,
    isRunning: false,
    isRunningElsewhere: true,
  });
  expect(look({ ...stored([said("r2")], mine), branches }, state)).toMatchObject({
    said: ["ask r2", "streamed r2"],
    currentRunId: "r2",
    isRunning: true,
    isRunningElsewhere: false,
  });
});

test("a message behind another branch's run waits for it, and its reply knows its versions while it is written", () => {
  const detail = stored([said("r3")], { r2: "running", r3: "queued" });
  const [elsewhere, own] = detail.openRuns;
  if (!elsewhere || !own) throw new Error("Two runs are open.");
  const replyPlace = { parentId: "u-r3", siblings: ["a-r1", "a-r3"], index: 1 };
  const openRuns = [
    { ...elsewhere, elsewhere: true as const },
    { ...own, replyPlace },
  ];
  const branches = { lastEndedRunId: "r1" };
  expect(look({ ...detail, branches, openRuns }, after())).toMatchObject({ currentRunId: "r3", waitsElsewhere: true });
  const begun = { ...stored([said("r3")], { r3: "running" }), branches, openRuns: [{ ...own, replyPlace }] };
  const { messages } = viewThread(begun, after(started("r3"), streamed("r3")));
  expect(messages.at(-1)?.metadata).toMatchObject(replyPlace);
});

test("a message that was sent, and is not stored any more, was removed on another device", () => {
  const sent = outgoing("next", { status: "sent", runId: "r2" });
  const before = stored([said("r1")], { r1: "running" });
  expect(look(before, after(sent))).toMatchObject({ queued: ["next…"] });
  const settled: ThreadAction = { type: "outgoing", key: "next", change: { isSettled: true } };
  expect(look(before, after(sent, settled))).toMatchObject({ queued: [] });
});
