import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as agentInfo } from "@/app/agents/[id]/route";
import { GET as agentInfos } from "@/app/agents/route";
import { GET as activity } from "@/app/api/agent-activity/route";
import { GET as agentAliases } from "@/app/api/agents/[agentId]/aliases/route";
import { POST as duplicate } from "@/app/api/agents/[agentId]/duplicate/route";
import { GET as agentDetail } from "@/app/api/agents/[agentId]/route";
import { GET as agentList } from "@/app/api/agents/route";
import { POST as addKey } from "@/app/api/api-keys/route";
import { GET as me } from "@/app/api/me/route";
import { POST as sendMessage } from "@/app/api/threads/[threadId]/messages/route";
import { GET as threadDetail } from "@/app/api/threads/[threadId]/route";
import { POST as addThread } from "@/app/api/threads/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { GET as models } from "@/app/v1/models/route";
import type { Group } from "@/lib/schema/users/group";
import { signInAs } from "@/lib/testing/fixtures/sign-in";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { PATCH as changeGroup, DELETE as deleteGroup } from "./[groupId]/route";
import { POST as addGroup, GET as listGroups } from "./route";

let server: RunServer;
beforeEach(async () => {
  server = await startRunServer(() => ({ text: "Hello." }));
});
afterEach(() => server.close());

type Role = "viewer" | "member" | "admin";

async function newGroup(body: object): Promise<Group> {
  const reply = await server.call(addGroup, { as: "admin", body });
  expect(reply.status).toBe(201);
  return reply.json();
}

const change = (id: string, body: object) =>
  server.call(changeGroup, { as: "admin", method: "PATCH", params: { groupId: id }, body });
const startThread = (as: Role, agentId: string) => server.call(addThread, { as, body: { agentId } });

async function idsFor(as: Role): Promise<string[]> {
  const { agents } = await (await server.call(agentList, { as })).json();
  return agents.map(({ id }: { id: string }) => id);
}

test("an agent in a group does not exist for whoever is in none of its groups, on every way to it", async () => {
  await newGroup({ name: "Builders", agents: ["coder"] });
  expect(await idsFor("member")).toEqual(["plain"]);
  const infos = await (await server.call(agentInfos, { as: "member" })).json();
  expect(infos.agents.map(({ id }: { id: string }) => id)).toEqual(["plain"]);
  const listed = await (await server.call(models, { as: "member" })).json();
  expect(listed.data.map(({ id }: { id: string }) => id)).toEqual(["agent:plain"]);
  const used = await (await server.call(activity, { as: "member" })).json();
  expect(used.agents.map(({ agentId }: { agentId: string }) => agentId)).toEqual(["plain"]);
  const messages = [{ role: "user", content: "Hello" }];
  const statuses = await Promise.all(
    [
      server.call(agentInfo, { as: "member", params: { id: "coder" } }),
      server.call(agentDetail, { as: "member", params: { agentId: "coder" } }),
      server.call(agentAliases, { as: "member", params: { agentId: "coder" } }),
      server.call(invoke, { as: "member", params: { id: "coder" }, body: { messages } }),
      server.call(complete, { as: "member", body: { model: "agent:coder", messages } }),
      startThread("member", "coder"),
    ].map(async (reply) => (await reply).status),
  );
  expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
  const absent = await server.call(agentInfo, { as: "member", params: { id: "nothing" } });
  const limited = await server.call(agentInfo, { as: "member", params: { id: "coder" } });
  expect(JSON.stringify(await limited.json()).replaceAll("coder", "nothing")).toBe(JSON.stringify(await absent.json()));
});

test("its members and every admin reach it", async () => {
  await newGroup({ name: "Builders", members: ["member"], agents: ["coder"] });
  expect(await idsFor("member")).toEqual(["coder", "plain"]);
  expect(await idsFor("admin")).toEqual(["coder", "plain"]);
  expect(await idsFor("viewer")).toEqual(["plain"]);
  expect((await startThread("member", "coder")).status).toBe(201);
  expect((await startThread("admin", "coder")).status).toBe(201);
});

test("a key of an admin without the scope admin reaches what its owner's groups allow", async () => {
  await newGroup({ name: "Builders", agents: ["coder"] });
  const key = await server.addKey("admin", ["read", "chat"]);
  expect((await server.call(agentInfo, { key, params: { id: "coder" } })).status).toBe(404);
});

test("a thread with an agent that was limited stays readable, and takes no message", async () => {
  const { id: threadId } = await (await startThread("member", "coder")).json();
  const group = await newGroup({ name: "Builders", agents: ["coder"] });
  const send = () =>
    server.call(sendMessage, { as: "member", params: { threadId }, body: { content: "Hello" } }).then((r) => r.status);
  expect((await server.call(threadDetail, { as: "member", params: { threadId } })).status).toBe(200);
  expect(await send()).toBe(404);
  await change(group.id, { members: ["member"] });
  expect(await send()).toBe(202);
});

test("deleting an agent's last group needs consent to open the agent to everybody", async () => {
  const group = await newGroup({ name: "Builders", agents: ["coder", "plain"] });
  await newGroup({ name: "Writers", agents: ["plain"] });
  const call = { as: "admin", method: "DELETE", params: { groupId: group.id } } as const;
  const refused = await server.call(deleteGroup, call);
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ error: { code: "conflict", details: { agents: ["coder"] } } });
  expect((await change(group.id, { agents: ["plain"] })).status).toBe(409);
  expect((await server.call(deleteGroup, { ...call, body: { open: true } })).status).toBe(204);
  expect(await idsFor("member")).toEqual(["coder"]);
  const entry = await server.database.auditEntry.findFirstOrThrow({ where: { action: "group.deleted" } });
  expect(JSON.parse(entry.details)).toEqual({ opened: ["coder"] });
  expect(JSON.parse(entry.before ?? "")).toMatchObject({ name: "Builders", agents: ["coder", "plain"] });
});

test("a group gives its members at least a role, for as long as they are in it", async () => {
  const role = async () => (await (await server.call(me, { as: "viewer" })).json()).role;
  const group = await newGroup({ name: "Builders", members: ["viewer", "admin"], roleFloor: "member" });
  expect(await role()).toBe("member");
  expect((await startThread("viewer", "plain")).status).toBe(201);
  expect((await (await server.call(me, { as: "admin" })).json()).role).toBe("admin");
  await newGroup({ name: "Chiefs", members: ["viewer"], roleFloor: "admin" });
  expect(await role()).toBe("admin");
  await server.call(deleteGroup, {
    as: "admin",
    method: "DELETE",
    params: { groupId: (await (await server.call(listGroups, { as: "admin" })).json()).groups[1].id },
  });
  expect(await role()).toBe("member");
  await change(group.id, { members: ["admin"] });
  expect(await role()).toBe("viewer");
});

test("every problem of a group is named at its field, and a name is used once", async () => {
  const bad = await server.call(addGroup, {
    as: "admin",
    body: { name: "Builders", members: ["member", "nobody"], agents: ["nothing"] },
  });
  expect(bad.status).toBe(400);
  expect(await bad.json()).toMatchObject({ error: { details: [{ path: "members.1" }] } });
  await newGroup({ name: "Builders" });
  const taken = await server.call(addGroup, { as: "admin", body: { name: "Builders" } });
  expect(taken.status).toBe(409);
  expect(await taken.json()).toMatchObject({ error: { details: [{ path: "name" }] } });
});

test("the copy of an agent is for the same groups", async () => {
  await newGroup({ name: "Builders", agents: ["coder"] });
  await server.call(duplicate, { as: "admin", params: { agentId: "coder" }, body: { id: "copy" } });
  expect(await idsFor("member")).toEqual(["plain"]);
});

test("a key that is limited to an agent or a group reaches nothing else, also one of an admin", async () => {
  const headers = await signInAs(server, "admin");
  const make = async (body: object) => {
    const reply = await server.call(addKey, { headers, body: { name: "Key", scopes: ["read", "chat"], ...body } });
    expect(reply.status).toBe(201);
    return (await reply.json()).key as string;
  };
  const { id: groupId } = await newGroup({ name: "Builders", members: ["admin"], agents: ["coder"] });
  const messages = [{ role: "user", content: "Hello" }];
  for (const key of [await make({ agents: ["coder"] }), await make({ groupId })]) {
    expect((await server.call(agentInfo, { key, params: { id: "coder" } })).status).toBe(200);
    expect((await server.call(agentInfo, { key, params: { id: "plain" } })).status).toBe(404);
    expect((await server.call(addThread, { key, body: { agentId: "plain" } })).status).toBe(404);
    expect((await server.call(complete, { key, body: { model: "agent:plain", messages } })).status).toBe(404);
    const { agents } = await (await server.call(agentList, { key })).json();
    expect(agents.map(({ id }: { id: string }) => id)).toEqual(["coder"]);
  }
});

test("a key that may only read is refused for writes with a sentence", async () => {
  const key = await server.addKey("admin", ["read"]);
  const reply = await server.call(addThread, { key, body: { agentId: "plain" } });
  expect(reply.status).toBe(403);
  expect((await reply.json()).error.message).toBe('This needs the scope "chat", which your role or key does not have.');
});
