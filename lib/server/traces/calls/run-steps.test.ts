import { beforeAll, expect, test } from "vitest";
import type { StepRecord } from "@/lib/agent/tracing/step-record";
import { createAgent } from "@/lib/server/agents/publish-version";
import { purgeTracesOfOwner } from "@/lib/server/platform/db/queries/retention/purge";
import { readKeptTexts } from "@/lib/server/traces/kept-texts";
import { createRecorder, flushSpans, SpanBuffer } from "@/lib/server/traces/recorder";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { writes } from "@/lib/testing/servers/scripted-turns";

const DONE = { text: "done" };
const plan = (status: string) => ({
  calls: [{ name: "write_todos", args: { todos: [{ id: "1", title: "Look", status }] } }],
});

const { server, newThread, say, decideOn } = approvalServer({
  "Write two": [writes("two.txt"), writes("two.txt"), DONE],
  "Plan it": [plan("in_progress"), plan("done"), DONE],
  "Ask first": [writes("a.txt"), DONE],
  "Write on": [writes("on.txt"), DONE],
});

beforeAll(async () => {
  const base = {
    model: "scripted:m",
    retries: 0,
    backend: { type: "state" },
    tools: ["write_todos"],
    system_prompt: "You write.",
  };
  const permissions = { deny: [{ tool: "Edit" }] };
  await createAgent(server().services, {
    agentId: "writes",
    raw: { ...base, permissions, name: "Writes" },
    createdById: null,
  });
  const unsampled = { ...base, name: "Unsampled", trace: { sample: 0 } };
  await createAgent(server().services, { agentId: "unsampled", raw: unsampled, createdById: null });
});

async function stepsOf(runId: string) {
  await flushSpans();
  return server().database.runStep.findMany({ where: { runId }, orderBy: { step: "asc" } });
}

/** The kept text with this hash, parsed. */
async function read(hash: string | null | undefined): Promise<unknown> {
  const text = (await readKeptTexts(server().database, [hash ?? ""])).get(hash ?? "");
  return text === undefined ? null : JSON.parse(text);
}

test("each step says which change of the files it began after; the last row is the run's end", async () => {
  const { run_id: runId } = await say("Write two", newThread(), "writes");
  const steps = await stepsOf(runId);
  expect(steps.map(({ step, readSeq }) => [step, readSeq])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
  ]);
  const { workspaceId } = await server().database.fileVersion.findFirstOrThrow({ where: { runId } });
  expect(steps.map((step) => step.workspaceId)).toEqual(Array(4).fill(workspaceId));
});

test("prompt, tools, rules and plan of each step are kept as texts, each stored once", async () => {
  const { run_id: runId } = await say("Plan it", newThread(), "writes");
  const [first, second, third, end] = await stepsOf(runId);
  expect(await read(first?.promptHash)).toContainEqual(["identity", expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(await read(first?.toolsHash)).toContainEqual(expect.objectContaining({ name: "write_todos" }));
  expect(await read(first?.rulesHash)).toMatchObject({ mode: "default", deny: [{ tool: "Edit" }] });
  for (const name of ["promptHash", "toolsHash", "rulesHash"] as const) expect(third?.[name]).toBe(first?.[name]);
  expect(first).toMatchObject({ todosHash: null, summaryHash: null, preparedHash: null, grants: "[]" });
  expect(await read(second?.todosHash)).toMatchObject([{ title: "Look", status: "in_progress" }]);
  expect(await read(third?.todosHash)).toMatchObject([{ title: "Look", status: "done" }]);
  expect(end).toMatchObject({ step: 4, promptHash: null, grants: null });
});

test("the grants in force are those of the segment", async () => {
  const thread = newThread();
  const asked = await say("Ask first", thread);
  const decisions = [{ tool_call_id: idsOf(asked)[0], decision: "allow", scope: "thread" }];
  expect((await decideOn(thread, decisions)).status).toBe(200);
  const { id } = await server().database.grant.findFirstOrThrow({ where: { revokedAt: null } });
  const steps = await stepsOf(asked.run_id);
  expect(steps.map(({ grants }) => grants)).toEqual(["[]", JSON.stringify([id]), null]);
});

test("a run without spans has its calls and steps all the same", async () => {
  const { run_id: runId } = await say("Write on", newThread(), "unsampled");
  const steps = await stepsOf(runId);
  expect(steps.map(({ step }) => step)).toEqual([1, 2, 3]);
  expect(await read(steps[0]?.promptHash)).toContainEqual(["identity", expect.any(String)]);
  const { database } = server();
  expect(await database.span.count({ where: { runId } })).toBe(0);
  expect(await database.call.findMany({ where: { runId } })).toMatchObject([
    { tool: "write_file", status: "completed", step: 1 },
  ]);
});

const OWNER = {
  ...{ rootRunId: "run_late", threadId: "t", ownerId: "gone", agentId: "a", agentVersionId: "v", agentVersion: 1 },
};
const STEP: StepRecord = {
  ...{ step: 2, workspaceId: "ws_late", promptHash: "p", toolsHash: "t", rulesHash: "r", grants: [] },
  ...{ todosHash: null, summaryHash: null, preparedHash: null },
};

/** A workspace with these changes, in their order, each of a step of the run, or of somebody else. */
async function changes(...made: ({ runId: string | null; step: number | null; toolCallId?: string } | "other")[]) {
  const { database } = server();
  await database.fileVersion.deleteMany({ where: { workspaceId: "ws_late" } });
  await database.workspace.deleteMany({ where: { id: "ws_late" } });
  await database.workspace.create({ data: { id: "ws_late", agentId: "a", scopeKey: "late" } });
  for (const [index, change] of made.entries()) {
    const by = change === "other" ? { runId: null, step: null } : change;
    const place = { id: `fv_late_${index}`, workspaceId: "ws_late", path: "a", version: index + 1, seq: index + 1 };
    await database.fileVersion.create({ data: { ...place, sizeBytes: 0, ...by } });
  }
}

/** What the row of step 2 says when the batch comes after all of these changes. */
async function lateSeq(): Promise<number | null | undefined> {
  const buffer = new SpanBuffer(server().database);
  createRecorder(buffer, { traceId: "tr_late", runId: "run_late", rootId: "sp_late", owner: OWNER }).keepStep(STEP);
  await buffer.flush();
  const [row] = await stepsOf("run_late");
  return row?.readSeq;
}

test("a batch that comes late counts no change by the step's own calls, nor what followed them", async () => {
  const own = (step: number) => ({ runId: "run_late", step });
  await changes(own(1), "other", own(2), "other", own(3));
  expect(await lateSeq()).toBe(2);
  await changes(own(1), "other", "other");
  expect(await lateSeq()).toBe(3);
});

test("a memory flush after the run counts for no step of it, but files of a first chat do", async () => {
  const seeded = { runId: "run_late", step: null };
  await changes(seeded, "other", { runId: "run_late", step: null, toolCallId: "call_flush" });
  expect(await lateSeq()).toBe(2);
});

test("what a subagent writes that the step starts counts for the next step", async () => {
  const { database } = server();
  const { run_id: id } = await say("Write on", newThread(), "writes");
  const run = { rootRunId: "run_late", createdAt: new Date(Date.now() + 60_000) };
  await database.run.update({ where: { id }, data: run });
  await changes({ runId: "run_late", step: 1 }, { runId: id, step: 1 });
  expect(await lateSeq()).toBe(1);
  await database.run.update({ where: { id }, data: { createdAt: new Date(0) } });
  expect(await lateSeq()).toBe(2);
});

test("steps go with their owner's traces", async () => {
  const { database } = server();
  await changes();
  await lateSeq();
  const row = { id: "tr_late", runId: "run_late", ownerId: "gone", threadId: "t", agentId: "a", agentVersionId: "v" };
  await database.trace.create({ data: { ...row, agentVersion: 1, status: "running", startedAt: new Date() } });
  await purgeTracesOfOwner(database, "gone", { rest: async () => true });
  expect(await stepsOf("run_late")).toEqual([]);
});

test("a process that has lost the run changes no step of it", async () => {
  const { database } = server();
  const { run_id: runId } = await say("Write on", newThread(), "writes");
  const [before] = await stepsOf(runId);
  await database.run.update({ where: { id: runId }, data: { epoch: 9 } });
  const buffer = new SpanBuffer(database);
  const traced = { traceId: "tr_z", runId, rootId: "sp_z", owner: { ...OWNER, rootRunId: runId } };
  createRecorder(buffer, { ...traced, epoch: 8 }).keepStep({ ...STEP, step: 1 });
  await buffer.flush();
  expect((await stepsOf(runId))[0]).toEqual(before);
  createRecorder(buffer, { ...traced, epoch: 9 }).keepStep({ ...STEP, step: 1 });
  await buffer.flush();
  expect((await stepsOf(runId))[0]).toMatchObject({ promptHash: "p" });
});
