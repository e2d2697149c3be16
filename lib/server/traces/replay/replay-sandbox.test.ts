import { beforeAll, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { processServices } from "@/lib/server/wiring/services";
import { replayServer } from "@/lib/testing/traces/replay-fixture";

const write = (path: string, content: string) => ({ name: "write_file", args: { path, content } });
const read = (path: string) => ({ name: "read_file", args: { path } });
const remember = (text: string) => ({ name: "memory_append", args: { text } });
const plan = (title: string) => ({ name: "write_todos", args: { todos: [{ id: "1", title, status: "pending" }] } });

const {
  db,
  newThread,
  recorded,
  start,
  refused,
  get,
  plan: planOf,
  resultsOf,
  filesOf,
} = replayServer({
  Work: [
    { text: "First.", calls: [write("a.txt", "one"), plan("As recorded")] },
    { text: "Second.", calls: [read("a.txt")] },
    { text: "Done." },
  ],
  Overwrite: [{ calls: [write("a.txt", "overwritten later")] }, { text: "Done." }],
  "Work differently": [
    { text: "First.", calls: [write("a.txt", "one"), plan("As recorded")] },
    { text: "Second.", calls: [read("a.txt"), write("b.txt", "of the replay"), remember("learnt"), plan("Other")] },
    { text: "Third.", calls: [read("b.txt")] },
    { text: "Done." },
  ],
});

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, system_prompt: "You write.", memory: { paths: ["MEMORY.md"] } };
  const raw = { ...base, name: "W", tools: ["memory_append"], backend: { type: "state", scope: "user" } };
  await createAgent(processServices(), { agentId: "worker", raw, createdById: null });
});

/** Everything of a person that a run could change, apart from replays' own threads and files. */
async function ownState() {
  const own = { thread: { replayId: null } };
  const ofPeople = await db().workspace.findMany({
    where: { ownerId: "member" },
    select: { id: true, threadId: true },
  });
  const apart = new Set((await db().thread.findMany({ where: { replayId: { not: null } } })).map(({ id }) => id));
  const ids = ofPeople.flatMap(({ id, threadId }) => (threadId !== null && apart.has(threadId) ? [] : [id]));
  const where = { workspaceId: { in: ids } };
  return {
    files: await db().workspaceFile.findMany({ where, orderBy: { path: "asc" } }),
    versions: await db().fileVersion.count({ where }),
    memory: await db().memoryVersion.count({ where }),
    messages: await db().message.count({ where: own }),
    todos: await db().thread.findMany({ where: { replayId: null }, select: { id: true, updatedAt: true } }),
    firsts: await db().firstTime.findMany({ orderBy: { key: "asc" } }),
    notes: await db().inboxNote.count(),
    triggers: await db().trigger.count(),
  };
}

test("in the sandbox tools really run on the files as of the step, and nothing of the person's is touched", async () => {
  const thread = newThread();
  const runId = await recorded("Work", "worker", thread);
  await recorded("Overwrite", "worker", thread);
  const before = await ownState();
  const body = { runId, fromStep: 2, with: { message: "Work differently" }, tools: { default: "sandbox" } };
  const { replayId, runIds } = await start(body);
  expect(await get(replayId)).toMatchObject({
    changes: ["another message", "tools in a sandbox"],
    runs: [{ status: "completed", error: null, firstDifference: { step: 2 } }],
  });
  const results = await resultsOf(runIds[0] ?? "");
  expect(results[2]).toContain("one");
  expect(results[2]).not.toContain("overwritten");
  expect(results.at(-1)).toContain("of the replay");
  const files = await filesOf(runIds[0] ?? "");
  expect(files).toMatchObject({ "a.txt": "one", "b.txt": "of the replay" });
  expect(Object.entries(files).filter(([, text]) => text.includes("learnt"))).toHaveLength(1);
  expect(await ownState()).toEqual(before);
});

test("each run of a replay has files of its own, with those of the step at its start", async () => {
  const runId = await recorded("Work", "worker");
  const { replayId, runIds } = await start({ runId, fromStep: 3, repeat: 2, tools: { default: "sandbox" } });
  expect((await get(replayId)).same).toEqual({ runs: 2, of: 2 });
  const first = { ...(await filesOf(runIds[0] ?? "")) };
  expect(first["a.txt"]).toBe("one");
  expect(await filesOf(runIds[1] ?? "")).toEqual(first);
  const threads = await db().run.findMany({ where: { id: { in: runIds } }, select: { threadId: true } });
  expect(new Set(threads.map(({ threadId }) => threadId)).size).toBe(2);
});

test("a call that the recording lacks may run in the sandbox, while all others stay recorded", async () => {
  const runId = await recorded("Work", "worker");
  const change = { runId, fromStep: 2, with: { message: "Work differently" } };
  const failed = await start(change);
  expect((await get(failed.replayId)).runs[0]?.error).toContain("has no recorded result");
  const { replayId, runIds } = await start({ ...change, tools: { on_miss: "sandbox" } });
  expect((await get(replayId)).runs[0]?.status).toBe("completed");
  expect((await filesOf(runIds[0] ?? ""))["b.txt"]).toBe("of the replay");
});

test("a recorded call runs with other arguments, in the step before the replay or in a later one", async () => {
  const runId = await recorded("Work", "worker");
  const { calls } = await planOf(runId);
  const [first = "", , second = ""] = calls.map(({ toolCallId }) => toolCallId);
  const args = { path: "a.txt", content: "with other arguments" };
  const changed = { runId, fromStep: 2, with: { args: { [first]: args } } };
  const lacking = await start(changed);
  expect((await get(lacking.replayId)).runs[0]?.error).toBe(
    'write_file has no recorded result for these arguments: {"path":"a.txt","content":"with other arguments"}',
  );
  const { replayId, runIds } = await start({ ...changed, tools: { default: "sandbox" } });
  expect((await resultsOf(runIds[0] ?? "")).at(-1)).toContain("with other arguments");
  expect(await get(replayId)).toMatchObject({
    changes: ["1 call with other arguments", "tools in a sandbox"],
    runs: [{ status: "completed", sameCalls: false }],
  });
  const later = { runId, with: { args: { [second]: { path: "missing.txt" } } }, tools: { default: "sandbox" } };
  const { runIds: ofLater } = await start(later);
  expect((await resultsOf(ofLater[0] ?? "")).at(-1)).toMatch(/missing\.txt/);
  expect(await refused({ ...changed, fromStep: 3 })).toEqual([
    400,
    `with.args.${first}: is a call of step 1: replay from step 2, or earlier.`,
  ]);
  expect(await refused({ runId, with: { args: { none: {} } } })).toEqual([
    400,
    "with.args.none: is no call of this run.",
  ]);
});
