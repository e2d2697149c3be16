import { beforeAll, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";
import { undoing, writeCall } from "@/lib/testing/traces/undo-runs";
import { finishLeftUndos, finishUndo } from "./journal";

const { server, newThread, say } = approvalServer({
  Start: [{ calls: [writeCall("a.txt", "one"), writeCall("b.txt", "two")] }, { text: "ok" }],
  Work: [
    { calls: [writeCall("a.txt", "changed"), writeCall("made/c.txt", "new"), writeCall("MEMORY.md", "- Tea.\n")] },
    { calls: [writeCall("a.txt", "changed twice"), writeCall("b.txt", "two again")] },
    { text: "ok" },
  ],
});

beforeAll(async () => {
  const raw = { name: "W", model: "scripted:m", retries: 0, backend: { type: "state", scope: "thread" } };
  await createAgent(server().services, { agentId: "worker", raw, createdById: null });
});

const db = () => server().database;
const { preview, takeBack, run, filesOf, edit } = undoing({ server, say });

/** The undo of a run that wrote four files, by a process that was killed once it had changed so many of them. */
async function killedAfter(changes: number) {
  const thread = newThread();
  await run("Start", thread);
  const before = await filesOf(thread);
  const runId = await run("Work", thread);
  const after = await filesOf(thread);
  const { token, files, memory } = await preview(runId);
  expect(files.length + memory.length).toBe(4);
  const script = "lib/testing/processes/traces/killable-undo.ts";
  const killed = await runProcess(script, db().url, runId, token, String(changes));
  expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
  // What a dead process has locked is free after a while.
  await db().lock.updateMany({ data: { until: new Date(0) } });
  const { id: undoId } = await db().undo.findFirstOrThrow({ where: { runId, state: "working", endedAt: null } });
  expect(await filesOf(thread)).not.toEqual(after);
  return { thread, runId, undoId, before, after };
}

test.each([1, 2, 3, 4])(
  "an undo whose process is killed with SIGKILL amid change %i of 4 is finished, and can be taken back",
  { timeout: 60_000 },
  async (changes) => {
    const { thread, runId, undoId, before, after } = await killedAfter(changes);
    await finishLeftUndos(servicesOf(db()));
    expect(await filesOf(thread)).toEqual(before);
    expect(await db().undo.findUnique({ where: { id: undoId } })).toMatchObject({ state: "done" });
    expect(await db().workspace.count({ where: { undoId } })).toBe(0);
    expect(await db().message.count({ where: { id: undoId } })).toBe(1);
    const versions = await db().fileVersion.findMany({ where: { undoId }, select: { path: true } });
    expect(versions.map(({ path }) => path).toSorted()).toEqual(["MEMORY.md", "a.txt", "b.txt", "made/c.txt"]);
    expect((await takeBack(runId)).status).toBe(200);
    expect(await filesOf(thread)).toEqual(after);
  },
);

test("one that meets another change is rolled back, and that change stays", { timeout: 60_000 }, async () => {
  const { thread, undoId, after } = await killedAfter(2);
  const undone = await db().undo.findUniqueOrThrow({ where: { id: undoId } });
  const paths = (JSON.parse(undone.targets) as { files: { path: string }[] }).files.map(({ path }) => path);
  const last = paths.at(-1) ?? "";
  await edit(thread, last, "of a person");
  await expect(finishUndo(servicesOf(db()), undoId)).rejects.toThrow(`${last} has changed`);
  expect(await filesOf(thread)).toEqual({ ...after, [last]: "of a person" });
  expect(await db().undo.findUnique({ where: { id: undoId } })).toBeNull();
  expect(await db().workspace.count({ where: { undoId } })).toBe(0);
});
