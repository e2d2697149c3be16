import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as signOut } from "@/app/api/auth/sign-out/route";
import { GET as me } from "@/app/api/me/route";
import { countStatements } from "@/lib/testing/databases/count-statements";
import { signInAs } from "@/lib/testing/fixtures/sign-in";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { auth } from "./auth/better-auth";
import { findSessionViewer } from "./session";

const DAY_MS = 86_400_000;

let server: TestServer;
let headers: Record<string, string>;
let name: string;
/** The session's token and its signature, as the cookie has them. */
let value: string;

beforeEach(async () => {
  server = await startTestServer();
  headers = await signInAs(server, "member");
  const [, ...parts] = /^([^=]+)=([^;]+)/.exec(headers.cookie ?? "") ?? [];
  [name, value] = parts as [string, string];
});
afterEach(() => server.close());

const status = async () => (await server.call(me, { headers })).status;
const viewerOf = (cookie: string) => findSessionViewer(server.services, new Headers({ cookie }));

test("a session is found in one query, and a cookie that was never issued asks nothing of the database", async () => {
  const count = countStatements();
  expect(await viewerOf(`${name}=${value}`)).toMatchObject({ id: "member", scopes: ["read", "chat"] });
  expect(count().statements).toHaveLength(1);
  expect(await viewerOf(`${name}=x${value}`)).toBeNull();
  expect(count().statements).toEqual([]);
});

const flipped = (text: string) => text.replace(/[A-Za-z]/, (letter) => (letter === "a" ? "b" : "a"));
const split = () => [value.slice(0, value.indexOf(".")), value.slice(value.indexOf("."))] as const;

test.each([
  ["as it was issued", true, () => `${name}=${value}`],
  ["decoded", true, () => `${name}=${decodeURIComponent(value)}`],
  ["in quotes", true, () => `${name}="${value}"`],
  ["among others", true, () => `theme=dark; ${name}=${value}; other=1`],
  ["before another of its name", true, () => `${name}=${value}; ${name}=other`],
  ["after another of its name", false, () => `${name}=other; ${name}=${value}`],
  ["with another token", false, () => `${name}=${flipped(split()[0])}${split()[1]}`],
  ["with another signature", false, () => `${name}=${split()[0]}${flipped(split()[1])}`],
  ["without its signature", false, () => `${name}=${split()[0]}`],
  ["with an empty signature", false, () => `${name}=${split()[0]}.`],
  ["cut off", false, () => `${name}=${value.slice(0, -4)}`],
  ["empty", false, () => `${name}=`],
  ["of another name", false, () => `x${name}=${value}`],
  ["of https", false, () => `__Secure-${name}=${value}`],
  ["of another cookie of better-auth", false, () => `${name}_data=${value}`],
])("a session cookie %s counts exactly if it does for better-auth", async (_, isValid, write) => {
  const cookie = write();
  const theirs = await auth(server.services).api.getSession({ headers: new Headers({ cookie }) });
  expect([theirs?.user.id, (await viewerOf(cookie))?.id]).toEqual(
    isValid ? ["member", "member"] : [undefined, undefined],
  );
});

test.each([
  ["has signed out", () => server.call(signOut, { method: "POST", headers })],
  ["has lost the session", () => server.database.session.deleteMany()],
  [
    "has an expired session",
    () => server.database.session.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } }),
  ],
  [
    "is deactivated, although the session is still stored,",
    () => server.database.user.update({ where: { id: "member" }, data: { deactivatedAt: new Date() } }),
  ],
  [
    "has become the built-in user",
    () => server.database.user.update({ where: { id: "member" }, data: { isService: true } }),
  ],
  ["is deleted", () => server.database.user.delete({ where: { id: "member" } })],
])("someone who %s is refused from the next request on", async (_, end) => {
  expect(await status()).toBe(200);
  await end();
  expect(await status()).toBe(401);
});

test("another role, and one that a group gives, count from the next request on", async () => {
  const scopes = async () => (await (await server.call(me, { headers })).json()).scopes;
  const change = (data: { role?: string; groupRole?: string }) =>
    server.database.user.update({ where: { id: "member" }, data });
  expect(await scopes()).toEqual(["read", "chat"]);
  await change({ role: "viewer" });
  expect(await scopes()).toEqual(["read"]);
  await change({ groupRole: "admin" });
  expect(await scopes()).toEqual(["read", "chat", "admin"]);
});

test("a session ends thirty days after signing in, however much it is used", async () => {
  const end = async () => (await server.database.session.findFirstOrThrow()).expiresAt.getTime();
  expect(Math.abs((await end()) - Date.now() - 30 * DAY_MS)).toBeLessThan(60_000);
  const soon = new Date(Date.now() + DAY_MS);
  await server.database.session.updateMany({
    data: { expiresAt: soon, updatedAt: new Date(Date.now() - 29 * DAY_MS) },
  });
  expect(await status()).toBe(200);
  expect(await end()).toBe(soon.getTime());
});
