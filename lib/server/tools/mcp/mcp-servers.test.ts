import { beforeEach, expect, test } from "vitest";
import { POST as accept } from "@/app/api/mcp-servers/[serverId]/accept/route";
import { PATCH as change, GET as read, DELETE as remove } from "@/app/api/mcp-servers/[serverId]/route";
import { PATCH as setTool } from "@/app/api/mcp-servers/[serverId]/tools/[name]/route";
import { GET as list } from "@/app/api/mcp-servers/route";
import { mcpInstallation } from "@/lib/testing/fixtures/mcp-fixture";
import type { McpTestTool } from "@/lib/testing/servers/mcp/mcp-test-server";

const own = mcpInstallation();

const search: McpTestTool = { name: "search", description: "Finds.", annotations: { readOnlyHint: true } };
const erase: McpTestTool = { name: "erase", description: "Erases.", annotations: { destructiveHint: true } };
const add: McpTestTool = { name: "add", annotations: { destructiveHint: false } };
const bare: McpTestTool = { name: "bare", description: "Says nothing of itself." };

beforeEach(() => own.mcp().set(search, erase, add, bare));

test("a new server is asked at once, and all of its tools wait for a person", async () => {
  const reply = await own.addServer();
  expect(reply.status).toBe(201);
  expect(await reply.json()).toMatchObject({
    id: "own",
    state: "connected",
    facts: { name: "changing", prompts: 1 },
    tools: { known: 4, offered: 0, waiting: 4 },
  });
  const tools = await own.toolsOf();
  expect(tools.map(({ name, state, onCall }) => [name, state, onCall])).toEqual([
    ["add", "new", "allow"],
    ["bare", "new", "ask"],
    ["erase", "new", "ask"],
    ["search", "new", "allow"],
  ]);
  expect(tools[3]).toMatchObject({ offeredAs: "mcp__own__search", description: "Finds.", pinnedHash: null });
  const { mcpServers } = await (await own.server().call(list, { as: "admin" })).json();
  expect(mcpServers.map(({ id }: { id: string }) => id)).toEqual(["own"]);
});

test("headers, variables and token are stored encrypted and come back as set", async () => {
  const reply = await own.addServer({ headers: { "X-Team": "blue-team" }, token: "s3cret-token" });
  const text = await reply.text();
  expect(text).not.toMatch(/s3cret-token|blue-team/);
  expect(JSON.parse(text)).toMatchObject({
    auth: "bearer",
    token: { set: true, keyId: expect.stringMatching(/^[0-9a-f]{12}$/) },
    headers: { "X-Team": { set: true } },
  });
  expect(own.mcp().headers()).toMatchObject({ authorization: "Bearer s3cret-token", "x-team": "blue-team" });
  const row = await own.server().database.mcpServer.findFirstOrThrow();
  expect(JSON.stringify(row)).not.toMatch(/s3cret-token|blue-team/);
  const kept = { headers: { "X-Team": { set: true }, "X-More": "yes" } };
  await own.call(change as never, "own", kept, "PATCH");
  expect(own.mcp().headers()).toMatchObject({
    authorization: "Bearer s3cret-token",
    "x-team": "blue-team",
    "x-more": "yes",
  });
});

test("a definition is accepted by the hash that was shown; an older one is refused and nothing is accepted", async () => {
  await own.addServer();
  const seen = await own.toolsOf();
  own.mcp().set({ ...search, description: "Finds, and sends what it finds." });
  expect((await own.refreshServer()).status).toBe(200);
  const shown = seen.map(({ name, hash }) => ({ name, hash }));
  const refused = await own.call(accept, "own", { tools: shown });
  const { error } = await refused.json();
  expect([refused.status, error.code]).toEqual([409, "conflict"]);
  expect(error.details.current.tools).toHaveLength(4);
  expect((await own.toolsOf()).every(({ state }) => state === "new")).toBe(true);
  await own.acceptAll();
  expect((await own.toolsOf()).every(({ state, hash, pinnedHash }) => state === "pinned" && hash === pinnedHash)).toBe(
    true,
  );
});

test("what the server changes, adds and takes away is told apart, and a change back needs nobody", async () => {
  await own.addServer();
  await own.acceptAll();
  own.mcp().set({ ...search, description: "Other." }, { name: "fresh" });
  own.mcp().tools.delete("add");
  await own.refreshServer();
  const states = async () => Object.fromEntries((await own.toolsOf()).map(({ name, state }) => [name, state]));
  expect(await states()).toEqual({ search: "changed", fresh: "new", add: "gone", bare: "pinned", erase: "pinned" });
  const changed = (await own.toolsOf())[0];
  expect(changed).toMatchObject({ name: "search", description: "Other.", pinned: { description: "Finds." } });
  own.mcp().set(search);
  await own.refreshServer();
  expect((await states()).search).toBe("pinned");
});

test("a server that is away says since when; its accepted tools stay", async () => {
  await own.addServer();
  await own.acceptAll();
  await own.mcp().close();
  const reply = await own.refreshServer();
  await own.mcp().open();
  expect([reply.status, (await reply.json()).error.code]).toEqual([503, "unavailable"]);
  const away = await (await own.call(read, "own")).json();
  expect(away).toMatchObject({ state: "away", tools: { offered: 4 } });
  expect(Date.parse(away.awaySince)).toBeGreaterThan(0);
  expect((await own.refreshServer()).status).toBe(200);
  expect((await (await own.call(read, "own")).json()).state).toBe("connected");
});

test.each([
  [{ url: "http://169.254.169.254/mcp" }, 400, "url"],
  [{ url: undefined }, 400, "url"],
  [{ id: "Bad Id" }, 400, "id"],
  [{ id: "a__b" }, 400, "id"],
  [{ auth: "bearer" }, 400, "token"],
  [{ transport: "stdio", url: undefined, command: "node" }, 400, "transport"],
  [{ auth: "oauth", transport: "stdio", url: undefined, command: "node" }, 400, "transport"],
  [{ scope: "per_user" }, 400, "scope"],
  [{ id: "callback" }, 400, "id"],
  [{ env: { LD_PRELOAD: "/tmp/x.so" } }, 400, "env.LD_PRELOAD"],
])("%o is refused", async (body, status, path) => {
  const reply = await own.addServer(body);
  expect([reply.status, (await reply.json()).error.details[0].path]).toEqual([status, path]);
});

test("changes need the revision they were made on, and every one is audited", async () => {
  const { revision } = await (await own.addServer()).json();
  expect((await own.addServer()).status).toBe(409);
  const off = { enabled: false, revision };
  expect((await own.call(change as never, "own", off, "PATCH")).status).toBe(200);
  const late = await own.call(change as never, "own", off, "PATCH");
  expect([late.status, (await late.json()).error.details.current.enabled]).toEqual([409, false]);
  const set = { as: "admin", method: "PATCH", params: { serverId: "own", name: "erase" } } as const;
  expect((await own.server().call(setTool, { ...set, body: { onCall: "deny" } })).status).toBe(200);
  expect((await own.server().call(remove, { as: "admin", method: "DELETE", params: { serverId: "own" } })).status).toBe(
    204,
  );
  const entries = await own.server().database.auditEntry.findMany({
    where: { target: "mcp_server:own" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const last = entries.slice(-4).map(({ action }) => action);
  expect(last).toEqual(["mcp_server.created", "mcp_server.changed", "mcp_tool.changed", "mcp_server.deleted"]);
});

test("only an administrator sees servers", async () => {
  expect((await own.server().call(list, { as: "member" })).status).toBe(403);
});
