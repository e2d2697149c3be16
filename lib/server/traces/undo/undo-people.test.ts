import { beforeAll, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { AUTOMATION_USER_ID } from "@/lib/server/triggers/webhooks/automation-user";
import { approvalServer } from "@/lib/testing/fixtures/approval-fixture";
import { undoing, writeCall } from "@/lib/testing/traces/undo-runs";
import { eraseNameInLines } from "./thread-line";

const chat = approvalServer({
  Work: [
    {
      calls: [
        writeCall("report.md", "new"),
        writeCall("MEMORY.md", "- Tea.\n"),
        { name: "write_todos", args: { todos: [{ id: "1", title: "T", status: "completed" }] } },
        { name: "schedule", args: { action: "list" } },
        { name: "schedule", args: { action: "create", name: "Daily", prompt: "x", when: "every day at 9:00" } },
      ],
    },
    { text: "ok" },
  ],
});
const { server, newThread } = chat;
const { run, post, preview, undo, takeBack, filesOf } = undoing(chat);
const db = () => server().database;

beforeAll(async () => {
  const raw = { name: "W", model: "scripted:m", retries: 0, backend: { type: "state", scope: "thread" } };
  const tools = ["write_todos", "schedule"];
  const permissions = { enabled: true, mode: "accept_edits", allow: ["schedule"] };
  await createAgent(server().services, {
    agentId: "worker",
    raw: { ...raw, tools, permissions, system_prompt: "You write." },
    createdById: null,
  });
});

/** A thread of the member's in a project in which the administrator has this role. */
async function inProject(role: "write" | "read") {
  const id = `prj_${crypto.randomUUID()}`;
  const members = [
    { userId: "member", role: "owner" },
    { userId: "admin", role },
  ];
  await db().project.create({ data: { id, name: "Shared", createdById: "member", members: { create: members } } });
  const clientId = newThread();
  const thread = {
    id: `th_${id}`,
    ownerId: "member",
    agentId: "worker",
    clientId,
    projectId: id,
    fileScope: "project",
  };
  await db().thread.create({ data: thread });
  return { thread: clientId, runId: await run("Work", clientId) };
}

test("a call that may have reached something else is listed, with what allowed it; one that only lists is not", async () => {
  const runId = await run("Work", newThread());
  expect((await preview(runId)).cannotUndo).toEqual([
    {
      toolCallId: expect.any(String),
      tool: "schedule",
      gist: expect.stringContaining("create, Daily"),
      allowedBy: "Rule: schedule",
    },
  ]);
  await db().call.deleteMany({ where: { runId } });
  expect(await preview(runId)).toMatchObject({ cannotUndo: [], callsKnown: false });
});

test("another writer of the project undoes its files, and neither memory nor plan, nor do they see arguments", async () => {
  const { thread, runId } = await inProject("write");
  const shown = await preview(runId, "admin");
  expect(shown).toMatchObject({ files: [{ path: "report.md", action: "delete" }], memory: [], todos: false });
  expect(shown.cannotUndo.map(({ gist }) => gist)).toEqual([null]);
  expect((await undo(runId, "admin")).status).toBe(200);
  expect(Object.keys(await filesOf(thread))).toEqual(["MEMORY.md"]);

  const name = (await db().user.findUniqueOrThrow({ where: { id: "admin" } })).name;
  const line = () =>
    db().message.findFirstOrThrow({
      where: { content: { contains: "undid the run" } },
      orderBy: { createdAt: "desc" },
    });
  expect((await line()).content).toContain(name);
  await eraseNameInLines(db(), "admin");
  expect((await line()).content).toContain("whose account was erased undid the run");
  const { parts } = await db().transcriptMessage.findFirstOrThrow({ where: { runId, role: "assistant" } });
  expect(parts).toContain("whose account was erased");
  expect((await takeBack(runId)).status).toBe(200);
});

test("for a reader of the project, and for a stranger, there is no such run", async () => {
  const { runId } = await inProject("read");
  expect((await post(runId, { preview: true }, "admin")).status).toBe(404);
  expect((await takeBack(runId, "admin")).status).toBe(404);
  const own = await run("Work", newThread());
  expect((await post(own, { preview: true }, "admin")).status).toBe(404);
});

test("what the installation itself started is an administrator's to undo", async () => {
  const thread = newThread();
  const runId = await run("Work", thread);
  await db().user.upsert({
    where: { id: AUTOMATION_USER_ID },
    create: { id: AUTOMATION_USER_ID, name: "Automation", email: "automation@example.test" },
    update: {},
  });
  const ofAutomation = { ownerId: AUTOMATION_USER_ID };
  await db().run.update({ where: { id: runId }, data: ofAutomation });
  const { id: threadId } = await db().thread.findFirstOrThrow({ where: { clientId: thread } });
  await db().thread.update({ where: { id: threadId }, data: ofAutomation });
  const scopeKey = `worker/${AUTOMATION_USER_ID}/${threadId}`;
  await db().workspace.updateMany({ where: { threadId }, data: { ...ofAutomation, scopeKey } });
  expect((await post(runId, { preview: true })).status).toBe(404);
  expect((await preview(runId, "admin")).files).toMatchObject([{ path: "report.md", action: "delete" }]);
});
