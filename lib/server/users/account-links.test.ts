import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { POST as look } from "@/app/api/account-links/look/route";
import { POST as follow } from "@/app/api/account-links/route";
import { POST as signIn } from "@/app/api/auth/sign-in/email/route";
import { POST as renew } from "@/app/api/invitations/[invitationId]/renew/route";
import { DELETE as revoke } from "@/app/api/invitations/[invitationId]/route";
import { GET as listInvitations } from "@/app/api/invitations/route";
import { POST as passwordLink } from "@/app/api/users/[userId]/password-link/route";
import { DELETE as endOne } from "@/app/api/users/[userId]/sessions/[sessionId]/route";
import { DELETE as endAll, GET as listSessions } from "@/app/api/users/[userId]/sessions/route";
import { POST as invite } from "@/app/api/users/invite/route";
import { POST as addUser } from "@/app/api/users/route";
import type { CreatedLink } from "@/lib/schema/users/account-link";
import { whileAuditIsRefused } from "@/lib/testing/databases/refuse-audit";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => {
  vi.useRealTimers();
  return server.close();
});

const PASSWORD = "correct-horse-battery";
const tokenOf = ({ url }: CreatedLink) => url.split("#token=")[1] ?? "";
const open = (body: object) => server.call(follow, { method: "POST", body });
const enter = (email: string, password: string) => server.call(signIn, { method: "POST", body: { email, password } });

async function inviteGrace(): Promise<string> {
  const reply = await server.call(invite, { as: "admin", body: { email: "Grace@example.test", role: "member" } });
  expect(reply.status).toBe(201);
  return tokenOf(await reply.json());
}

test("an invited person makes their own account with the role that the invitation names, and signs in", async () => {
  const token = await inviteGrace();
  const facts = await server.call(look, { method: "POST", body: { token } });
  expect(await facts.json()).toEqual({ kind: "invite", email: "grace@example.test" });
  expect((await open({ token, name: "Grace", password: PASSWORD })).status).toBe(201);
  const user = await server.database.user.findUniqueOrThrow({ where: { email: "grace@example.test" } });
  expect(user).toMatchObject({ name: "Grace", role: "member" });
  expect((await enter("grace@example.test", PASSWORD)).status).toBe(200);
});

test("a link works once, also when two use it in the same moment", async () => {
  const token = await inviteGrace();
  const uses = await Promise.all(["Grace", "Mallory"].map((name) => open({ token, name, password: PASSWORD })));
  expect(uses.map(({ status }) => status).toSorted()).toEqual([201, 404]);
  expect(await (await open({ token, name: "Eve", password: PASSWORD })).json()).toMatchObject({
    error: { code: "not_found", message: expect.stringContaining("Ask an administrator for a new one") },
  });
});

test("a link that could not be used stays usable", async () => {
  const token = await inviteGrace();
  expect((await open({ token, password: PASSWORD })).status).toBe(400);
  expect((await open({ token, name: "Grace", password: PASSWORD })).status).toBe(201);
});

test("an invitation expires after a week", async () => {
  const token = await inviteGrace();
  await server.database.verification.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
  expect((await open({ token, name: "Grace", password: PASSWORD })).status).toBe(404);
});

test("nobody is invited whose address is taken, and only an administrator invites", async () => {
  const { email } = await server.database.user.findUniqueOrThrow({ where: { id: "member" } });
  const taken = await server.call(invite, { as: "admin", body: { email } });
  expect([taken.status, (await taken.json()).error.details]).toMatchObject([409, [{ path: "email" }]]);
  expect((await server.call(invite, { as: "member", body: { email: "x@example.test" } })).status).toBe(403);
});

test("a password link sets the password, ends every session and is in the audit log", async () => {
  await open({ token: await inviteGrace(), name: "Grace", password: PASSWORD });
  await enter("grace@example.test", PASSWORD);
  const { id } = await server.database.user.findUniqueOrThrow({ where: { email: "grace@example.test" } });
  const reply = await server.call(passwordLink, { as: "admin", method: "POST", params: { userId: id } });
  const token = tokenOf(await reply.json());
  expect((await open({ token, password: "another-long-password" })).status).toBe(201);
  expect(await server.database.session.count({ where: { userId: id } })).toBe(0);
  expect((await enter("grace@example.test", PASSWORD)).status).toBe(401);
  expect((await enter("grace@example.test", "another-long-password")).status).toBe(200);
  const entries = await server.database.auditEntry.findMany({ where: { target: `user:${id}` } });
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["invitation.accepted", "password_link.created", "password.changed"]),
  );
  expect(JSON.stringify(entries)).not.toContain(token);
});

test("no link opens the account of somebody who was deactivated", async () => {
  await open({ token: await inviteGrace(), name: "Grace", password: PASSWORD });
  const where = { email: "grace@example.test" };
  const { id } = await server.database.user.findUniqueOrThrow({ where });
  const made = await server.call(passwordLink, { as: "admin", method: "POST", params: { userId: id } });
  await server.database.user.update({ where, data: { deactivatedAt: new Date() } });
  expect((await open({ token: tokenOf(await made.json()), password: PASSWORD })).status).toBe(404);
  expect((await server.call(passwordLink, { as: "admin", method: "POST", params: { userId: id } })).status).toBe(409);
});

test("an administrator sees where somebody is signed in, and signs them out in one browser or in all", async () => {
  await open({ token: await inviteGrace(), name: "Grace", password: PASSWORD });
  for (let browser = 0; browser < 3; browser += 1) await enter("grace@example.test", PASSWORD);
  const { id: userId } = await server.database.user.findUniqueOrThrow({ where: { email: "grace@example.test" } });
  const list = async () => (await server.call(listSessions, { as: "admin", params: { userId } })).json();
  const { sessions } = await list();
  expect(sessions).toHaveLength(3);
  const call = { as: "admin", method: "DELETE" } as const;
  expect((await server.call(endOne, { ...call, params: { userId, sessionId: sessions[0].id } })).status).toBe(204);
  expect((await server.call(endOne, { ...call, params: { userId, sessionId: sessions[0].id } })).status).toBe(404);
  expect((await list()).sessions).toHaveLength(2);
  expect((await server.call(endAll, { ...call, params: { userId } })).status).toBe(204);
  expect((await list()).sessions).toHaveLength(0);
});

test("open invitations say who invited whom; one that is revoked stops working, and a new link replaces the old", async () => {
  const group = await server.database.group.create({ data: { id: "grp_1", name: "Builders", roleFloor: "member" } });
  const body = { email: "Grace@example.test", role: "viewer", groups: [group.id] };
  const first = tokenOf(await (await server.call(invite, { as: "admin", body })).json());
  const openInvitations = async () => (await (await server.call(listInvitations, { as: "admin" })).json()).invitations;
  const [invitation] = await openInvitations();
  expect(invitation).toMatchObject({
    email: "grace@example.test",
    role: "viewer",
    groups: ["grp_1"],
    invitedByName: "The admin",
  });
  const params = { invitationId: invitation.id };
  const renewed = await server.call(renew, { as: "admin", method: "POST", params });
  expect(renewed.status).toBe(201);
  expect((await open({ token: first, name: "Grace", password: PASSWORD })).status).toBe(404);
  expect((await open({ token: tokenOf(await renewed.json()), name: "Grace", password: PASSWORD })).status).toBe(201);
  const user = await server.database.user.findUniqueOrThrow({
    where: { email: "grace@example.test" },
    include: { groups: true },
  });
  expect(user).toMatchObject({ role: "viewer", groupRole: "member", groups: [{ groupId: "grp_1" }] });
  expect(await openInvitations()).toEqual([]);
  const token = await inviteAda();
  const [other] = await openInvitations();
  const call = { as: "admin", method: "DELETE", params: { invitationId: other.id } } as const;
  expect((await server.call(revoke, call)).status).toBe(204);
  expect((await server.call(revoke, call)).status).toBe(404);
  expect((await open({ token, name: "Ada", password: PASSWORD })).status).toBe(404);
});

test("an invitation into a group that does not exist is refused at its field", async () => {
  const body = { email: "grace@example.test", groups: ["nothing"] };
  const reply = await server.call(invite, { as: "admin", body });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: { details: [{ path: "groups.0" }] } });
});

async function inviteAda(): Promise<string> {
  return tokenOf(await (await server.call(invite, { as: "admin", body: { email: "ada@example.test" } })).json());
}

test("what the audit log can't take does not happen: no link, no account, no password, no session ends", async () => {
  const token = await inviteGrace();
  const { database } = server;
  const { id } = await database.user.findUniqueOrThrow({ where: { id: "member" } });
  await database.account.create({
    data: { id: "acc_1", accountId: id, providerId: "credential", userId: id, password: "old" },
  });
  const made = await server.call(passwordLink, { as: "admin", method: "POST", params: { userId: id } });
  const password = tokenOf(await made.json());
  const soon = new Date(Date.now() + 60_000);
  await database.session.create({ data: { id: "ses_1", userId: id, token: "t", expiresAt: soon } });
  const [invitation] = await listed();
  const params = { invitationId: invitation?.id ?? "" };
  const state = async () => ({
    links: await database.verification.findMany(),
    users: await database.user.findMany({ orderBy: { id: "asc" } }),
    accounts: await database.account.findMany(),
    sessions: await database.session.count(),
  });
  const before = await state();
  const replies = await whileAuditIsRefused(database, () =>
    inOrder([
      () => server.call(invite, { as: "admin", body: { email: "other@example.test", role: "member" } }),
      () => server.call(passwordLink, { as: "admin", method: "POST", params: { userId: id } }),
      () => open({ token, name: "Grace", password: PASSWORD }),
      () => open({ token: password, password: PASSWORD }),
      () => server.call(renew, { as: "admin", method: "POST", params }),
      () => server.call(revoke, { as: "admin", method: "DELETE", params }),
      () => server.call(endOne, { as: "admin", method: "DELETE", params: { userId: id, sessionId: "ses_1" } }),
      () => server.call(endAll, { as: "admin", method: "DELETE", params: { userId: id } }),
      () => server.call(addUser, { as: "admin", body: { ...NEW_USER, password: PASSWORD } }),
    ]),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 500));
  expect(await state()).toEqual(before);
  expect((await open({ token, name: "Grace", password: PASSWORD })).status).toBe(201);
});

const NEW_USER = { email: "new@example.test", name: "New", role: "member" };

async function listed(): Promise<{ id: string }[]> {
  return (await (await server.call(listInvitations, { as: "admin" })).json()).invitations;
}

async function inOrder(calls: readonly (() => Promise<Response>)[]): Promise<Response[]> {
  const replies: Response[] = [];
  for (const call of calls) replies.push(await call());
  return replies;
}
