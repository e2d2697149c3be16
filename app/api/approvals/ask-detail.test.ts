import { afterEach, beforeEach, expect, test } from "vitest";
import type { AskDetail } from "@/lib/schema/inbox/ask-detail";
import type { BudgetAsk } from "@/lib/schema/runs/budget-ask";
import type { ApprovalList } from "@/lib/schema/runs/interrupt";
import { grantColumns } from "@/lib/server/engine/asks/grants";
import type { RunHost } from "@/lib/server/engine/host";
import { fireTrigger } from "@/lib/server/triggers/fire-trigger";
import { followRuns } from "@/lib/server/triggers/notify/notify-run";
import { approvalParts } from "@/lib/testing/fixtures/approval-parts";
import { addAgent, addThread, reached, say, testHost } from "@/lib/testing/fixtures/run-fixture";
import { addSchedule } from "@/lib/testing/fixtures/trigger-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { PATCH as choose } from "../notifications/route";
import { POST as decide } from "../runs/[runId]/decisions/route";
import { GET as showOutcome } from "./[approvalId]/outcome/route";
import { GET as show } from "./[approvalId]/route";
import { GET as list } from "./route";

let server: TestServer;
let host: RunHost;
let stop: () => void;

beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "agent", { name: "Sender", model: "scripted:approval" });
  await addThread(server.database, "th1", { ownerId: "member", agentId: "agent" });
  host = testHost(
    server.database,
    approvalParts(`${server.dataDirectory}/effects`, () => undefined),
  );
  await host.start();
  stop = followRuns(server.services);
});
afterEach(async () => {
  stop();
  await host.stop();
  await server.close();
});

const asked = async () => {
  await reached(async () => (await server.database.approval.count({ where: { status: "pending" } })) === 1);
  return server.database.approval.findFirstOrThrow({ where: { status: "pending" } });
};
const detail = async (approvalId: string, as: "member" | "admin" | "viewer" = "member") => {
  const reply = await server.call(show, { as, params: { approvalId } });
  return { status: reply.status, body: (await reply.json()) as AskDetail };
};
const waiting = async (as: "member" | "admin" = "member"): Promise<ApprovalList> =>
  (await server.call(list, { as })).json();

test("an ask of a schedule says what started it and when it was due, what was done, and who was told", async () => {
  const ways = { decision: { page: true, email: true } };
  await server.call(choose, { as: "member", method: "PATCH", body: { ways } });
  const due = new Date(Date.now() - 1_000);
  const own = { id: "trg1", ownerId: "member", nextDueAt: due };
  await addSchedule(server.database, { name: "Send it", every: "1h" }, own);
  await fireTrigger(server.services, "trg1");
  const { id } = await asked();
  expect((await waiting()).approvals).toMatchObject([{ id, source: { kind: "schedule", name: "Send it" } }]);
  await reached(async () => (await server.database.delivery.count()) === 2);
  const { body } = await detail(id);
  expect(body).toMatchObject({
    id,
    attended: false,
    sourcePath: "/automations/schedules/trg1",
    when: "every hour",
    dueAt: due.toISOString(),
  });
  expect(body.told.map(({ way }) => way).toSorted()).toEqual(["email", "page"]);
});

test("an ask is its owner's alone, and only as long as it waits", async () => {
  const { runId } = await say(server.database, "Send it", { threadId: "th1", ownerId: "member", agentId: "agent" });
  const { id, toolCallId } = await asked();
  expect((await waiting()).approvals).toMatchObject([
    { source: { kind: "chat", name: null }, facts: { kind: "other", gist: "to: ada" } },
  ]);
  expect((await detail(id)).body).toMatchObject({ attended: true, sourcePath: null, when: null, told: [] });
  expect((await detail(id, "admin")).status).toBe(404);
  const body = { decisions: [{ tool_call_id: toolCallId, decision: "deny" }] };
  await server.call(decide, { as: "member", params: { runId }, body });
  expect((await detail(id)).status).toBe(404);
});

test("an administrator sees what another person's run cost at its budget, but nothing that was said or done", async () => {
  await say(server.database, "Send it", { threadId: "th1", ownerId: "member", agentId: "agent" });
  const { id, runId } = await asked();
  await server.database.approval.update({ where: { id }, data: { kind: "budget" } });
  await server.database.run.update({ where: { id: runId }, data: { costUsd: 0.5 } });
  const { status, body } = await detail(id, "admin");
  expect([status, body.costUsd, body.calls, body.said, body.told]).toEqual([200, 0.5, [], null, []]);
});

test("says of a decided ask who decided it, where, when and how, to its owner alone", async () => {
  const { runId } = await say(server.database, "Send it", { threadId: "th1", ownerId: "member", agentId: "agent" });
  const { id, toolCallId } = await asked();
  const outcome = async (as: "member" | "admin") => server.call(showOutcome, { as, params: { approvalId: id } });
  expect(await (await outcome("member")).json()).toMatchObject({ kind: "approval", data: { status: "pending" } });
  const decisions = [{ tool_call_id: toolCallId, decision: "deny", reason: "Not to her." }];
  await server.call(decide, { as: "member", params: { runId }, body: { decisions } });
  const { name } = await server.database.user.findUniqueOrThrow({ where: { id: "member" } });
  const { decidedAt } = await server.database.approval.findUniqueOrThrow({ where: { id, decidedAt: { not: null } } });
  expect(await (await outcome("member")).json()).toMatchObject({
    kind: "approval",
    data: {
      status: "denied",
      args: { to: "ada" },
      note: "Not to her.",
      decidedBy: name,
      decidedVia: "api",
      decidedAtMs: decidedAt?.getTime(),
    },
  });
  expect((await outcome("admin")).status).toBe(404);
  await server.database.thread.update({ where: { id: "th1" }, data: { deletedAt: new Date() } });
  expect((await outcome("member")).status).toBe(404);
});

test("says of a decided command which others were allowed along with it", async () => {
  await say(server.database, "Send it", { threadId: "th1", ownerId: "member", agentId: "agent" });
  const { id } = await asked();
  const decidedAt = new Date();
  const command = { tool: "execute", args: '{"command":"npm test"}', status: "approved", scope: "pattern", decidedAt };
  await server.database.approval.update({ where: { id }, data: command });
  const call = { tool: "execute", args: { command: "npm test" }, pattern: "npm test" };
  const terms = { threadId: "th1", ownerId: "member", ttlDays: 30, rulesHash: "rules", now: decidedAt };
  await server.database.grant.create({ data: grantColumns(terms, call) });
  const reply = await server.call(showOutcome, { as: "member", params: { approvalId: id } });
  expect(await reply.json()).toMatchObject({ data: { scope: "pattern", pattern: "npm test" } });
});

const BUDGET: BudgetAsk = {
  account: "agent:coder:run:run1",
  budgetId: null,
  scope: "agent",
  scopeId: "coder",
  name: "coder",
  period: "run",
  capUsd: 1,
  capTokens: null,
  spentUsd: 0.9,
  spentTokens: 900,
  reservedUsd: 0,
  reservedTokens: 0,
  nextUsd: 0.2,
  nextTokens: 4_096,
  raise: { by: "owner", maxUsd: null },
  raisers: [],
};

test("says of a decided budget what was added, also to an administrator, and of questions the answers", async () => {
  await say(server.database, "Send it", { threadId: "th1", ownerId: "member", agentId: "agent" });
  const { id } = await asked();
  const outcome = async (as: "member" | "admin") =>
    (await server.call(showOutcome, { as, params: { approvalId: id } })).json();
  const decided = { decidedBy: "admin", decidedVia: "inbox", decidedAt: new Date() };
  const question = { questions: JSON.stringify([{ question: "To whom?" }]), answers: JSON.stringify(["Ada"]) };
  await server.database.approval.update({
    where: { id },
    data: { ...decided, ...question, kind: "question", status: "answered" },
  });
  const answered = { questions: [{ question: "To whom?" }], answers: ["Ada"], status: "answered" };
  expect(await outcome("member")).toMatchObject({ kind: "question", data: answered });
  const args = JSON.stringify(BUDGET);
  const editedArgs = JSON.stringify({ add_usd: 2 });
  await server.database.approval.update({
    where: { id },
    data: { kind: "budget", status: "approved", args, editedArgs, questions: null, answers: null },
  });
  expect(await outcome("admin")).toMatchObject({ kind: "budget", data: { status: "approved", added: { add_usd: 2 } } });
  const finalAnswer = { status: "denied", editedArgs: JSON.stringify({ final_answer: true }) };
  await server.database.approval.update({ where: { id }, data: finalAnswer });
  expect(await outcome("admin")).toMatchObject({ kind: "budget", data: { status: "denied" } });
});

test("the first time an ask is opened is recorded; counting the pending asks does not count as opening", async () => {
  await say(server.database, "Send it", { ownerId: "member" });
  const { id, threadId } = await asked();
  const seen = () =>
    server.database.approval.findUniqueOrThrow({ where: { id }, select: { seenAt: true, seenById: true } });
  await waiting();
  expect(await seen()).toEqual({ seenAt: null, seenById: null });
  await server.call(list, { as: "member", path: `/api/approvals?threadId=${threadId}` });
  const first = await seen();
  expect(first).toEqual({ seenAt: expect.any(Date), seenById: "member" });
  await detail(id);
  expect(await seen()).toEqual(first);
});
