import { expect, test, vi } from "vitest";
import { DELETE as revoke } from "@/app/api/grants/[grantId]/route";
import { GET as grants } from "@/app/api/grants/route";
import { POST as cancel } from "@/app/api/runs/[runId]/cancel/route";
import { POST as decisions } from "@/app/api/runs/[runId]/decisions/route";
import type { InvokeReply } from "@/lib/schema/apis/invoke";
import { grantColumns } from "@/lib/server/engine/asks/grants";
import { revokeGrant } from "@/lib/server/inbox/grants";
import { replaceGrantStatements } from "@/lib/server/platform/db/queries/asks";
import { approvalServer, idsOf } from "@/lib/testing/fixtures/approval-fixture";
import { writeCall, writes } from "@/lib/testing/servers/scripted-turns";

const { server, newThread, say, decideOn, lastMessages } = approvalServer({
  "Write a.txt": [writes("a.txt")],
  "Write other.txt": [writes("other.txt")],
  "Write a.txt and b.txt": [writes("a.txt", "b.txt")],
  "Write a.txt twice, then b.txt": [writes("a.txt"), writes("a.txt"), writes("b.txt")],
  "Write both.txt and calculate": [
    { calls: [writeCall("both.txt"), { name: "calculate", args: { expression: "6*7" } }] },
  ],
  "Write three files and ask": [
    {
      calls: [
        ...["a.txt", "b.txt", "c.txt"].map(writeCall),
        { name: "ask_user", args: { questions: [{ question: "Which?", options: ["a", "b"] }] } },
      ],
    },
  ],
});

test("a call that a rule asks about waits, and runs once it is allowed", async () => {
  const thread = newThread();
  const asked = await say("Write a.txt", thread);
  expect(asked).toMatchObject({
    status: "waiting",
    interrupted: true,
    interrupts: [
      { kind: "approval", tool: "write_file", args: { path: "a.txt" }, reason: "Rule: ask before write_file." },
    ],
    files: {},
  });
  const answer = await (await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }])).json();
  expect(answer).toMatchObject({ run_id: asked.run_id, status: "completed", response: "done", interrupted: false });
  expect(Object.keys(answer.files)).toEqual(["a.txt"]);
  const again = await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]);
  expect([again.status, (await again.json()).error.code]).toEqual([409, "conflict"]);
});

test("the siblings of a call that waits finish, and the model gets all results in order", async () => {
  const thread = newThread();
  const asked = await say("Write both.txt and calculate", thread);
  expect(asked.tool_calls.find(({ name }) => name === "calculate")?.output).toBe("42");
  await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "deny", reason: "Not now." }]);
  const results = lastMessages().filter(({ role }) => role === "tool");
  expect(results[0]?.content).toMatch(/^The user declined this call: Not now\./);
  expect(results[1]?.content).toBe("42");
});

test("an edit runs the person's arguments, keeps both versions and tells the model", async () => {
  const thread = newThread();
  const asked = await say("Write a.txt", thread);
  const [id] = idsOf(asked);
  const wrong = await decideOn(thread, [{ tool_call_id: id, decision: "edit", args: { path: 7 } }]);
  expect((await wrong.json()).error.details[0].path).toBe("decisions.0.args.path");
  const edited = { tool_call_id: id, decision: "edit", args: { file_path: "b.txt", content: "mine" } };
  const answer = await (await decideOn(thread, [edited])).json();
  expect(answer.files).toEqual({ "b.txt": "mine" });
  expect(answer.tool_calls[0].output).toContain("The user changed the arguments");
  const row = await server().database.approval.findFirstOrThrow({ where: { runId: asked.run_id } });
  expect(row.status).toBe("edited");
  expect([JSON.parse(row.args).path, JSON.parse(row.editedArgs ?? "").path]).toEqual(["a.txt", "b.txt"]);
});

test("the trace shows the call that waited and the one that went on, with who decided", async () => {
  const thread = newThread();
  const asked = await say("Write a.txt", thread);
  expect(await server().database.trace.findUnique({ where: { runId: asked.run_id } })).toMatchObject({
    status: "waiting",
  });
  await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]);
  const where = { runId: asked.run_id, name: "tool.call" };
  await vi.waitUntil(
    async () => (await server().database.span.count({ where: { ...where, status: "completed" } })) > 0,
    { timeout: 30_000, interval: 5 },
  );
  const spans = await server().database.span.findMany({ where, orderBy: { startedAt: "asc" } });
  expect(spans.map(({ status }) => status)).toEqual(["waiting", "completed"]);
  const [before, after] = spans.map(({ attributes }) => JSON.parse(attributes));
  expect(before).toMatchObject({ waiting_for: "approval", permission: "ask", permission_by: "ask" });
  const who = { decided_by: "member", decided_by_name: "The member", decided_via: "api" };
  expect(after).toMatchObject({ tool_call_id: before.tool_call_id, approval: "allow", ...who });
});

test("a declined call is not asked again in the same turn", async () => {
  const thread = newThread();
  const asked = await say("Write a.txt twice, then b.txt", thread);
  const next = await (await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "deny" }])).json();
  expect(next.status).toBe("waiting");
  expect(next.interrupts.map(({ args }: { args: { path: string } }) => args.path)).toEqual(["b.txt"]);
  expect(next.tool_calls[1].error).toMatch(/It was not asked again\.$/);
});

test("several calls are decided one by one; the run continues after the last", async () => {
  const thread = newThread();
  const asked = await say("Write a.txt and b.txt", thread);
  const [first, second] = idsOf(asked);
  const half = await (await decideOn(thread, [{ tool_call_id: first, decision: "allow" }])).json();
  expect([half.status, idsOf(half)]).toEqual(["waiting", [second]]);
  const rest = await (await decideOn(thread, [{ tool_call_id: second, decision: "deny" }])).json();
  expect([rest.status, Object.keys(rest.files)]).toEqual(["completed", ["a.txt"]]);
});

test("decisions of every kind go in one body, and none is taken when one of them is wrong", async () => {
  const thread = newThread();
  const asked = await say("Write three files and ask", thread);
  const [allowed, edited, denied, question] = idsOf(asked);
  const decisionsWith = (content: unknown) => [
    { tool_call_id: allowed, decision: "allow" },
    { tool_call_id: edited, decision: "edit", args: { path: "b.txt", content } },
    { tool_call_id: denied, decision: "deny", reason: "Not that one." },
    { tool_call_id: question, decision: "answer", answers: ["a"] },
  ];
  const wrong = await decideOn(thread, decisionsWith(7));
  expect([wrong.status, (await wrong.json()).error.details[0].path]).toEqual([400, "decisions.1.args.content"]);
  const rows = { where: { runId: asked.run_id }, orderBy: { id: "asc" } } as const;
  expect((await server().database.approval.findMany(rows)).every(({ status }) => status === "pending")).toBe(true);
  const done = await (await decideOn(thread, decisionsWith("mine"))).json();
  expect([done.status, done.files]).toEqual(["completed", { "a.txt": "hello", "b.txt": "mine" }]);
  expect(done.tool_calls[2].error).toMatch(/^The user declined this call: Not that one\./);
  expect(done.tool_calls[3].output).toBe('{"answers":["a"]}');
});

test("of two simultaneous decisions one is accepted", async () => {
  const thread = newThread();
  const asked = await say("Write a.txt and b.txt", thread);
  const [first, second] = idsOf(asked);
  const one = (id: string | undefined, decision: string) =>
    server().call(decisions, {
      as: "member",
      method: "POST",
      params: { runId: asked.run_id },
      body: { decisions: [{ tool_call_id: id, decision }] },
    });
  const replies = await Promise.all([one(first, "allow"), one(first, "deny"), one(second, "allow")]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
  expect(replies[2]?.status).toBe(200);
});

test("a grant lets exactly this call run in this thread until it is revoked", async () => {
  const thread = newThread();
  const asked = await say("Write a.txt", thread);
  await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow", scope: "thread" }]);
  expect((await say("Write a.txt", thread)).status).toBe("completed");
  const other = await say("Write other.txt", thread);
  expect(other.status).toBe("waiting");
  const { grants: all } = await (await server().call(grants, { as: "member" })).json();
  expect(all).toMatchObject([{ tool: "write_file", args: { path: "a.txt", content: "hello" } }]);
  const [grantId] = all.map(({ id }: { id: string }) => id);
  const stranger = revokeGrant(server().services, grantId, { id: "other", scopes: ["read", "chat"] });
  await expect(stranger).rejects.toMatchObject({ code: "not_found" });
  expect((await server().call(revoke, { as: "member", method: "DELETE", params: { grantId } })).status).toBe(204);
  expect((await say("Write a.txt", thread)).status).toBe("waiting");
  const actions = await server().database.auditEntry.findMany({ where: { action: { startsWith: "grant." } } });
  expect(actions.map(({ action }) => action).toSorted()).toEqual(["grant.created", "grant.revoked"]);
});

test("a grant that is given again is a new row; the one before it stays, revoked, for what names it", async () => {
  const thread = newThread();
  const allow = async (asked: InvokeReply) => {
    const decisions = [{ tool_call_id: idsOf(asked)[0], decision: "allow", scope: "thread" }];
    expect((await decideOn(thread, decisions)).status).toBe(200);
    return server().database.approval.findFirstOrThrow({ where: { runId: asked.run_id } });
  };
  const { database } = server();
  const first = await allow(await say("Write a.txt", thread));
  expect(first).toMatchObject({ rule: '"write_file"', grantId: expect.stringMatching(/^grt_/) });
  await database.grant.update({ where: { id: first.grantId ?? "" }, data: { expiresAt: new Date() } });
  const second = await allow(await say("Write a.txt", thread));
  expect(second.grantId).not.toBe(first.grantId);
  const rows = await database.grant.findMany({
    where: { id: { in: [first.grantId ?? "", second.grantId ?? ""] } },
    orderBy: [{ createdAt: "asc" }],
  });
  expect(rows.map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
    [first.grantId, rows[1]?.createdAt],
    [second.grantId, null],
  ]);
  expect((await say("Write a.txt", thread)).status).toBe("completed");
});

test("of two grants for the same call at the same time one stands", async () => {
  const { database } = server();
  const { run_id: runId } = await say("Write a.txt", newThread());
  const { threadId } = await database.run.findUniqueOrThrow({ where: { id: runId } });
  const terms = { threadId, ownerId: "member", ttlDays: 1, rulesHash: "asks x" };
  const call = { tool: "write_file", args: { path: "same.txt" } };
  const given = Array.from({ length: 4 }, () =>
    replaceGrantStatements(grantColumns({ ...terms, now: new Date() }, call)),
  );
  await Promise.all(given.map((statements) => database.runAll(statements)));
  expect(await database.grant.count({ where: { threadId, revokedAt: null } })).toBe(1);
});

test("a new message while a run waits declines what it asks, and the waiting run ends cancelled", async () => {
  const thread = newThread();
  const asked = await say("Write a.txt", thread);
  const answer = await say("hello", thread);
  expect([answer.status, answer.response]).toEqual(["completed", "done"]);
  expect(await server().database.run.findUnique({ where: { id: asked.run_id } })).toMatchObject({
    status: "cancelled",
  });
  const messages = lastMessages();
  expect(messages.map(({ role }) => role).slice(-4)).toEqual(["user", "assistant", "tool", "user"]);
  expect(messages.at(-2)?.content).toMatch(/^declined: the user sent a new message/);
  const late = await decideOn(thread, [{ tool_call_id: idsOf(asked)[0], decision: "allow" }]);
  expect(late.status).toBe(409);
});

test("a waiting run can be cancelled", async () => {
  const asked = await say("Write a.txt", newThread());
  const reply = await server().call(cancel, { as: "member", method: "POST", params: { runId: asked.run_id } });
  expect((await reply.json()).status).toBe("cancelled");
  const row = await server().database.approval.findFirstOrThrow({ where: { runId: asked.run_id } });
  expect(row.status).toBe("declined");
});
