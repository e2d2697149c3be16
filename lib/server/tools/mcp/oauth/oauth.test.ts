import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { GET as listOwn } from "@/app/api/mcp-connections/route";
import { POST as connect, DELETE as disconnect } from "@/app/api/mcp-servers/[serverId]/connect/route";
import { DELETE as endConnection } from "@/app/api/mcp-servers/[serverId]/connections/[userId]/route";
import { GET as listHolders } from "@/app/api/mcp-servers/[serverId]/connections/route";
import { PATCH as change, GET as read } from "@/app/api/mcp-servers/[serverId]/route";
import { GET as callback } from "@/app/api/mcp-servers/callback/route";
import type { Role } from "@/lib/schema/users/user";
import { env } from "@/lib/server/platform/env";
import { mcpPool } from "@/lib/server/tools/mcp/pool";
import { processServices } from "@/lib/server/wiring/services";
import { mcpInstallation } from "@/lib/testing/fixtures/mcp-fixture";
import type { McpTestAuthority } from "@/lib/testing/servers/mcp/mcp-test-authority";
import type { McpTestTool } from "@/lib/testing/servers/mcp/mcp-test-server";
import { resumeConnected } from "./resume-connected";

const own = mcpInstallation();
const ECHO = { name: "mcp__own__echo", args: { text: "hi" } };

let authority: McpTestAuthority;
beforeEach(() => {
  authority = own.mcp().requireSignIn();
  const whoami = () => `You are ${authority.accountOf({ headers: own.mcp().headers() })}`;
  const echo: McpTestTool = { name: "echo", annotations: { readOnlyHint: true }, run: whoami };
  own.mcp().set(echo);
});
afterEach(async () => {
  own.mcp().requireNothing();
  // Otherwise a connection in the next test would resume them.
  const ended = { status: "cancelled", waitingFor: null, endedAt: new Date() };
  await own.server().database.run.updateMany({ where: { status: "waiting" }, data: ended });
});

const params = { serverId: "own" };

async function begin(as: Role, body: object = {}): Promise<Response> {
  return own.server().call(connect, { as, method: "POST", params, body });
}

/** Does what the browser does at the server's sign-in: returns the address it is redirected to. */
async function signIn(url: string): Promise<string> {
  const reply = await fetch(url, { redirect: "manual" });
  const { pathname, search } = new URL(reply.headers.get("location") ?? "http://nowhere");
  return pathname + search;
}

const comeBack = (as: Role, path: string) => own.server().call(callback, { as, path });

async function connectAs(as: Role, account: string | null = `${as}@forge.test`): Promise<string | null> {
  authority.account = account;
  const { url } = await (await begin(as)).json();
  const reply = await comeBack(as, await signIn(url));
  expect(reply.status).toBe(303);
  return reply.headers.get("location");
}

async function addConnected(scope: "shared" | "per_user"): Promise<string> {
  expect((await own.addServer({ auth: "oauth", scope })).status).toBe(201);
  await connectAs("admin");
  expect((await own.refreshServer()).status).toBe(200);
  await own.acceptAll();
  return own.addAgent();
}

test("a server with OAuth is added before anybody has connected, and is asked once an administrator has", async () => {
  const reply = await own.addServer({ auth: "oauth" });
  expect(await reply.json()).toMatchObject({
    auth: "oauth",
    scope: "shared",
    state: "unasked",
    connection: { state: "none" },
  });
  const early = await own.refreshServer();
  expect([early.status, (await early.json()).error.message]).toEqual([
    400,
    "Connect to own first: its tools are read with your connection.",
  ]);
  expect(await connectAs("admin", "ada@forge.test")).toBe("/inbox/connections?server=own&result=connected");
  expect(await (await own.call(read, "own")).json()).toMatchObject({
    state: "connected",
    tools: { known: 1, waiting: 1 },
    connection: { state: "connected", account: "ada@forge.test" },
  });
});

test("a shared connection serves everybody, and only administrators make it", async () => {
  const agent = await addConnected("shared");
  expect((await begin("member")).status).toBe(403);
  const run = await own.say(agent, ECHO);
  expect(run).toMatchObject({ status: "completed", tool_calls: [{ output: "You are admin@forge.test" }] });
});

test("with a connection for each person a call goes with the caller's own, and with nobody else's", async () => {
  const agent = await addConnected("per_user");
  const before = await own.say(agent, ECHO);
  expect(before).toMatchObject({
    status: "waiting",
    interrupts: [{ kind: "connect", tool: "mcp__own__echo", args: {}, server_id: "own" }],
  });
  await connectAs("member");
  expect(await whenEnded(before.run_id)).toMatchObject([{ content: "You are member@forge.test" }]);
  const [after] = (await own.say(agent, ECHO)).tool_calls;
  expect(after?.output).toBe("You are member@forge.test");
  const { connections } = await (await own.server().call(listOwn, { as: "member" })).json();
  expect(connections).toMatchObject([{ serverId: "own", state: "connected", account: "member@forge.test" }]);
  const { holders } = await (await own.call(listHolders, "own")).json();
  expect(holders.map(({ name, account }: { name: string; account: string }) => [name, account])).toEqual([
    ["The admin", "admin@forge.test"],
    ["The member", "member@forge.test"],
  ]);
});

/** The results of the run's calls, once it has ended. */
async function whenEnded(runId: string) {
  const { database } = own.server();
  await vi.waitFor(
    async () => expect(await database.run.findUnique({ where: { id: runId } })).toMatchObject({ status: "completed" }),
    { timeout: 10_000 },
  );
  return own.server().database.message.findMany({ where: { runId, role: "tool" }, orderBy: { createdAt: "asc" } });
}

test("a connection resumes every waiting run of that person and server, and nobody else's", async () => {
  const agent = await addConnected("per_user");
  await own.server().database.mcpConnection.deleteMany({});
  const first = await own.say(agent, ECHO);
  const second = await own.say(agent, ECHO);
  const others = await own.say(agent, ECHO);
  await own.server().database.run.update({ where: { id: others.run_id }, data: { ownerId: "admin" } });
  await own.server().database.approval.updateMany({ where: { runId: others.run_id }, data: { ownerId: "admin" } });
  await connectAs("member");
  for (const { run_id: runId } of [first, second]) {
    expect(await whenEnded(runId)).toMatchObject([{ content: "You are member@forge.test" }]);
  }
  const other = await own.server().database.run.findUniqueOrThrow({ where: { id: others.run_id } });
  expect([other.status, other.waitingFor]).toEqual(["waiting", "connect"]);
});

test("who allows without having connected is asked again, and a denial is what the model reads", async () => {
  const agent = await addConnected("per_user");
  const asked = await own.say(agent, ECHO);
  const [{ tool_call_id: id = "" } = {}] = asked.interrupts ?? [];
  const again = await own.decide(agent, asked, [{ tool_call_id: id, decision: "allow" }]);
  const [second] = again.interrupts ?? [];
  expect(second).toMatchObject({ kind: "connect", tool_call_id: `${id}~2` });
  const denied = await own.decide(agent, again, [
    { tool_call_id: second?.tool_call_id ?? "", decision: "deny", reason: "Not today" },
  ]);
  expect(denied.status).toBe("completed");
  expect(denied.tool_calls[0]?.error).toContain("The user does not want to connect to this server: Not today");
});

test("a connection that is stored together with the pause, without anybody to resume the run, is not missed", async () => {
  const agent = await addConnected("per_user");
  await connectAs("member");
  const { database } = own.server();
  await database.mcpConnection.updateMany({ where: { holder: "member" }, data: { lostAt: new Date() } });
  const connected = `update "mcp_connection" set "lostAt" = null,
    "connectedAt" = (select "createdAt" from "user" where "id" = 'member') where "holder" = 'member'`;
  await onApproval(connected);
  const run = await own.say(agent, ECHO).finally(() => onApproval(null));
  expect(await whenEnded(run.run_id)).toMatchObject([{ content: "You are member@forge.test" }]);
});

test("what a process left undone that died after a connection is done by the next look, once for all that look", async () => {
  const agent = await addConnected("per_user");
  await connectAs("member");
  const { database } = own.server();
  const ofMember = { where: { holder: "member" } };
  await database.mcpConnection.updateMany({ ...ofMember, data: { lostAt: new Date() } });
  const run = await own.say(agent, ECHO);
  expect(run.interrupts).toMatchObject([{ kind: "connect" }]);
  await resumeConnected(database);
  expect(await database.run.findUnique({ where: { id: run.run_id } })).toMatchObject({ status: "waiting" });
  await database.mcpConnection.updateMany({ ...ofMember, data: { lostAt: null, connectedAt: new Date(0) } });
  await Promise.all([resumeConnected(database), resumeConnected(database), resumeConnected(database)]);
  expect(await whenEnded(run.run_id)).toMatchObject([{ content: "You are member@forge.test" }]);
  const decided = { runId: run.run_id, type: "interrupt.decided" };
  expect(await database.runEvent.count({ where: decided })).toBe(1);
});

/** Runs `statement` in each transaction that stores an ask; null stops that. */
async function onApproval(statement: string | null): Promise<void> {
  const { database } = own.server();
  if (database.dialect.provider === "sqlite") {
    await database.$executeRawUnsafe('drop trigger if exists "connects"');
    if (statement === null) return;
    await database.$executeRawUnsafe(`create trigger "connects" after insert on "approval" begin ${statement}; end`);
    return;
  }
  await database.$executeRawUnsafe('drop trigger if exists "connects" on "approval"');
  if (statement === null) return;
  const body = `begin ${statement}; return new; end`;
  await database.$executeRawUnsafe(
    `create or replace function connects() returns trigger language plpgsql as $$ ${body} $$`,
  );
  await database.$executeRawUnsafe(
    'create trigger "connects" after insert on "approval" for each row execute function connects()',
  );
}

test("what one person's account sees of a tool withdraws it for nobody else", async () => {
  const agent = await addConnected("per_user");
  await connectAs("member");
  const [echo] = [...own.mcp().tools.values()];
  own.mcp().set({ ...(echo as McpTestTool), description: "Other." });
  const [call] = (await own.say(agent, ECHO)).tool_calls;
  expect(call?.error).toContain("The server changed the tool echo");
  own.mcp().tools.delete("echo");
  expect((await own.say(agent, ECHO)).tool_calls[0]?.error).toContain("no longer has the tool echo");
  expect((await own.toolsOf()).map(({ name, state }) => [name, state])).toEqual([["echo", "pinned"]]);
});

test("a consent that is denied connects nobody", async () => {
  await own.addServer({ auth: "oauth" });
  authority.decision = "deny";
  expect(await connectAs("admin")).toBe("/inbox/connections?server=own&result=denied");
  expect(await own.server().database.mcpConnection.count()).toBe(0);
});

test("an expired token is renewed, once for calls at the same time, and before it is used where that is known", async () => {
  const agent = await addConnected("shared");
  authority.expireAll();
  const run = await own.say(agent, ECHO);
  expect(run.tool_calls[0]?.output).toBe("You are admin@forge.test");
  expect(authority.renewals()).toBe(1);
  await own.server().database.mcpConnection.updateMany({ data: { expiresAt: new Date(0) } });
  const { authorizedFetch } = await import("./authorized-fetch");
  const server = await own.server().database.mcpServer.findUniqueOrThrow({ where: { id: "own" } });
  const send = authorizedFetch({ services: own.server().services, server, holder: "shared" }, (input, init) =>
    fetch(input, init),
  );
  const replies = await Promise.all([1, 2, 3].map(() => send(own.mcp().url)));
  expect(replies.map(({ status }) => status === 401)).toEqual([false, false, false]);
  expect(authority.renewals()).toBe(2);
});

test("a connection that the server has revoked is said to be lost, and is made again", async () => {
  const agent = await addConnected("per_user");
  await connectAs("member");
  authority.revokeAll();
  const lost = await own.say(agent, ECHO);
  expect(lost.interrupts).toMatchObject([{ kind: "connect", server_id: "own" }]);
  const { connections } = await (await own.server().call(listOwn, { as: "member" })).json();
  expect(connections).toMatchObject([{ state: "lost" }]);
  expect(await (await own.call(read, "own")).json()).toMatchObject({ state: "connected" });
  await connectAs("member");
  expect((await whenEnded(lost.run_id))[0]).toMatchObject({ content: "You are member@forge.test" });
});

test("over sse too, a refused connection is lost and not a server that is away", async () => {
  await own.addServer({ auth: "oauth", transport: "sse", url: own.mcp().sseUrl });
  await connectAs("admin");
  expect((await own.refreshServer()).status).toBe(200);
  await own.acceptAll();
  const agent = await own.addAgent();
  expect((await own.say(agent, ECHO)).tool_calls[0]?.output).toBe("You are admin@forge.test");
  authority.revokeAll();
  mcpPool(processServices()).drop("own");
  const [lost] = (await own.say(agent, ECHO)).tool_calls;
  expect(lost?.error).toContain("no longer accepts the connection of this installation");
  expect(await (await own.call(read, "own")).json()).toMatchObject({
    state: "connected",
    connection: { state: "lost" },
  });
});

test("a disconnect holds at once and forgets the tokens", async () => {
  const agent = await addConnected("per_user");
  await connectAs("member");
  await own.say(agent, ECHO);
  expect((await own.server().call(disconnect, { as: "member", method: "DELETE", params })).status).toBe(204);
  expect((await own.say(agent, ECHO)).interrupts).toMatchObject([{ kind: "connect" }]);
  expect(await own.server().database.mcpConnection.count({ where: { holder: "member" } })).toBe(0);
});

test("a disconnect asks the server's sign-in to revoke both tokens", async () => {
  await addConnected("shared");
  expect((await own.server().call(disconnect, { as: "admin", method: "DELETE", params })).status).toBe(204);
  expect(authority.revoked).toHaveLength(2);
});

test("an administrator ends another person's connection, with an entry that says whose", async () => {
  const agent = await addConnected("per_user");
  await connectAs("member");
  const call = { method: "DELETE", params: { ...params, userId: "member" } } as const;
  expect((await own.server().call(endConnection, { as: "member", ...call })).status).toBe(403);
  expect((await own.server().call(endConnection, { as: "admin", ...call })).status).toBe(204);
  expect((await own.server().call(endConnection, { as: "admin", ...call })).status).toBe(404);
  expect((await own.say(agent, ECHO)).interrupts).toMatchObject([{ kind: "connect" }]);
  const entry = await own.server().database.auditEntry.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  expect([entry.action, JSON.parse(entry.details)]).toEqual([
    "mcp_server.disconnected",
    { scope: "per_user", userId: "member" },
  ]);
});

test("where no client can register itself, the one that an administrator gives is used; its secret is never shown", async () => {
  authority.knowOnly("ringmaster", "hush-hush-hush", `${env().publicUrl}/api/mcp-servers/callback`);
  await own.addServer({ auth: "oauth" });
  const refused = await begin("admin");
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    503,
    expect.stringContaining("Register one there with the redirect address"),
  ]);
  const alone = await own.call(change as never, "own", { clientSecret: "hush-hush-hush" }, "PATCH");
  expect([alone.status, (await alone.json()).error.details]).toMatchObject([400, [{ path: "clientId" }]]);
  const client = { clientId: "ringmaster", clientSecret: "hush-hush-hush" };
  const changed = await (await own.call(change as never, "own", client, "PATCH")).json();
  expect(changed).toMatchObject({ clientId: "ringmaster", clientSecret: { set: true } });
  expect(JSON.stringify(changed)).not.toContain("hush");
  expect(await connectAs("admin")).toContain("result=connected");
  await own.call(change as never, "own", { clientSecret: { set: true } }, "PATCH");
  authority.expireAll();
  expect((await own.refreshServer()).status).toBe(200);
  const rows = await own.server().database.mcpServer.findMany();
  expect(JSON.stringify(rows)).not.toContain("hush");
});

test("a state serves once, only whoever was given it, in the same session, and for ten minutes", async () => {
  await own.addServer({ auth: "oauth", scope: "per_user" });
  const refused = async (as: Role, path: string) => {
    const reply = await comeBack(as, path);
    expect([reply.status, (await reply.json()).error.code]).toEqual([400, "invalid_input"]);
  };
  const start = async () => signIn((await (await begin("member")).json()).url);
  await refused("member", "/api/mcp-servers/callback?state=made-up&code=1");
  await refused("admin", await start());
  const key = await own.server().addKey("member", ["chat"]);
  const elsewhere = await own.server().call(callback, { key, path: await start() });
  expect(elsewhere.status).toBe(400);
  const late = await start();
  await own.server().database.mcpAuthorization.updateMany({ data: { expiresAt: new Date(0) } });
  await refused("member", late);
  const path = await start();
  expect((await comeBack("member", path)).status).toBe(303);
  await refused("member", path);
});

test("tokens are stored encrypted, and forgotten when the server's address changes", async () => {
  await addConnected("shared");
  const { authorization = "" } = own.mcp().headers();
  const rows = await own.server().database.mcpConnection.findMany();
  expect(JSON.stringify(rows)).not.toContain(authorization.replace("Bearer ", ""));
  await own.call(change as never, "own", { headers: { "X-Team": "blue" } }, "PATCH");
  expect(await own.server().database.mcpConnection.count()).toBe(1);
  await own.call(change as never, "own", { url: `${own.mcp().url}?other` }, "PATCH");
  expect(await own.server().database.mcpConnection.count()).toBe(0);
});

test("a sign-in on a private address is refused, and one that does not exist is said", async () => {
  own.mcp().requireNothing();
  await own.addServer({ auth: "oauth" });
  const reply = await begin("admin");
  expect(reply.status).toBe(503);
  expect((await reply.json()).error.message).toContain("The sign-in of own can't be used");
});
