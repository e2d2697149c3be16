import { afterEach, beforeEach, expect, test } from "vitest";
import { DELETE, GET as one, PATCH } from "@/app/api/budgets/[budgetId]/route";
import { POST as create, GET as list } from "@/app/api/budgets/route";
import { PATCH as changeGroup, DELETE as deleteGroup } from "@/app/api/groups/[groupId]/route";
import { POST as createGroup } from "@/app/api/groups/route";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";
import { addAgent, addThread, reached, say, testHost } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await addAgent(server.database, "agent", { name: "Coder", model: "scripted:m" });
  await addThread(server.database, "th1", { ownerId: "member" });
});
afterEach(() => server.close());

const add = async (body: object) => {
  const reply = await server.call(create, { as: "admin", body });
  return { status: reply.status, ...(await reply.json()) };
};
const call = (route: typeof one, budgetId: string, body?: object, method?: string) =>
  server.call(route, { as: "admin", params: { budgetId }, body, method });

const DAY = { scope: "user", scopeId: "member", period: "day", usd: 5 };

test("a budget is made, read, changed and deleted, each with its entry in the audit", async () => {
  const made = await add(DAY);
  expect(made).toMatchObject({
    status: 201,
    ...DAY,
    name: "The member",
    on_reach: "wait",
    used: { usd: 0, tokens: 0 },
  });
  const changed = await call(PATCH, made.id, { usd: 7, on_reach: "stop" }, "PATCH");
  expect(await changed.json()).toMatchObject({ usd: 7, on_reach: "stop", period: "day" });
  const all = await (await server.call(list, { as: "admin" })).json();
  expect(all).toMatchObject({ budgets: [{ id: made.id }], nextCursor: null });
  expect((await call(DELETE, made.id, undefined, "DELETE")).status).toBe(204);
  expect((await call(one, made.id)).status).toBe(404);
  const entries = await server.database.auditEntry.findMany({ where: { target: `budget:${made.id}` } });
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    "budget.changed",
    "budget.created",
    "budget.deleted",
  ]);
});

test("what is wrong is said by field, and nobody but an admin gets here", async () => {
  const pathsOf = ({ status, error }: { status: number; error?: { details: { path: string }[] } }) => [
    status,
    ...(error?.details ?? []).map(({ path }) => path),
  ];
  expect(pathsOf(await add({ ...DAY, usd: undefined }))).toEqual([400, "usd"]);
  expect(pathsOf(await add({ ...DAY, scopeId: undefined }))).toEqual([400, "scopeId"]);
  expect(pathsOf(await add({ ...DAY, scopeId: "nobody" }))).toEqual([400, "scopeId"]);
  expect(pathsOf(await add({ ...DAY, scope: "planet" }))).toEqual([400, "scope"]);
  const made = await add(DAY);
  expect((await call(PATCH, made.id, { usd: null }, "PATCH")).status).toBe(400);
  expect((await server.call(list, { as: "member" })).status).toBe(403);
});

test("a project's budget holds for the runs in it and for no others, with what was used there before", async () => {
  const unknown = await add({ ...DAY, scope: "project", scopeId: "p1" });
  expect(unknown).toMatchObject({ status: 400, error: { details: [{ path: "scopeId" }] } });
  await server.database.project.create({ data: { id: "p1", name: "Billing", createdById: "member" } });
  await server.database.projectMember.create({ data: { projectId: "p1", userId: "member", role: "owner" } });
  const { currentVersionId } = await server.database.agent.findUniqueOrThrow({ where: { id: "agent" } });
  const run = { threadId: "th1", ownerId: "viewer", agentId: "agent", agentVersionId: currentVersionId ?? "" };
  const facts = { traceId: "-", input: "{}", assistantMessageId: "m", status: "completed", endedAt: new Date() };
  await server.database.run.create({ data: { id: "r1", ...run, ...facts, costUsd: 1.25, projectId: "p1" } });
  await server.database.run.create({ data: { id: "r2", ...run, ...facts, costUsd: 2 } });
  const made = await add({ scope: "project", scopeId: "p1", period: "day", usd: 1.3 });
  expect(made).toMatchObject({ status: 201, name: "Billing", used: { usd: 1.25 } });
  const host = testHost(server.database, { model: pricedModel({ turn: () => ({ text: "done" }) }) });
  await host.start();
  const statusOf = async (id: string) => (await server.database.run.findUniqueOrThrow({ where: { id } })).status;
  const outside = await say(server.database, "outside", { ownerId: "member" });
  await reached(async () => (await statusOf(outside.runId)) === "completed");
  const { threadId } = await server.database.run.findUniqueOrThrow({ where: { id: outside.runId } });
  await server.database.thread.update({ where: { id: threadId }, data: { projectId: "p1" } });
  const inside = await say(server.database, "inside", { ownerId: "member" });
  await reached(async () => (await statusOf(inside.runId)) === "waiting");
  const asked = await server.database.approval.findFirstOrThrow({ where: { runId: inside.runId } });
  expect(asked.reason).toContain("The budget of $1.30 a day for Billing is reached");
  await host.stop();
});

test("a budget of each person counts everybody for themselves, with what they used before", async () => {
  expect(await add({ ...DAY, scope: "each_user" })).toMatchObject({ status: 400 });
  const { currentVersionId } = await server.database.agent.findUniqueOrThrow({ where: { id: "agent" } });
  const run = { threadId: "th1", agentId: "agent", agentVersionId: currentVersionId ?? "" };
  const facts = { traceId: "-", input: "{}", assistantMessageId: "m", status: "completed", endedAt: new Date() };
  await server.database.run.create({ data: { id: "r1", ...run, ...facts, ownerId: "viewer", costUsd: 1.25 } });
  const made = await add({ scope: "each_user", period: "day", usd: 5 });
  expect(made).toMatchObject({ status: 201, scope: "each_user", scopeId: null, name: "", used: { usd: 1.25 } });

  const host = testHost(server.database, { model: pricedModel({ turn: () => ({ text: "done" }) }) });
  await host.start();
  const statusOf = async (id: string) => (await server.database.run.findUniqueOrThrow({ where: { id } })).status;
  const first = await say(server.database, "one", { ownerId: "member" });
  await reached(async () => (await statusOf(first.runId)) === "completed");
  const account = await server.database.budgetAccount.findFirstOrThrow({ where: { id: { contains: ":member:" } } });
  expect(account.usedUsd).toBeGreaterThan(0);
  await server.database.budgetAccount.update({ where: { id: account.id }, data: { usedUsd: 4.99 } });
  const second = await say(server.database, "two", { ownerId: "member" });
  await reached(async () => (await statusOf(second.runId)) === "waiting");
  const asked = await server.database.approval.findFirstOrThrow({ where: { runId: second.runId } });
  expect(asked.reason).toMatch(/^The budget of \$5 a day for The member is reached/);
  await addThread(server.database, "th2", { ownerId: "admin" });
  const other = await say(server.database, "three", { threadId: "th2", ownerId: "admin" });
  await reached(async () => (await statusOf(other.runId)) === "completed");
  expect((await call(DELETE, made.id, undefined, "DELETE")).status).toBe(204);
  await reached(async () => (await statusOf(second.runId)) === "completed");
  expect(await server.database.budgetAccount.count({ where: { budgetId: made.id } })).toBe(0);
  await host.stop();
});

async function makeGroup(members: readonly string[]) {
  const reply = await server.call(createGroup, { as: "admin", body: { name: "Research", members } });
  return (await reply.json()).id as string;
}

test("a group's budget holds for its members of the moment, and ends with the group", async () => {
  const groupId = await makeGroup([]);
  const made = await add({ scope: "group", scopeId: groupId, period: "day", usd: 0.1 });
  expect(made).toMatchObject({ status: 201, scope: "group", name: "Research" });
  const host = testHost(server.database, { model: pricedModel({ turn: () => ({ text: "done" }) }) });
  await host.start();
  const statusOf = async (id: string) => (await server.database.run.findUniqueOrThrow({ where: { id } })).status;
  const outside = await say(server.database, "before", { ownerId: "member" });
  await reached(async () => (await statusOf(outside.runId)) === "completed");

  await server.call(changeGroup, {
    as: "admin",
    method: "PATCH",
    params: { groupId },
    body: { members: ["member"] },
  });
  const inside = await say(server.database, "after", { ownerId: "member" });
  await reached(async () => (await statusOf(inside.runId)) === "waiting");
  const asked = await server.database.approval.findFirstOrThrow({ where: { runId: inside.runId } });
  expect(asked.reason).toContain("The budget of $0.10 a day for Research is reached");

  const gone = await server.call(deleteGroup, { as: "admin", method: "DELETE", params: { groupId } });
  expect(gone.status).toBe(204);
  await reached(async () => (await statusOf(inside.runId)) === "completed");
  expect((await call(one, made.id)).status).toBe(404);
  await host.stop();
});

test("what the members of a group have used today counts", async () => {
  const { currentVersionId } = await server.database.agent.findUniqueOrThrow({ where: { id: "agent" } });
  const run = { threadId: "th1", ownerId: "member", agentId: "agent", agentVersionId: currentVersionId ?? "" };
  const facts = { traceId: "-", input: "{}", assistantMessageId: "m", status: "completed", endedAt: new Date() };
  await server.database.run.create({ data: { id: "r1", ...run, ...facts, costUsd: 1.25, inputTokens: 90 } });
  const scopeId = await makeGroup(["member", "viewer"]);
  const budget = { scope: "group", scopeId, period: "day", usd: 5 };
  expect(await add(budget)).toMatchObject({ used: { usd: 1.25, tokens: 90 } });
});

test("what the day has already used counts", async () => {
  const { currentVersionId } = await server.database.agent.findUniqueOrThrow({ where: { id: "agent" } });
  const run = { threadId: "th1", ownerId: "member", agentId: "agent", agentVersionId: currentVersionId ?? "" };
  const facts = { traceId: "-", input: "{}", assistantMessageId: "m", status: "completed", endedAt: new Date() };
  await server.database.run.create({ data: { id: "r1", ...run, ...facts, costUsd: 1.25, inputTokens: 90 } });
  // The root run's figures include those of its subagents.
  const child = { ...facts, depth: 1, parentRunId: "r1", rootRunId: "r1", parentToolCallId: "call_1" };
  await server.database.run.create({ data: { id: "r2", ...run, ...child, costUsd: 0.5, inputTokens: 40 } });
  expect(await add(DAY)).toMatchObject({ used: { usd: 1.25, tokens: 90 } });
  expect(await add({ ...DAY, scopeId: "viewer" })).toMatchObject({ used: { usd: 0, tokens: 0 } });
});

test("a run that waits for a budget is listed with it, and goes on when the budget is raised", async () => {
  const made = await add({ ...DAY, usd: 0.1 });
  const host = testHost(server.database, { model: pricedModel({ turn: () => ({ text: "done" }) }) });
  await host.start();
  const { runId } = await say(server.database, "go", { ownerId: "member" });
  const statusOf = async () => (await server.database.run.findUniqueOrThrow({ where: { id: runId } })).status;
  await reached(async () => (await statusOf()) === "waiting");
  const waiting = await (await call(one, made.id)).json();
  expect(waiting).toMatchObject({ waiting: [{ runId, threadId: "th1" }], reachedCount: 1, reserved: { usd: 0 } });
  await call(PATCH, made.id, { usd: 1 }, "PATCH");
  await reached(async () => (await statusOf()) === "completed");
  expect(await (await call(one, made.id)).json()).toMatchObject({ waiting: [], used: { usd: 0.1, tokens: 110 } });
  await host.stop();
});
