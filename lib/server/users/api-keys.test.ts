import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as addKey } from "@/app/api/api-keys/route";
import { GET as me } from "@/app/api/me/route";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { signInAs } from "@/lib/testing/fixtures/sign-in";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { hashKey } from "./find-key-owner";
import { findViewer } from "./session";

const ADMIN_KEY = "an-admin-key-of-thirty-characters";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ RINGMASTER_ADMIN_API_KEY: ADMIN_KEY });
  await addAgent(server.database, "one", { name: "One", model: "scripted:m" });
});
afterAll(() => server.close());

const body = { name: "Key", scopes: ["read"] };
const refusal = async (headers: Record<string, string>, more: object) => {
  const reply = await server.call(addKey, { headers, body: { ...body, ...more } });
  return [reply.status, (await reply.json()).error.details?.[0]?.path];
};

test.each(["viewer", "member", "admin"] as const)("a key of a %s makes no key", async (as) => {
  expect((await server.call(addKey, { as, body })).status).toBe(403);
});

test("a person who is signed in makes keys for themselves alone, and none that is limited and administers", async () => {
  const headers = await signInAs(server, "admin");
  const made = (await (await server.call(addKey, { headers, body })).json()) as { key: string };
  expect(await (await server.call(me, { key: made.key })).json()).toMatchObject({ id: "admin", scopes: ["read"] });
  expect(await refusal(headers, { userId: "member" })).toEqual([400, "userId"]);
  expect(await refusal(headers, { scopes: ["admin"], agents: ["one"] })).toEqual([400, "scopes"]);
});

test("nobody gives a key more than they may do themselves, or a group that they are not in", async () => {
  await server.database.group.create({ data: { id: "grp_1", name: "Others" } });
  const viewer = await signInAs(server, "viewer");
  const member = await signInAs(server, "member");
  expect(await refusal(viewer, { scopes: ["read", "chat"] })).toEqual([403, undefined]);
  expect(await refusal(member, { scopes: ["admin"] })).toEqual([403, undefined]);
  expect(await refusal(member, { groupId: "grp_1" })).toEqual([400, "groupId"]);
});

test.each([
  ["a member, to read or chat", { userId: "member", scopes: ["read", "chat"] }, 201],
  ["a member's agents alone", { userId: "member", agents: ["one"] }, 201],
  ["a member to administer", { userId: "member", scopes: ["admin"] }, 400],
  ["an administrator", { userId: "admin" }, 400],
  ["itself", { userId: "service" }, 400],
  ["no one", {}, 400],
  ["somebody unknown", { userId: "ghost" }, 400],
])("the installation's key makes a key for %s or not", async (_, more, status) => {
  const reply = await server.call(addKey, { key: ADMIN_KEY, body: { ...body, ...more } });
  expect(reply.status).toBe(status);
  if (status !== 201) return;
  const { id, userId } = await reply.json();
  expect(userId).toBe("member");
  const target = `api_key:${id}`;
  expect(await server.database.auditEntry.findMany({ where: { target } })).toMatchObject([{ actorId: "service" }]);
});

test("a key reaches the agents of its group and those named for it, each once, and only the named ones without any", async () => {
  const { database } = server;
  await addAgent(database, "two", { name: "Two", model: "scripted:m" });
  const agents = { create: [{ agentId: "one" }, { agentId: "two" }] };
  await database.group.create({ data: { id: "grp_full", name: "Full", agents } });
  await database.group.create({ data: { id: "grp_empty", name: "Empty" } });
  const reachOf = async (limits: { groupId?: string; agents?: string }) => {
    const key = await server.addKey("member", ["read"]);
    await database.apiKey.update({ where: { sha256: hashKey(key) }, data: limits });
    const viewer = await findViewer(server.services, new Headers({ authorization: `Bearer ${key}` }));
    return viewer?.reach?.toSorted();
  };
  const named = JSON.stringify(["one", "other"]);
  expect(await reachOf({})).toBeUndefined();
  expect(await reachOf({ agents: named })).toEqual(["one", "other"]);
  expect(await reachOf({ groupId: "grp_full" })).toEqual(["one", "two"]);
  expect(await reachOf({ groupId: "grp_full", agents: named })).toEqual(["one", "other", "two"]);
  expect(await reachOf({ groupId: "grp_empty", agents: named })).toEqual(["one", "other"]);
  expect(await reachOf({ groupId: "grp_empty" })).toEqual([]);
});
