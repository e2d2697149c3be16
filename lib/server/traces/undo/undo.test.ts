import { beforeAll, expect, test } from "vitest";
import type { UndoneRun } from "@/lib/schema/traces/undo";
import { createAgent } from "@/lib/server/agents/publish-version";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { deleteVersionsBefore } from "@/lib/server/platform/db/queries/retention/old-versions";
import { deleteUnusedBlobs } from "@/lib/server/platform/db/queries/retention/purge";
import { loadRunMessages } from "@/lib/server/traces/load-run-messages";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { refusal, undoing, writeCall } from "@/lib/testing/traces/undo-runs";
import { changeFiles } from "./change-files";
import { finishLeftUndos, finishUndo } from "./journal";
import { requireVersionsKept } from "./swept-versions";
import { reversed, UndoTargets } from "./undo-targets";

const plan = (title: string) => ({ name: "write_todos", args: { todos: [{ id: "1", title, status: "in_progress" }] } });

const { server, newThread, say, lastMessages } = approvalServer({
  Start: [{ calls: [writeCall("a.txt", "one"), writeCall("b.txt", "two"), plan("First")] }, { text: "ok" }],
  Work: [
    { calls: [writeCall("a.txt", "changed"), writeCall("made/c.txt", "new"), writeCall("MEMORY.md", "- Tea.\n")] },
    { calls: [writeCall("a.txt", "changed twice"), writeCall("b.txt", "two again"), plan("Second")] },
    { text: "ok" },
  ],
  "Change a": [{ calls: [writeCall("a.txt", "of a later run")] }, { text: "ok" }],
  Delegate: [
    { calls: [{ name: "task", args: { agent: "helper", description: "d", prompt: "Help" } }] },
    { text: "ok" },
  ],
  Help: [{ calls: [writeCall("child.txt", "of the child")] }, { text: "helped" }],
  Ask: [{ calls: [writeCall("a.txt", "asked")] }, { text: "ok" }],
  Twice: [{ calls: [writeCall("b.txt", "once"), writeCall("b.txt", "twice"), writeCall("a.txt", "asked")] }],
  Both: [{ calls: [writeCall("a.txt", "changed"), writeCall("b.txt", "changed"), writeCall("b.txt", "asked")] }],
  Hello: [{ text: "Hello." }],
});

beforeAll(async () => {
  const base = { model: "scripted:m", retries: 0, tools: ["write_todos"], system_prompt: "You write." };
  const helper = { name: "helper", description: "Helps.", prompt: "You help." };
  const backend = { type: "state", scope: "thread" };
  const permissions = {
    enabled: true,
    mode: "accept_edits",
    ask: [{ tool: "write_file", args: { content: "asked" } }],
  };
  await createAgent(server().services, {
    agentId: "worker",
    raw: { ...base, backend, name: "W", subagents: [helper], permissions },
    createdById: null,
  });
  const shared = { ...base, name: "Shared", backend: { type: "state", scope: "user" } };
  await createAgent(server().services, { agentId: "shared", raw: { ...shared, permissions }, createdById: null });
});

const db = () => server().database;
const { post, preview, undo, takeBack, run, filesOf, edit } = undoing({ server, say });

/** A thread in which two runs wrote files, with what it had after the first. */
async function worked() {
  const thread = newThread();
  await run("Start", thread);
  const before = await filesOf(thread);
  const runId = await run("Work", thread);
  return { thread, before, runId };
}

test("a run goes back with its files, memory and plan, as versions of the person, and the next model call reads it", async () => {
  const { thread, before, runId } = await worked();
  const shown = await preview(runId);
  expect(shown).toMatchObject({
    sentence: "3 files, 1 memory document and the plan go back. Everything is undone or nothing is.",
    todos: true,
    cannotUndo: [],
    callsKnown: true,
  });
  expect(shown.files.map(({ path, action }) => [path, action])).toEqual([
    ["a.txt", "restore"],
    ["b.txt", "restore"],
    ["made/c.txt", "delete"],
  ]);
  expect(shown.memory).toMatchObject([{ path: "MEMORY.md", action: "delete" }]);
  expect(await filesOf(thread)).not.toEqual(before);

  const reply = await post(runId, { token: shown.token });
  expect(reply.status).toBe(200);
  expect(await filesOf(thread)).toEqual(before);
  const undone = await db().undo.findFirstOrThrow({ where: { runId } });
  const versions = await db().fileVersion.findMany({ where: { undoId: undone.id } });
  expect(versions.map(({ path, authorId, runId: of }) => [path, authorId, of]).toSorted()).toEqual(
    ["MEMORY.md", "a.txt", "b.txt", "made/c.txt"].map((path) => [path, "member", null]),
  );
  expect(await db().memoryVersion.count({ where: { undoId: undone.id, path: "MEMORY.md", blobHash: null } })).toBe(1);
  const audit = await db().auditEntry.findFirstOrThrow({ where: { action: "run.undone", target: `run:${runId}` } });
  expect(audit.actorId).toBe("member");

  const read = await loadRunMessages(db(), await db().run.findUniqueOrThrow({ where: { id: runId } }));
  expect(read.messages.at(-1)).toMatchObject({ role: "assistant", content: "ok" });
  await run("Hello", thread);
  const texts = lastMessages().map(({ content }) => JSON.stringify(content));
  expect(
    texts.some((text) => text.includes("undid the run that answered “Work”: MEMORY.md deleted, a.txt restored")),
  ).toBe(true);
  const asked = server().provider.requests.at(-1)?.body;
  expect(JSON.stringify(asked)).toContain("First");
  const transcript = await db().transcriptMessage.findMany({ where: { parts: { contains: "data-undo" } } });
  expect(transcript).toHaveLength(1);
});

test("what somebody changed since stays, and the text of before is put beside it", async () => {
  const { thread, before, runId } = await worked();
  await edit(thread, "a.txt", "mine");
  await edit(thread, "made/c.txt", "mine too");
  const { files } = await preview(runId);
  expect(files).toMatchObject([
    { path: "a.txt", action: "keep_both" },
    { path: "b.txt", action: "restore" },
    { path: "made/c.txt", action: "keep_both" },
  ]);
  const undone: UndoneRun = await (await undo(runId)).json();
  expect(undone.text).toContain(
    "a.txt kept, with its earlier text beside it, b.txt restored, made/c.txt left as it is",
  );
  expect(await filesOf(thread)).toEqual({
    ...before,
    "a.txt": "mine",
    "a (before undo).txt": "one",
    "made/c.txt": "mine too",
  });
});

test("undoing an older run never takes back a newer one's work, and after that one was undone it goes back wholly", async () => {
  const { thread, before, runId } = await worked();
  const later = await run("Change a", thread);
  expect((await preview(runId)).files[0]).toMatchObject({ path: "a.txt", action: "keep_both" });
  expect((await undo(later)).status).toBe(200);
  expect((await preview(runId)).files[0]).toMatchObject({ path: "a.txt", action: "restore" });
  expect((await undo(runId)).status).toBe(200);
  expect(await filesOf(thread)).toEqual(before);
});

test("a run is undone once; what changed since it was shown refuses the token and changes nothing", async () => {
  const { thread, runId } = await worked();
  const { token } = await preview(runId);
  await edit(thread, "a.txt", "mine");
  const files = await filesOf(thread);
  expect(await refusal(await post(runId, { token }))).toEqual([409, "Something of it has changed since. Look again."]);
  expect(await filesOf(thread)).toEqual(files);
  const second = (await preview(runId)).token;
  const replies = await Promise.all([post(runId, { token: second }), post(runId, { token: second })]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await refusal(await post(runId, { preview: true }))).toEqual([409, expect.stringContaining("already")]);
});

test("an undo is taken back while nothing has changed since, and may then be done again", async () => {
  const { thread, runId } = await worked();
  const after = await filesOf(thread);
  await undo(runId);
  const reply = await takeBack(runId);
  expect(reply.status).toBe(200);
  expect((await reply.json()) as UndoneRun).toMatchObject({ state: "taken_back" });
  expect(await filesOf(thread)).toEqual(after);
  expect(await refusal(await takeBack(runId))).toEqual([409, expect.stringContaining("nothing to take back")]);
  expect((await undo(runId)).status).toBe(200);
  await edit(thread, "a.txt", "mine");
  const files = await filesOf(thread);
  expect(await refusal(await takeBack(runId))).toEqual([409, "a.txt has changed. Look again."]);
  expect(await filesOf(thread)).toEqual(files);
  expect((await db().undo.findFirstOrThrow({ where: { runId, state: "done" } })).endedAt).not.toBeNull();
});

test("subagents are undone with their parent, and not by themselves", async () => {
  const thread = newThread();
  const runId = await run("Delegate", thread);
  const child = await db().run.findFirstOrThrow({ where: { parentRunId: runId } });
  expect(await refusal(await post(child.id, { preview: true }))).toEqual([409, expect.stringContaining("subagent")]);
  expect((await preview(runId)).files).toMatchObject([{ path: "child.txt", action: "delete" }]);
  await undo(runId);
  expect(await filesOf(thread)).toEqual({});
});

test("beside a run that works on the same files it is refused, with that run's id, and nothing is left marked", async () => {
  const runId = await run("Start", newThread(), "shared");
  const waiting = await say("Ask", newThread(), "shared");
  expect(await refusal(await undo(runId))).toEqual([409, expect.stringContaining(waiting.run_id)]);
  expect(await db().workspace.count({ where: { undoId: { not: null } } })).toBe(0);
  expect(await db().undo.count({ where: { runId } })).toBe(0);
  expect(await refusal(await post(waiting.run_id, { preview: true }))).toEqual([
    409,
    expect.stringContaining("going on"),
  ]);
  await db().run.update({ where: { id: waiting.run_id }, data: { status: "cancelled", endedAt: new Date() } });
  expect((await undo(runId)).status).toBe(200);
});

test("swept texts are named and nothing is undone; what is not known to have been there is left", async () => {
  const { thread, runId } = await worked();
  await db().fileVersion.updateMany({ where: { runId, path: "b.txt" }, data: { before: "unknown" } });
  expect((await preview(runId)).sentence).toContain("1 file stays as it is: what was there before is not known.");
  await undo(runId);
  expect((await filesOf(thread))["b.txt"]).toBe("two again");

  const other = await worked();
  const pace = { rest: async () => true };
  await deleteVersionsBefore(db(), new Date(Date.now() + 1_000), pace);
  await db().blob.updateMany({ data: { createdAt: new Date(0) } });
  await deleteUnusedBlobs(db(), new Date(), pace);
  expect(await refusal(await post(other.runId, { preview: true }))).toEqual([
    409,
    expect.stringContaining("cleaned up, so nothing can be undone"),
  ]);
});

test.each([
  { of: "a run", named: "a.txt" },
  { of: "a run whose file changed since", edited: "b.txt" },
  { of: "a run without steps", lost: {}, named: "a.txt" },
  { of: "a run whose first step was lost", lost: { step: 1 }, named: "a.txt" },
  { of: "a run stopped while it asked", words: "Twice", named: "b.txt" },
  { of: "one stopped so, its last too", words: "Both", edited: "b.txt", named: "a.txt" },
])(
  "where versions from during $of were cleaned up, though their texts are still stored, nothing is undone",
  async ({ words = "Work", edited, lost, named }) => {
    const thread = newThread();
    await run("Start", thread);
    const runId = await run(words, thread);
    await cancelRun(db(), runId, "member");
    if (edited !== undefined) await edit(thread, edited, "mine");
    if (lost !== undefined) await db().runStep.deleteMany({ where: { runId, ...lost } });
    expect((await preview(runId)).canUndo).toBe(true);
    const was = await filesOf(thread);
    await deleteVersionsBefore(db(), new Date(Date.now() + 1_000), { rest: async () => true });
    const [status, message] = await refusal(await post(runId, { preview: true }));
    expect([status, message]).toEqual([
      409,
      expect.stringMatching(
        /^Versions of files that changed during this run.* were cleaned up, so nothing can be undone\.$/,
      ),
    ]);
    if (named !== undefined) expect(message).toContain(`(${named}`);
    expect(await filesOf(thread)).toEqual(was);
  },
);

test.each(["Work", "Twice"])("what was cleaned up from before a run (%s) does not hinder undoing it", async (words) => {
  const thread = newThread();
  const earlier = await run("Start", thread);
  const before = await filesOf(thread);
  const runId = await run(words, thread);
  await cancelRun(db(), runId, "member");
  await db().fileVersion.updateMany({ where: { runId: earlier }, data: { createdAt: new Date(0) } });
  await deleteVersionsBefore(db(), new Date(1), { rest: async () => true });
  expect(await db().fileVersion.count({ where: { runId: earlier, path: "b.txt" } })).toBe(0);
  expect((await undo(runId)).status).toBe(200);
  expect(await filesOf(thread)).toEqual(before);
});

test("a gap is found among more files and runs than a statement has parameters, and none where there is none", async () => {
  const { runId } = await worked();
  const { workspaceId } = await db().fileVersion.findFirstOrThrow({ where: { runId } });
  const versions = await db().fileVersion.findMany({ where: { workspaceId, path: "b.txt" } });
  const last = await db().fileVersion.count({ where: { workspaceId } });
  const paths = Array.from({ length: 1_500 }, (_, index) => `many/${index}.txt`);
  const rows = paths.flatMap((path) => versions.map((row) => ({ ...row, path, id: `${row.id} ${path}` })));
  await db().fileVersion.createMany({ data: rows.map((row, index) => ({ ...row, seq: last + 1 + index })) });
  await db().runStep.deleteMany({ where: { runId } });
  const run = await db().run.findUniqueOrThrow({ where: { id: runId } });
  const children = paths.map((path) => ({ ...run, id: `${run.id} ${path}` }));
  const found = { tree: [run, ...children], isOwn: true };
  await requireVersionsKept(db(), found, null);
  await db().fileVersion.deleteMany({ where: { workspaceId, path: "many/999.txt", version: 1 } });
  await expect(requireVersionsKept(db(), found, null)).rejects.toThrow("(many/999.txt)");
});

test("only whoever may write the thread undoes its runs", async () => {
  const { runId } = await worked();
  for (const as of ["viewer", "admin"] as const) {
    expect((await post(runId, { preview: true }, as)).status).toBe(as === "viewer" ? 403 : 404);
    expect((await takeBack(runId, as)).status).toBe(as === "viewer" ? 403 : 404);
  }
  expect((await post("run_gone", { preview: true })).status).toBe(404);
});

/** An undo as a process leaves it that is killed after some of its changes, and one written file without its version. */
async function leftAfter(count: number, state: "checking" | "working" | "taking_back") {
  const found = await worked();
  const after = await filesOf(found.thread);
  await undo(found.runId);
  const row = await db().undo.findFirstOrThrow({ where: { runId: found.runId } });
  const targets = UndoTargets.parse(JSON.parse(row.targets));
  const by = { actorId: "member", undoId: row.id };
  if (state !== "taking_back") await changeFiles(servicesOf(db()), reversed(targets.files), by);
  const way = state === "taking_back" ? reversed(targets.files) : targets.files;
  await changeFiles(servicesOf(db()), way.slice(0, count), by);
  await db().message.deleteMany({ where: { id: row.id } });
  const marked = { id: { in: targets.files.map(({ workspaceId }) => workspaceId) } };
  await db().workspace.updateMany({ where: marked, data: { undoId: row.id } });
  await db().undo.update({ where: { id: row.id }, data: { state, endedAt: null, takenBackById: "member" } });
  return { ...found, after, undoId: row.id, targets };
}

test.each([0, 1, 2, 3, 4])(
  "an undo that was killed after %i of its changes is finished, its line and mark too",
  async (count) => {
    const { thread, before, undoId, runId } = await leftAfter(count, "working");
    await finishLeftUndos(servicesOf(db()));
    expect(await filesOf(thread)).toEqual(before);
    expect(await db().undo.findUnique({ where: { id: undoId } })).toMatchObject({ state: "done" });
    expect(await db().workspace.count({ where: { undoId } })).toBe(0);
    expect(await db().message.count({ where: { id: undoId } })).toBe(1);
    expect((await takeBack(runId)).status).toBe(200);
  },
);

test("one that was killed while it was taken back is taken back, by the next run that works there", async () => {
  const { thread, after, undoId } = await leftAfter(2, "taking_back");
  await run("Hello", thread);
  expect(await filesOf(thread)).toEqual(after);
  expect(await db().undo.findUnique({ where: { id: undoId } })).toMatchObject({ state: "taken_back" });
});

test("one that was killed before it had looked whether somebody works there is forgotten", async () => {
  const { thread, after, undoId } = await leftAfter(0, "checking");
  await finishLeftUndos(servicesOf(db()));
  expect(await filesOf(thread)).toEqual(after);
  expect(await db().undo.findUnique({ where: { id: undoId } })).toBeNull();
  expect(await db().workspace.count({ where: { undoId } })).toBe(0);
});

test("one that was killed half-way and meets another change is rolled back, and that change stays", async () => {
  const { thread, after, undoId, targets } = await leftAfter(2, "working");
  const last = targets.files.at(-1)?.path ?? "";
  await edit(thread, last, "of a person");
  await expect(finishUndo(servicesOf(db()), undoId)).rejects.toThrow(`${last} has changed`);
  expect(await filesOf(thread)).toEqual({ ...after, [last]: "of a person" });
  expect(await db().undo.findUnique({ where: { id: undoId } })).toBeNull();
  expect(await db().workspace.count({ where: { undoId } })).toBe(0);
});

test("a run that changed nothing has nothing to undo", async () => {
  const runId = await run("Hello", newThread());
  expect(await preview(runId)).toMatchObject({ sentence: "Nothing of this run can be undone.", files: [], memory: [] });
  expect((await undo(runId)).status).toBe(409);
});
