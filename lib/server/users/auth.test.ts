import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as changePassword } from "@/app/api/auth/change-password/route";
import { POST as revokeOtherSessions } from "@/app/api/auth/revoke-other-sessions/route";
import { POST as signIn } from "@/app/api/auth/sign-in/email/route";
import { POST as signOut } from "@/app/api/auth/sign-out/route";
import { GET as events } from "@/app/api/events/route";
import { GET as me } from "@/app/api/me/route";
import { POST as setUp, GET as setUpStatus } from "@/app/api/setup/route";
import { PATCH as patchUser } from "@/app/api/users/[userId]/route";
import { DELETE as endAll } from "@/app/api/users/[userId]/sessions/route";
import { POST as addUser } from "@/app/api/users/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { ensureFirstAdmin, makeSetUpLink } from "./set-up";

const PASSWORD = "correct horse battery";
const ADMIN_KEY = "an-admin-key-of-thirty-characters";
const same = { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" };

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ RINGMASTER_ADMIN_API_KEY: ADMIN_KEY });
});
afterEach(() => server.close());

function cookieOf(reply: Response): string {
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

async function addPerson(email: string, role = "member") {
  const reply = await server.call(addUser, { as: "admin", body: { email, name: "Ada", role, password: PASSWORD } });
  return (await reply.json()).id as string;
}

const trySignIn = (email: string, password: string) =>
  server.call(signIn, { body: { email, password }, headers: same });

test("a person signs in, is known by the cookie, and is nobody after signing out", async () => {
  await addPerson("ada@example.test");
  const signedIn = await trySignIn("ADA@example.test", PASSWORD);
  const headers = { ...same, cookie: cookieOf(signedIn) };
  expect(await (await server.call(me, { headers })).json()).toMatchObject({ role: "member", scopes: ["read", "chat"] });
  await server.call(signOut, { method: "POST", headers });
  expect((await server.call(me, { headers })).status).toBe(401);
});

test("the session cookie is HttpOnly and SameSite, and its reply shows no token", async () => {
  await addPerson("ada@example.test");
  const reply = await trySignIn("ada@example.test", PASSWORD);
  expect(reply.headers.getSetCookie()[0]).toMatch(/HttpOnly; SameSite=Lax/);
  expect(Object.keys(await reply.json())).toEqual(["userId"]);
});

test("an unknown address, a wrong password and a deactivated person get the same answer", async () => {
  const id = await addPerson("ada@example.test");
  await addPerson("bob@example.test");
  await server.call(patchUser, { as: "admin", method: "PATCH", params: { userId: id }, body: { deactivated: true } });
  const replies = await Promise.all([
    trySignIn("nobody@example.test", PASSWORD),
    trySignIn("bob@example.test", "wrong"),
    trySignIn("ada@example.test", PASSWORD),
  ]);
  const texts = await Promise.all(replies.map(async (reply) => `${reply.status} ${await reply.text()}`));
  expect(new Set(texts).size).toBe(1);
});

test("sign-in from another site is refused", async () => {
  const headers = { origin: "http://evil.example" };
  expect((await server.call(signIn, { body: { email: "a@b.example", password: "x" }, headers })).status).toBe(403);
});

test("the eleventh wrong password is 429 with Retry-After", async () => {
  for (let attempt = 0; attempt < 10; attempt += 1) await trySignIn("nobody@example.test", "wrong");
  const reply = await trySignIn("nobody@example.test", "wrong");
  expect([reply.status, Number(reply.headers.get("retry-after")) > 0]).toEqual([429, true]);
});

test("a deactivated user loses sessions and keys at once, and does not get them back", async () => {
  const id = await addPerson("ada@example.test");
  const headers = { ...same, cookie: cookieOf(await trySignIn("ada@example.test", PASSWORD)) };
  const withKey = { authorization: `Bearer ${await server.addKey(id, ["read"])}` };
  const statuses = async () => [
    (await server.call(me, { headers })).status,
    (await server.call(me, { headers: withKey })).status,
  ];
  const change = (deactivated: boolean) =>
    server.call(patchUser, { as: "admin", method: "PATCH", params: { userId: id }, body: { deactivated } });
  expect(await statuses()).toEqual([200, 200]);
  await change(true);
  expect(await statuses()).toEqual([401, 401]);
  await change(false);
  expect(await statuses()).toEqual([401, 401]);
});

test.each([
  ["deactivated", () => server.call(patchUser, { ...personAda(), method: "PATCH", body: { deactivated: true } })],
  ["signed out everywhere", () => server.call(endAll, { ...personAda(), method: "DELETE" })],
])("open pages of a person who is %s hear nothing more at once", async (_, end) => {
  ada = await addPerson("ada@example.test");
  const headers = { ...same, cookie: cookieOf(await trySignIn("ada@example.test", PASSWORD)) };
  const open = await server.call(events, { headers });
  const others = await server.call(events, { as: "member" });
  const said = open.text().catch((error: Error) => error.message);
  await end();
  expect(await said).toContain("no longer");
  await others.body?.cancel();
});

let ada = "";
const personAda = () => ({ as: "admin", params: { userId: ada } }) as const;

test("a new password ends the other sessions and gives this one a new cookie", async () => {
  await addPerson("ada@example.test");
  const [first, second] = [
    await trySignIn("ada@example.test", PASSWORD),
    await trySignIn("ada@example.test", PASSWORD),
  ];
  const headers = { ...same, cookie: cookieOf(first) };
  const body = { currentPassword: PASSWORD, newPassword: "another long password" };
  const changed = await server.call(changePassword, { body, headers });
  const status = async (cookie: string) => (await server.call(me, { headers: { ...same, cookie } })).status;
  expect([await status(cookieOf(first)), await status(cookieOf(second)), await status(cookieOf(changed))]).toEqual([
    401, 401, 200,
  ]);
});

test.each([
  ["revoke-other-sessions", revokeOtherSessions, undefined],
  ["change-password", changePassword, { currentPassword: PASSWORD, newPassword: "another long password" }],
])("%s is for a session: with an API key it is 403 and changes nobody's", async (_, route, body) => {
  await addPerson("ada@example.test");
  const cookie = cookieOf(await trySignIn("ada@example.test", PASSWORD));
  for (const headers of [{}, { ...same, cookie }]) {
    expect((await server.call(route, { method: "POST", as: "member", headers, body })).status).toBe(403);
  }
  expect((await trySignIn("ada@example.test", PASSWORD)).status).toBe(200);
});

test("the last administrator can't be removed", async () => {
  const reply = await server.call(patchUser, {
    key: ADMIN_KEY,
    method: "PATCH",
    params: { userId: "admin" },
    body: { role: "member" },
  });
  expect(reply.status).toBe(409);
});

test("RINGMASTER_ADMIN_API_KEY acts as the built-in user from the first request", async () => {
  const reply = await server.call(me, { key: ADMIN_KEY });
  expect(await reply.json()).toMatchObject({ id: "service", role: "admin", scopes: ["read", "chat", "admin"] });
});

test("set-up is needed while no person is admin, and takes the token of the log once", async () => {
  await server.database.user.delete({ where: { id: "admin" } });
  const link = await makeSetUpLink(server.database);
  const token = new URL(link ?? "").hash.replace("#token=", "");
  const budgets = { month_usd: 200, person_day_usd: 5 };
  const body = { token, name: "Grace", email: "grace@example.test", password: PASSWORD, budgets };
  expect(await (await server.call(setUpStatus)).json()).toEqual({ needed: true });
  const wrong = await server.call(setUp, { body: { ...body, token: "wrong" }, headers: same });
  const replies = await Promise.all([
    server.call(setUp, { body, headers: same }),
    server.call(setUp, { body, headers: same }),
  ]);
  expect([wrong.status, ...replies.map(({ status }) => status).toSorted()]).toEqual([403, 201, 403]);
  expect(await (await server.call(setUpStatus)).json()).toEqual({ needed: false });
  expect((await trySignIn("grace@example.test", PASSWORD)).status).toBe(200);
  const limits = await server.database.budget.findMany({ orderBy: { usd: "asc" } });
  expect(limits).toMatchObject([
    { scope: "each_user", scopeId: null, period: "day", usd: 5, onReach: "wait" },
    { scope: "installation", scopeId: null, period: "month", usd: 200, onReach: "wait" },
  ]);
});

test("processes that start together print the same link", async () => {
  await server.database.user.delete({ where: { id: "admin" } });
  const [one, other] = await Promise.all([makeSetUpLink(server.database), makeSetUpLink(server.database)]);
  expect(one).toContain("/setup#token=");
  expect(other).toBe(one);
  const { value } = await server.database.setting.findUniqueOrThrow({ where: { key: "set_up_seed" } });
  expect(one).not.toContain(value);
});

test("set-up is closed once somebody is admin", async () => {
  const body = { token: "x", name: "Eve", email: "eve@example.test", password: PASSWORD };
  expect((await server.call(setUp, { body, headers: same })).status).toBe(409);
});

test("the admin of the environment is created only while nobody exists", async () => {
  await server.close();
  server = await startTestServer({ RINGMASTER_ADMIN_EMAIL: "root@example.test", RINGMASTER_ADMIN_PASSWORD: PASSWORD });
  await ensureFirstAdmin(server.services);
  expect(await server.database.user.count({ where: { email: "root@example.test" } })).toBe(0);
  await server.database.user.deleteMany({});
  await ensureFirstAdmin(server.services);
  expect((await trySignIn("root@example.test", PASSWORD)).status).toBe(200);
});

test("behind https the cookie is Secure", async () => {
  await server.close();
  server = await startTestServer({ RINGMASTER_PUBLIC_URL: "https://ring.example" });
  await addPerson("ada@example.test");
  const headers = { origin: "https://ring.example", host: "ring.example" };
  const body = { email: "ada@example.test", password: PASSWORD };
  const reply = await server.call(signIn, { body, headers });
  expect(reply.headers.getSetCookie()[0]).toMatch(/^__Secure-ringmaster\.session_token=.*; Secure/);
  const cookie = cookieOf(reply);
  expect((await server.call(me, { headers: { ...headers, cookie } })).status).toBe(200);
});

test("wrong tokens are throttled and the right one still works", async () => {
  await server.database.user.delete({ where: { id: "admin" } });
  const token = new URL((await makeSetUpLink(server.database)) ?? "").hash.replace("#token=", "");
  const body = { token: "wrong", name: "Grace", email: "grace@example.test", password: PASSWORD };
  for (let attempt = 0; attempt < 10; attempt += 1) await server.call(setUp, { body, headers: same });
  expect((await server.call(setUp, { body, headers: same })).status).toBe(429);
  expect((await server.call(setUp, { body: { ...body, token }, headers: same })).status).toBe(201);
});
