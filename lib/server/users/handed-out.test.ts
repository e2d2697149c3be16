import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as look } from "@/app/api/account-links/look/route";
import { POST as follow } from "@/app/api/account-links/route";
import { POST as sendLink } from "@/app/api/account-links/send/route";
import { PATCH as changeGroup, DELETE as removeGroup } from "@/app/api/groups/[groupId]/route";
import { POST as createGroup } from "@/app/api/groups/route";
import { POST as renew } from "@/app/api/invitations/[invitationId]/renew/route";
import { GET as listInvitations } from "@/app/api/invitations/route";
import { GET as openShare } from "@/app/api/shares/[token]/route";
import { POST as makeShare } from "@/app/api/threads/[threadId]/share/route";
import { POST as makePasswordLink } from "@/app/api/users/[userId]/password-link/route";
import { PATCH as changeUser } from "@/app/api/users/[userId]/route";
import { POST as invite } from "@/app/api/users/invite/route";
import { addAgent, addThread } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const SAME_ORIGIN = { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" };

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await server.database.user.create({ data: { id: "root", name: "Root", email: "root@example.test", role: "admin" } });
});
afterEach(() => server.close());

const change = (userId: string, body: object) =>
  server.call(changeUser, { as: "admin", method: "PATCH", params: { userId }, body });

/** The invitation that the other administrator made, as they were. */
async function invitation(): Promise<string> {
  const reply = await server.call(invite, {
    as: "admin",
    body: { email: "eve@example.test", role: "admin", groups: [] },
  });
  const { url } = await reply.json();
  const row = await server.database.verification.findFirstOrThrow();
  const value = row.value.replace('"by":"admin"', '"by":"root"');
  await server.database.verification.update({ where: { id: row.id }, data: { value } });
  return url.split("token=")[1];
}

const lookAt = async (token: string) => (await server.call(look, { body: { token }, headers: SAME_ORIGIN })).status;
const use = async (token: string) => {
  const body = { token, name: "Eve", password: "correct horse battery" };
  return (await server.call(follow, { body, headers: SAME_ORIGIN })).status;
};

test.each([
  ["deactivated", { deactivated: true }],
  ["made a member", { role: "member" }],
])("an invitation ends when the administrator who made it is %s", async (_, body) => {
  const token = await invitation();
  expect(await lookAt(token)).toBe(200);
  expect((await change("root", body)).status).toBe(200);
  expect([await lookAt(token), await use(token)]).toEqual([404, 404]);
  expect(await server.database.verification.count()).toBe(0);
});

test("an invitation works no more while who made it is no administrator, however that came about", async () => {
  const token = await invitation();
  await server.database.user.update({ where: { id: "root" }, data: { role: "viewer" } });
  expect([await lookAt(token), await use(token)]).toEqual([404, 404]);
  expect((await server.call(sendLink, { as: "admin", body: { token } })).status).toBe(404);
});

test.each([
  ["deactivated", { deactivated: true }],
  ["made a member", { role: "member" }],
])("a link to a new password for somebody else ends when the administrator who made it is %s", async (_, body) => {
  const made = await server.call(makePasswordLink, { as: "admin", method: "POST", params: { userId: "member" } });
  const token = (await made.json()).url.split("token=")[1];
  await server.database.verification.updateMany({
    data: { value: JSON.stringify({ kind: "password", userId: "member", by: "root" }) },
  });
  expect(await lookAt(token)).toBe(200);
  expect((await change("root", body)).status).toBe(200);
  expect([await lookAt(token), await use(token)]).toEqual([404, 404]);
});

describe("a role that only a group gives", () => {
  let groupId: string;
  beforeEach(async () => {
    const { database } = server;
    await database.user.update({ where: { id: "member" }, data: { role: "viewer" } });
    const body = { name: "Makers", roleFloor: "member", members: ["member"], agents: [] };
    groupId = (await (await server.call(createGroup, { as: "admin", body })).json()).id;
    await addAgent(database, "one", { name: "One", model: "scripted:m" });
    await addThread(database, "th1", { ownerId: "member", agentId: "one" });
    await server.call(makeShare, { as: "member", params: { threadId: "th1" }, body: {} });
    const owned = { ownerId: "member", agentId: "one", name: "Daily" };
    await database.trigger.create({ data: { id: "tr1", kind: "schedule", config: "{}", enabled: true, ...owned } });
  });

  const state = async () => {
    const { enabled, pausedReason } = await server.database.trigger.findUniqueOrThrow({ where: { id: "tr1" } });
    return { shares: await server.database.share.count(), enabled, pausedReason };
  };
  const kept = { shares: 1, enabled: true, pausedReason: null };
  const ended = { shares: 0, enabled: false, pausedReason: "owner_demoted" };
  const patchGroup = (body: object) =>
    server.call(changeGroup, { as: "admin", method: "PATCH", params: { groupId }, body });

  test("ends with the membership", async () => {
    expect(await state()).toEqual(kept);
    expect((await patchGroup({ members: [] })).status).toBe(200);
    expect(await state()).toEqual(ended);
  });

  test("ends with what the group gives", async () => {
    await patchGroup({ name: "Others" });
    expect(await state()).toEqual(kept);
    await patchGroup({ roleFloor: null });
    expect(await state()).toEqual(ended);
  });

  test("ends with the group", async () => {
    await server.call(removeGroup, { as: "admin", method: "DELETE", params: { groupId } });
    expect(await state()).toEqual(ended);
  });

  test("keeps what the person made while it lasts, whatever their own role becomes", async () => {
    await change("member", { role: "member" });
    await change("member", { role: "viewer" });
    expect(await state()).toEqual(kept);
  });
});

test("an invitation that another administrator renews is theirs", async () => {
  await invitation();
  const { invitations } = await (await server.call(listInvitations, { as: "admin" })).json();
  const params = { invitationId: invitations[0].id };
  const { url } = await (await server.call(renew, { as: "admin", method: "POST", params })).json();
  await change("root", { deactivated: true });
  expect(await lookAt(url.split("token=")[1])).toBe(200);
});

test.each([
  ["deactivated", { deactivated: true }],
  ["made a viewer", { role: "viewer" }],
])("a shared thread is shared no more when its owner is %s", async (_, body) => {
  await addAgent(server.database, "one", { name: "One", model: "scripted:m" });
  await addThread(server.database, "th1", { ownerId: "member", agentId: "one" });
  const made = await server.call(makeShare, { as: "member", params: { threadId: "th1" }, body: {} });
  expect(made.status).toBeLessThan(300);
  const token = (await made.json()).url.split("/").at(-1);
  const open = async () => (await server.call(openShare, { as: "admin", params: { token } })).status;
  expect(await open()).toBe(200);
  await change("member", body);
  expect(await open()).toBe(404);
  expect(await server.database.share.count()).toBe(0);
});
