import { beforeAll, expect, test } from "vitest";
import { GET as listProblems } from "@/app/api/problems/route";
import { POST as cancel } from "@/app/api/runs/[runId]/cancel/route";
import type { CallRecord } from "@/lib/agent/tracing/call-record";
import { denyCallsHook } from "@/lib/hooks/deny-calls";
import { tracingHook } from "@/lib/hooks/tracing";
import type { ProblemList } from "@/lib/schema/traces/problem";
import { createAgent } from "@/lib/server/agents/publish-version";
import { endLeftCallsStatement } from "@/lib/server/platform/db/queries/calls/calls";
import { purgeTracesOfOwner } from "@/lib/server/platform/db/queries/retention/purge";
import { endSpansOfEndedRuns, interruptSpans } from "@/lib/server/platform/db/queries/spans";
import { createRecorder, SpanBuffer } from "@/lib/server/traces/recorder";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import { writes } from "@/lib/testing/servers/scripted-turns";

const DONE = { text: "done" };
const adds = (a: unknown) => ({ name: "calculate", args: { expression: a } });

const { server, newThread, say, decideOn } = approvalServer({
  "Write a.txt": [writes("a.txt"), DONE],
  "Write two": [writes("a.txt", "b.txt"), DONE],
  "Write it again": [writes("a.txt"), DONE],
  "Write again": [writes("a.txt"), DONE],
  "Read nothing": [{ calls: [{ name: "read_file", args: { path: "none-1.txt" } }] }, DONE],
  "Read nothing else": [{ calls: [{ name: "read_file", args: { path: "none-2.txt" } }] }, DONE],
  "Read nothing thrice": [{ calls: Array(3).fill({ name: "read_file", args: { path: "none-4.txt" } }) }, DONE],
  "Read from a line": [{ calls: [{ name: "read_file", args: { path: "none-3.txt", offset: "1" } }] }, DONE],
  "Add twice": [{ calls: [adds("1+1"), adds("2+2")] }, DONE],
  "Plan a write": [writes("a.txt"), DONE],
  "Go on": [{ calls: [adds("1+1")] }, { calls: [adds("2+2")] }, DONE],
  Repeat: Array(4).fill({ calls: [{ name: "read_file", args: { path: "never.txt" } }] }),
  Delegate: [{ calls: [{ name: "task", args: { agent: "helper", description: "d", prompt: "Add up" } }] }, DONE],
  "Add up": [{ calls: [adds("1+1")] }, DONE],
  "Write c.txt": [writes("c.txt"), writes("c.txt"), DONE],
});

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, backend: { type: "state" }, tools: ["calculate"] };
  const denied = { tool: "Write", args: { file_path: "*.txt" } };
  const permissions = { enabled: true, mode: "bypass", deny: [denied] };
  await createAgent(server().services, {
    agentId: "denies",
    raw: { ...base, name: "Denies", permissions },
    createdById: null,
  });
  const limits = { max_iterations: 1, on_limit: "stop" };
  await createAgent(server().services, {
    agentId: "brief",
    raw: { ...base, ...limits, name: "Brief" },
    createdById: null,
  });
  const guarded = { ...base, name: "Guarded", loop_guard: { warn_at: 2, stop_at: 3 } };
  await createAgent(server().services, { agentId: "guarded", raw: guarded, createdById: null });
  const helper = { name: "helper", description: "Helps.", prompt: "You help.", tools: ["calculate"] };
  await createAgent(server().services, {
    agentId: "boss",
    raw: { ...base, name: "Boss", subagents: [helper] },
    createdById: null,
  });
  const rules = { enabled: true, mode: "default", allow: ["write_file"] };
  await createAgent(server().services, {
    agentId: "allows",
    raw: { ...base, name: "Allows", permissions: rules },
    createdById: null,
  });
});

const rowsOf = (runId: string) =>
  server().database.call.findMany({ where: { runId }, orderBy: [{ step: "asc" }, { toolCallId: "asc" }] });

/** The calls of the run once none goes on. */
async function callsOf(runId: string, isOver = (endedAt: Date | null): boolean => endedAt !== null) {
  await expect
    .poll(async () => {
      const rows = await rowsOf(runId);
      return rows.length > 0 && rows.every(({ endedAt, status }) => status !== "running" && isOver(endedAt));
    })
    .toBe(true);
  return rowsOf(runId);
}

test("a call that a rule allows has its arguments, tool, owner and rule; its run and trace say how they ended", async () => {
  const { run_id: runId, trace_id: traceId } = await say("Write a.txt", newThread(), "allows");
  const [call] = await callsOf(runId);
  expect(call).toMatchObject({ runId, rootRunId: runId, traceId, step: 1, tool: "write_file", agentId: "allows" });
  expect(call).toMatchObject({ verdict: "allow", verdictBy: "allow", rule: '"write_file"', mode: "default" });
  expect(call).toMatchObject({ status: "completed", error: null, problemKey: null, hadNetwork: false, decision: null });
  expect(JSON.parse(call?.args ?? "")).toEqual({ content: "hello", path: "a.txt" });
  expect(call?.argsHash).toMatch(/^[0-9a-f]{64}$/);
  const { database } = server();
  expect(await database.run.findUnique({ where: { id: runId } })).toMatchObject({ endReason: "completed" });
  const trace = await database.trace.findUnique({ where: { id: traceId ?? "" } });
  expect(trace).toMatchObject({
    endReason: "completed",
    errorCode: null,
    hasToolError: false,
    firstLine: "Write a.txt",
  });
  const messages = await database.message.findMany({ where: { runId }, orderBy: { position: "asc" } });
  expect(messages.map(({ role, step, model }) => [role, step, model])).toEqual([
    ["user", null, null],
    ["assistant", 1, "scripted:m"],
    ["tool", 1, null],
    ["assistant", 2, "scripted:m"],
  ]);
  const [version] = await database.fileVersion.findMany({ where: { runId } });
  expect(version).toMatchObject({ step: 1, seq: 1, before: "absent", toolCallId: call?.toolCallId });
});

test("a call says how long it ran itself, without the time in which somebody was asked", async () => {
  const [ran] = await callsOf((await say("Add twice", newThread(), "allows")).run_id);
  expect(ran?.tookMs).toBe((ran?.endedAt?.getTime() ?? 0) - (ran?.startedAt.getTime() ?? 0));
  const [denied] = await callsOf((await say("Write again", newThread(), "denies")).run_id);
  expect(denied?.tookMs).toBeNull();
});

test("changes of a workspace are numbered over all its files, each with what was there before", async () => {
  const { run_id: runId } = await say("Write c.txt", newThread(), "allows");
  const versions = await server().database.fileVersion.findMany({ where: { runId }, orderBy: { seq: "asc" } });
  const [first, second] = versions;
  expect(versions).toHaveLength(2);
  expect(second?.seq).toBe((first?.seq ?? 0) + 1);
  expect([first?.before, second?.before]).toEqual(["absent", first?.blobHash]);
  expect([first?.step, second?.step]).toEqual([1, 2]);
});

test("a call that a rule denies says which rule, and is no failure", async () => {
  const { run_id: runId } = await say("Write again", newThread(), "denies");
  const [call] = await callsOf(runId);
  expect(call).toMatchObject({ verdict: "deny", verdictBy: "deny", status: "cancelled", problemKey: null });
  expect(JSON.parse(call?.rule ?? "")).toMatchObject({ tool: "Write", args: { file_path: "*.txt" } });
});

test("a call that the mode decides says so", async () => {
  const [call] = await callsOf((await say("Plan a write", newThread(), "plans")).run_id);
  expect(call).toMatchObject({ verdict: "deny", verdictBy: "mode", mode: "plan" });
});

test("a call that waits has no end; once a person allows it, the same row has who did", async () => {
  const thread = newThread();
  const asked = await say("Write two", thread);
  const waiting = await callsOf(asked.run_id, (endedAt) => endedAt === null);
  expect(waiting.map(({ status, verdict, decision }) => [status, verdict, decision])).toEqual([
    ["waiting", "ask", null],
    ["waiting", "ask", null],
  ]);
  const [one = "", two = ""] = idsOf(asked);
  const decisions = [
    { tool_call_id: one, decision: "allow", scope: "thread" },
    { tool_call_id: two, decision: "deny", reason: "not this" },
  ];
  expect((await decideOn(thread, decisions)).status).toBe(200);
  const calls = await callsOf(asked.run_id);
  expect(calls).toHaveLength(2);
  const by = calls[0]?.decidedBy;
  expect(by).toEqual(expect.any(String));
  const found = new Map(calls.map((call) => [call.toolCallId, call]));
  expect(found.get(one)).toMatchObject({ status: "completed", decision: "allow", decidedBy: by });
  expect(found.get(two)).toMatchObject({ status: "cancelled", decision: "deny", decisionReason: "not this" });
  const [granted] = await callsOf((await say("Write it again", thread)).run_id);
  expect(granted).toMatchObject({ verdict: "allow", verdictBy: "grant", grantId: expect.stringMatching(/^grt_/) });
});

test("a call whose run is stopped while it waits ends cancelled, with the run's end", async () => {
  const { run_id: runId } = await say("Write a.txt", newThread());
  await callsOf(runId, (endedAt) => endedAt === null);
  await server().call(cancel, { as: "member", params: { runId }, method: "POST" });
  const [call] = await callsOf(runId);
  expect(call).toMatchObject({ status: "cancelled", decision: "declined", endedAt: expect.any(Date) });
  expect(await server().database.run.findUnique({ where: { id: runId } })).toMatchObject({ endReason: "undecided" });
});

test("calls that fail alike share a problem, and their trace has a tool error", async () => {
  const first = await say("Read nothing", newThread());
  const [one] = await callsOf(first.run_id);
  const [two] = await callsOf((await say("Read nothing else", newThread())).run_id);
  expect(one).toMatchObject({ status: "failed", error: expect.stringContaining("none-1.txt") });
  expect(one?.problemKey).toMatch(/^tool_error read_file /);
  expect(one?.problemKey).toBe(two?.problemKey);
  const trace = await server().database.trace.findUnique({ where: { id: first.trace_id ?? "" } });
  expect(trace).toMatchObject({ hasToolError: true });
});

test("what failed in a run that has just ended is among the problems", async () => {
  await say("Read nothing thrice", newThread(), "allows");
  const reply = await server().call(listProblems, { as: "admin", path: "/api/problems?agentId=allows" });
  const { problems } = (await reply.json()) as ProblemList;
  expect(problems).toMatchObject([{ kind: "tool_error", tool: "read_file", runs: 1 }]);
});

test.each([
  ["Go on", "brief", /^limit The agent /],
  ["Repeat", "guarded", /^loop The agent was stopped because the same read_file call failed <n> times/],
])("a run that %s ends at a limit, by which it is grouped", async (words, agent, key) => {
  const { trace_id: traceId } = await say(words, newThread(), agent);
  const trace = await server().database.trace.findUniqueOrThrow({ where: { id: traceId ?? "" } });
  expect(trace).toMatchObject({ status: "limit", problemKey: expect.stringMatching(key) });
});

test("a call whose arguments were read as another type says which, and has its tool's annotations", async () => {
  const [call] = await callsOf((await say("Read from a line", newThread())).run_id);
  expect(JSON.parse(call?.coerced ?? "null")).toEqual([expect.stringContaining("offset")]);
  expect(JSON.parse(call?.args ?? "null")).toMatchObject({ offset: 1 });
  expect(JSON.parse(call?.annotations ?? "null")).toMatchObject({ readOnly: true });
});

test("parallel calls have a row each", async () => {
  const calls = await callsOf((await say("Add twice", newThread())).run_id);
  expect(calls.map(({ tool, step }) => [tool, step])).toEqual([
    ["calculate", 1],
    ["calculate", 1],
  ]);
});

test("a subagent's calls are of its own run, below the root's and in the same trace", async () => {
  const { run_id: runId, trace_id: traceId } = await say("Delegate", newThread(), "boss");
  const [task] = await callsOf(runId);
  expect(task).toMatchObject({ tool: "task", status: "completed", rootRunId: runId });
  const child = await server().database.run.findFirstOrThrow({ where: { parentRunId: runId } });
  expect(child.parentToolCallId).toBe(task?.toolCallId);
  const [call] = await callsOf(child.id);
  expect(call).toMatchObject({ tool: "calculate", rootRunId: runId, traceId, step: 1, ownerId: task?.ownerId });
});

test("a call that a hook refuses is recorded without a verdict, and is no failure", async () => {
  const { database } = server();
  const buffer = new SpanBuffer(database);
  const trace = createRecorder(buffer, { traceId: "tr_d", runId: "run_d", rootId: "sp_d", owner: OWNER });
  const hooks = [tracingHook({ isVerbose: false }), denyCallsHook([{ tool: "echo", args: { text: "x" } }])];
  const script = [{ calls: [{ name: "echo", args: { text: "x" } }] }, "ok"];
  await runWith(script, { tools: [echoTool()], hooks, trace });
  await buffer.flush();
  expect(await rowsOf("run_d")).toMatchObject([
    { tool: "echo", status: "cancelled", verdict: null, problemKey: null, error: expect.stringContaining("decided") },
  ]);
});

const OWNER = {
  ...{ rootRunId: "run_x", threadId: "t", ownerId: "gone", agentId: "a", agentVersionId: "v", agentVersion: 1 },
};
const BEGUN: CallRecord = {
  ...{ toolCallId: "call_1", step: 1, tool: "t", kind: "other", gist: "", args: "{}", wholeArgs: "{}" },
  ...{ annotations: {}, aliases: [], pathArgument: null, coerced: null },
};

test("a call that its process did not live to end stays without an end, and goes with its owner's traces", async () => {
  const { database } = server();
  const buffer = new SpanBuffer(database);
  const recorder = createRecorder(buffer, { traceId: "tr_x", runId: "run_x", rootId: "sp_x", owner: OWNER });
  recorder.startSpan({ name: "tool.call", type: "tool", call: BEGUN });
  await buffer.flush();
  expect(await rowsOf("run_x")).toMatchObject([{ status: "running", endedAt: null }]);
  const row = { id: "tr_x", runId: "run_x", ownerId: "gone", threadId: "t", agentId: "a", agentVersionId: "v" };
  await database.trace.create({ data: { ...row, agentVersion: 1, status: "running", startedAt: new Date() } });
  await purgeTracesOfOwner(database, "gone", { rest: async () => true });
  expect(await rowsOf("run_x")).toEqual([]);
});

/** Two calls as a process left them that was killed: one runs, one waits for a person. */
async function leftCalls(runId: string) {
  const buffer = new SpanBuffer(server().database);
  const recorder = createRecorder(buffer, { traceId: `tr_${runId}`, runId, rootId: `sp_${runId}`, owner: OWNER });
  const begin = (toolCallId: string) =>
    recorder.startSpan({ name: "tool.call", type: "tool", call: { ...BEGUN, toolCallId } });
  begin("done").end("completed");
  begin("running");
  begin("waiting").end("waiting");
  await buffer.flush();
  const statuses = async () => (await rowsOf(runId)).map(({ toolCallId, status }) => [toolCallId, status]);
  return { buffer, begin, statuses };
}

test("the process that takes a run over interrupts what the dead one was calling, and makes the call anew", async () => {
  const { begin, buffer, statuses } = await leftCalls("run_taken");
  await interruptSpans(server().database, { traceId: "tr_run_taken", runId: "run_taken" }, "sp_run_taken");
  const interrupted = [
    ["done", "completed"],
    ["running", "interrupted"],
    ["waiting", "waiting"],
  ];
  expect(await statuses()).toEqual(interrupted);
  const [, call] = await rowsOf("run_taken");
  expect(call?.endedAt?.getTime()).toBeGreaterThanOrEqual(call?.startedAt.getTime() ?? Number.NaN);
  begin("running").end("completed");
  await buffer.flush();
  expect((await statuses())[1]).toEqual(["running", "completed"]);
});

test("a run that nobody executes ends with its calls: the waiting one undecided, the running one interrupted", async () => {
  const { statuses } = await leftCalls("run_left");
  const end = { error: "The run was stopped.", decision: "declined", endedAt: new Date(0) };
  await server().database.runAll([endLeftCallsStatement("run_left", end)]);
  expect(await statuses()).toEqual([
    ["done", "completed"],
    ["running", "interrupted"],
    ["waiting", "cancelled"],
  ]);
  const [, running, waiting] = await rowsOf("run_left");
  expect(running).toMatchObject({ error: null, decision: null, endedAt: running?.startedAt });
  expect(waiting).toMatchObject({ error: "The run was stopped.", decision: "declined", endedAt: waiting?.startedAt });
});

test("a starting process interrupts the calls of runs that ended without them, and no others", async () => {
  const { database } = server();
  const asked = await say("Add twice", newThread());
  const [one] = await callsOf(asked.run_id);
  const waits = await say("Write a.txt", newThread());
  await callsOf(waits.run_id, (endedAt) => endedAt === null);
  const running = { status: "running", endedAt: null };
  await database.call.updateMany({ where: { runId: asked.run_id, toolCallId: one?.toolCallId ?? "" }, data: running });
  await database.call.updateMany({ where: { runId: waits.run_id }, data: running });
  await endSpansOfEndedRuns(database, 500);
  const { endedAt } = await database.run.findUniqueOrThrow({ where: { id: asked.run_id } });
  const calls = await rowsOf(asked.run_id);
  expect(calls.map(({ status }) => status).toSorted()).toEqual(["completed", "interrupted"]);
  expect(calls.find(({ status }) => status === "interrupted")).toMatchObject({ endedAt });
  expect(await rowsOf(waits.run_id)).toMatchObject([running]);
});

test("spans and calls of a batch are two statements in one transaction, whatever their number", async () => {
  const made: number[] = [];
  const { database } = server();
  const execute: typeof database.execute = (...given) => {
    made.push(1);
    return database.execute(...given);
  };
  const runAll: typeof database.runAll = (...given) => {
    made.push(given[0].length);
    return database.runAll(...given);
  };
  const counted = Object.create(database, { execute: { value: execute }, runAll: { value: runAll } });
  const buffer = new SpanBuffer(counted);
  const recorder = createRecorder(buffer, { traceId: "tr_y", runId: "run_y", rootId: "sp_y", owner: OWNER });
  for (let index = 0; index < 50; index++) {
    recorder
      .startSpan({ name: "tool.call", type: "tool", call: { ...BEGUN, toolCallId: `c${index}` } })
      .end("completed");
  }
  await buffer.flush();
  expect(made).toEqual([2]);
  recorder.recordEvent("e", {});
  await buffer.flush();
  expect(made).toEqual([2, 1]);
});
