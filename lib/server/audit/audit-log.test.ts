import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as restore } from "@/app/api/agents/[agentId]/restore/route";
import { DELETE as remove } from "@/app/api/agents/[agentId]/route";
import { GET as exportLog } from "@/app/api/audit/export/route";
import { GET as list } from "@/app/api/audit/route";
import { PATCH as changeUser } from "@/app/api/users/[userId]/route";
import type { AuditList } from "@/lib/schema/audit";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { writeAudit } from "./audit-log";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

async function read(query = ""): Promise<AuditList> {
  return (await server.call(list, { as: "admin", path: `/api/audit${query}` })).json();
}

test("an admin reads who did what, newest first, page by page", async () => {
  for (const index of [1, 2, 3])
    await writeAudit(server.services, {
      actorId: "member",
      action: "thing.changed",
      target: `thing:${index}`,
      details: { index },
    });
  const first = await read("?limit=2");
  expect(first.entries[0]).toMatchObject({ actorName: "The member", action: "thing.changed", details: { index: 3 } });
  const rest = await read(`?limit=2&cursor=${first.nextCursor}`);
  const targets = [...first.entries, ...rest.entries].map(({ target }) => target);
  expect(targets.toSorted()).toEqual(["thing:1", "thing:2", "thing:3"]);
  expect(rest.nextCursor).toBe(null);
  expect((await read("?target=thing:2")).entries).toHaveLength(1);
});

test("a deleted agent can be restored unchanged, and both actions are in the log", async () => {
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
  const call = { as: "admin", params: { agentId: "writer" } } as const;
  expect((await server.call(restore, { ...call, method: "POST" })).status).toBe(404);
  expect((await server.call(remove, { ...call, method: "DELETE" })).status).toBe(204);
  const reply = await server.call(restore, { ...call, method: "POST" });
  expect(await reply.json()).toMatchObject({ id: "writer", name: "Writer", version: 1 });
  const actions = (await read("?target=agent:writer")).entries.map(({ action }) => action);
  expect(actions.toSorted()).toEqual(["agent.deleted", "agent.restored"]);
});

test("entries are found by who, what was done, to what, when and by a value", async () => {
  await writeAudit(server.services, {
    actorId: "member",
    action: "user.changed",
    target: "user:u9",
    before: { role: "viewer" },
    after: { role: "admin" },
  });
  await writeAudit(server.services, { actorId: "admin", action: "agent.deleted", target: "agent:writer" });
  const targets = async (query: string) => (await read(`?${query}`)).entries.map(({ target }) => target);
  expect(await targets("actor=member")).toEqual(["user:u9"]);
  expect(await targets("action=user.")).toEqual(["user:u9"]);
  expect(await targets("target=agent:")).toEqual(["agent:writer"]);
  expect(await targets("q=VIEWER")).toEqual(["user:u9"]);
  await writeAudit(server.services, {
    actorId: "admin",
    action: "agent.changed",
    target: "agent:x",
    after: { name: "Отпуск" },
  });
  expect(await targets(`q=${encodeURIComponent("ОТПУСК")}`)).toEqual(["agent:x"]);
  expect(await targets(`from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
  expect((await server.call(list, { as: "admin", path: "/api/audit?whose=mine" })).status).toBe(400);
});

test("the export has every entry as a line, oldest first", async () => {
  for (const index of [1, 2])
    await writeAudit(server.services, { actorId: "member", action: "thing.changed", target: `thing:${index}` });
  const reply = await server.call(exportLog, { as: "admin", path: "/api/audit/export?actor=member" });
  expect(reply.headers.get("content-disposition")).toContain(".ndjson");
  const lines = (await reply.text()).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).target)).toEqual(["thing:1", "thing:2"]);
});

test("an entry names the address and the API key of the request, and a change both of its sides", async () => {
  const { id } = await server.database.user.findFirstOrThrow({ where: { id: "member" } });
  await server.call(changeUser, {
    as: "admin",
    method: "PATCH",
    params: { userId: id },
    headers: { "x-forwarded-for": "192.0.2.7" },
    body: { name: "Ada" },
  });
  const [entry] = (await read(`?target=user:${id}`)).entries;
  expect(entry).toMatchObject({ ip: "192.0.2.7", before: { name: "The member" }, after: { name: "Ada" } });
});

test("things are called by their names while they are there, whatever kind they are", async () => {
  const { database } = server;
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
  const thread = { id: "th_1", title: "Invoices", ownerId: "member", agentId: "writer", clientId: "c" };
  await database.thread.create({ data: thread });
  await database.project.create({ data: { id: "prj_1", name: "Books", createdById: "member" } });
  const budget = { period: "month", usd: 5, onReach: "wait", createdById: "admin" };
  await database.budget.create({ data: { id: "bud_all", scope: "each_user", ...budget } });
  await database.budget.create({ data: { id: "bud_one", scope: "user", scopeId: "member", ...budget } });
  for (const target of [
    "thread:th_1",
    "project:prj_1",
    "project:prj_gone",
    "user:member",
    "budget:bud_all",
    "budget:bud_one",
  ])
    await writeAudit(server.services, { actorId: "member", action: "thing.changed", target });
  const { entries } = await read();
  expect(entries.map(({ targetName }) => targetName).toSorted()).toEqual([
    "Books",
    "Each person, per month",
    "Invoices",
    "The member",
    "The member, per month",
    null,
  ]);
});
