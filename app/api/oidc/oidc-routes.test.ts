import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as callback } from "@/app/api/auth/callback/oidc/route";
import { POST as signIn } from "@/app/api/auth/sign-in/email/route";
import { POST as start } from "@/app/api/auth/sign-in/social/route";
import { POST as addGroup } from "@/app/api/groups/route";
import { GET as me } from "@/app/api/me/route";
import { PATCH as patchUser } from "@/app/api/users/[userId]/route";
import { POST as addUser } from "@/app/api/users/route";
import { whileAuditIsRefused } from "@/lib/testing/databases/refuse-audit";
import { OIDC_CLIENT, type OidcPerson, type OidcServer, startOidcServer } from "@/lib/testing/servers/oidc-server";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { PATCH as change, DELETE as remove, GET as settings } from "./route";
import { POST as testIssuer } from "./test/route";

const PASSWORD = "correct horse battery";
const same = { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" };
const ADA: OidcPerson = { sub: "ada-1", email: "ada@corp.test", name: "Ada Lovelace", groups: ["engineering"] };

let server: TestServer;
let idp: OidcServer;
beforeEach(async () => {
  server = await startTestServer();
  idp = await startOidcServer("http://127.0.0.1:3000/api/auth/callback/oidc");
});
afterEach(async () => {
  await idp.close();
  await server.close();
});

const configure = (more: object = {}) =>
  server.call(change, {
    as: "admin",
    method: "PATCH",
    body: { issuer: idp.issuer, ...OIDC_CLIENT, name: "Corp", ...more },
  });

const cookiesOf = (reply: Response) =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");

const begin = () => server.call(start, { body: { provider: "oidc", callbackURL: "/traces" }, headers: same });

/** A whole sign-in; returns the reply to the callback. */
async function arrive(person: OidcPerson): Promise<Response> {
  const started = await begin();
  expect(started.status).toBe(200);
  const { url } = await started.json();
  const back = new URL(await idp.signIn(url, person));
  return server.call(callback, { path: back.pathname + back.search, headers: { ...same, cookie: cookiesOf(started) } });
}

const whoIs = async (reply: Response) =>
  (await server.call(me, { headers: { ...same, cookie: cookiesOf(reply) } })).json();
const errorOf = (reply: Response) =>
  new URL(reply.headers.get("location") ?? "", same.origin).searchParams.get("error");

test("a first sign-in through the identity provider creates the account and opens the requested page", async () => {
  await configure();
  const reply = await arrive(ADA);
  expect([reply.status, reply.headers.get("location")]).toEqual([302, "/traces"]);
  expect(await whoIs(reply)).toMatchObject({ email: "ada@corp.test", name: "Ada Lovelace", role: "member" });
  const entry = await server.database.auditEntry.findFirstOrThrow({ where: { action: "user.created" } });
  expect(JSON.parse(entry.details)).toEqual({ by: "oidc" });
});

test("the client secret can't be read again, and is stored encrypted", async () => {
  await configure();
  const text = await (await server.call(settings, { as: "admin" })).text();
  expect(text).toContain('"clientSecret":{"set":true,"keyId":');
  const { value } = await server.database.setting.findUniqueOrThrow({ where: { key: "oidc" } });
  const log = await server.database.auditEntry.findMany();
  expect(text + value + JSON.stringify(log)).not.toContain(OIDC_CLIENT.clientSecret);
});

test("the provider's groups are mapped to roles and groups again at each sign-in", async () => {
  const make = async (name: string) =>
    (await (await server.call(addGroup, { as: "admin", body: { name, roleFloor: "member" } })).json()).id as string;
  const [builders, writers] = [await make("Builders"), await make("Writers")];
  await configure({
    defaultRole: "viewer",
    groups: [
      { group: "engineering", groupId: builders },
      { group: "writing", groupId: writers },
      { group: "chiefs", role: "admin" },
    ],
  });
  const first = await whoIs(await arrive(ADA));
  expect(first.role).toBe("member");
  const groupsOf = async () =>
    (await server.database.groupMember.findMany({ where: { userId: first.id } })).map(({ groupId }) => groupId);
  expect(await groupsOf()).toEqual([builders]);
  await server.database.groupMember.create({ data: { groupId: writers, userId: first.id } });
  expect((await whoIs(await arrive({ ...ADA, groups: ["chiefs"] }))).role).toBe("admin");
  // Removed from what the provider no longer grants; not from what an administrator here granted.
  expect(await groupsOf()).toEqual([writers]);
  expect((await whoIs(await arrive({ ...ADA, groups: [] }))).role).toBe("member");
});

test("groups that the ID token does not have are asked of the userinfo", async () => {
  await configure({ defaultRole: "viewer", groups: [{ group: "chiefs", role: "admin" }] });
  const chief = { ...ADA, groups: ["chiefs"], hasGroupsInUserInfoOnly: true };
  expect((await whoIs(await arrive(chief))).role).toBe("admin");
});

test("a person is known by issuer and subject alone: a changed address is still them, the same address is not", async () => {
  await configure();
  const { id } = await whoIs(await arrive(ADA));
  expect((await whoIs(await arrive({ ...ADA, email: "ada.king@corp.test" }))).id).toBe(id);
  const other = await arrive({ ...ADA, sub: "another-subject" });
  expect(errorOf(other)).toBe("account_not_linked");
});

test("an address that is taken is refused and never linked, whoever has it", async () => {
  await configure();
  const body = { email: ADA.email, name: "Local Ada", role: "admin", password: PASSWORD };
  const { id } = await (await server.call(addUser, { as: "admin", body })).json();
  const reply = await arrive(ADA);
  expect(errorOf(reply)).toBe("account_not_linked");
  expect(await server.database.account.count({ where: { userId: id } })).toBe(1);
  expect(await server.database.session.count()).toBe(0);
});

test("a wrong client secret leads back to the sign-in page with an error and without a session", async () => {
  await configure({ clientSecret: "not-the-secret" });
  const reply = await arrive(ADA);
  expect(errorOf(reply)).toBe("invalid_code");
  expect(await server.database.user.count({ where: { email: ADA.email } })).toBe(0);
  expect(await server.database.session.count()).toBe(0);
});

test("a provider that is away is said at once, and a local administrator gets in", async () => {
  await configure();
  await idp.close();
  const reply = await begin();
  expect(reply.status).toBe(503);
  expect((await reply.json()).error.message).toMatch(/^Corp does not answer\./);
  const tested = await (await server.call(testIssuer, { as: "admin", method: "POST" })).json();
  expect(tested).toMatchObject({ ok: false, error: expect.stringContaining("does not answer") });
  const body = { email: "root@example.test", name: "Root", role: "admin", password: PASSWORD };
  await server.call(addUser, { as: "admin", body });
  const entered = await server.call(signIn, { body: { email: body.email, password: PASSWORD }, headers: same });
  expect(entered.status).toBe(200);
});

test("passwords end only once an administrator comes through the provider, and never for administrators", async () => {
  await configure({ groups: [{ group: "chiefs", role: "admin" }] });
  const off = () => server.call(change, { as: "admin", method: "PATCH", body: { localSignIn: false } });
  await arrive(ADA);
  expect((await off()).status).toBe(409);
  await arrive({ ...ADA, groups: ["chiefs"] });
  expect((await off()).status).toBe(200);
  const enter = async (role: string) => {
    const body = { email: `${role}@local.test`, name: role, role, password: PASSWORD };
    await server.call(addUser, { as: "admin", body });
    return server.call(signIn, { body: { email: body.email, password: PASSWORD }, headers: same });
  };
  const refused = await enter("member");
  expect(refused.status).toBe(403);
  expect((await refused.json()).error.message).toContain("Continue with Corp");
  expect(await server.database.session.count({ where: { user: { email: "member@local.test" } } })).toBe(0);
  expect((await enter("admin")).status).toBe(200);
});

test("a deactivated person does not come back through the provider", async () => {
  await configure();
  const { id } = await whoIs(await arrive(ADA));
  await server.call(patchUser, { as: "admin", method: "PATCH", params: { userId: id }, body: { deactivated: true } });
  const reply = await arrive(ADA);
  expect(errorOf(reply)).toBe("deactivated");
  expect(await server.database.session.count({ where: { userId: id } })).toBe(0);
});

test("while nothing is set up, and after it was removed, the way in does not exist", async () => {
  expect((await begin()).status).toBe(404);
  await configure();
  expect((await server.call(remove, { as: "admin", method: "DELETE" })).status).toBe(204);
  expect((await begin()).status).toBe(404);
});

test("a callback without a sign-in that was started here is refused", async () => {
  await configure();
  const started = await begin();
  const back = new URL(await idp.signIn((await started.json()).url, ADA));
  const reply = await server.call(callback, { path: back.pathname + back.search, headers: same });
  expect(errorOf(reply)).toBe("state_mismatch");
  expect(await server.database.session.count()).toBe(0);
});

test("a role that the audit log can't take is not given, and the person is not signed in", async () => {
  await configure({ defaultRole: "viewer", groups: [{ group: "chiefs", role: "admin" }] });
  const { id } = await whoIs(await arrive(ADA));
  const before = await server.database.session.count();
  const reply = await whileAuditIsRefused(server.database, () => arrive({ ...ADA, groups: ["chiefs"] }));
  expect(reply.status).toBe(500);
  expect(await server.database.user.findUniqueOrThrow({ where: { id } })).toMatchObject({ role: "viewer" });
  expect(await server.database.session.count()).toBe(before);
});

test("a newcomer whom the audit log can't take is a newcomer again the next time", async () => {
  await configure({ defaultRole: "viewer" });
  await whileAuditIsRefused(server.database, () => arrive(ADA));
  expect(await server.database.user.count({ where: { email: ADA.email } })).toBe(0);
  expect((await whoIs(await arrive(ADA))).role).toBe("viewer");
  expect(await server.database.auditEntry.count({ where: { action: "user.created" } })).toBe(1);
});
