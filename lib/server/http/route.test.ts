import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { findViewer } from "@/lib/server/users/session";
import { processServices } from "@/lib/server/wiring/services";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { json } from "./reply";
import { routeDefiner } from "./route";

const defineRoute = routeDefiner(processServices, findViewer);

const Body = z.strictObject({ name: z.string(), list: z.array(z.unknown()).optional() });
const echo = defineRoute({ access: "chat", body: Body }, async ({ viewer, body }) => json({ id: viewer.id, body }));
const open = defineRoute({ access: "public" }, async () => json({ ok: true }));
const broken = defineRoute({ access: "public" }, async () => {
  throw new Error("secret detail at /srv/app/file.ts");
});

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function errorOf(reply: Response) {
  const { error } = await reply.json();
  return { status: reply.status, ...error };
}

test("a good request reaches the handler with its viewer and its parsed body", async () => {
  const reply = await server.call(echo, { as: "member", body: { name: "x" } });
  expect([reply.status, await reply.json()]).toEqual([200, { id: "member", body: { name: "x" } }]);
});

test("a route without a body refuses an unknown field by its name", async () => {
  const bare = defineRoute({ access: "chat" }, async () => json({ ok: true }));
  const call = (body?: unknown) => server.call(bare, { as: "member", method: "POST", body });
  expect((await call()).status).toBe(200);
  expect((await call({})).status).toBe(200);
  expect(await errorOf(await call({ force: true }))).toMatchObject({
    status: 400,
    code: "invalid_input",
    message: expect.stringContaining("force"),
  });
  expect((await call([])).status).toBe(400);
  expect((await call("force")).status).toBe(400);
});

test("a handler that reads the body itself finds it unread", async () => {
  const own = defineRoute({ access: "chat", bodyDocument: Body }, async ({ request }) => json(await request.json()));
  const reply = await server.call(own, { as: "member", body: { name: "x" } });
  expect(await reply.json()).toEqual({ name: "x" });
});

test("every reply has a request id of its own", async () => {
  const replies = await Promise.all([server.call(open), server.call(broken), server.call(echo, { body: {} })]);
  expect(new Set(replies.map((reply) => reply.headers.get("x-request-id"))).size).toBe(3);
});

test("without credentials it is 401, with too low a role 403", async () => {
  expect((await errorOf(await server.call(echo, { body: { name: "x" } }))).status).toBe(401);
  expect((await errorOf(await server.call(echo, { as: "viewer", body: { name: "x" } }))).status).toBe(403);
});

test("a key with the scope read is for GET only", async () => {
  const key = await server.addKey("admin", ["read"]);
  const change = defineRoute({ access: "read" }, async () => json({}));
  expect((await server.call(change, { key })).status).toBe(200);
  expect((await server.call(change, { key, method: "POST" })).status).toBe(403);
});

test("a wrong key is 401 with the same message as an expired and a revoked one", async () => {
  const key = await server.addKey("member", ["chat"]);
  await server.database.apiKey.updateMany({
    where: { prefix: "rm_test_", scopes: '["chat"]' },
    data: { revokedAt: new Date() },
  });
  const replies = [
    await server.call(echo, { key, body: {} }),
    await server.call(echo, { key: "rm_nonsense", body: {} }),
  ];
  const errors = await Promise.all(replies.map(errorOf));
  expect(errors[0]).toEqual(errors[1]);
});

test("unknown fields and wrong types are 400 with their paths", async () => {
  const reply = await errorOf(await server.call(echo, { as: "member", body: { name: 1, nmae: "x" } }));
  expect(reply).toMatchObject({ status: 400, code: "invalid_input" });
  expect(reply.details.map(({ path }: { path: string }) => path).toSorted()).toEqual(["name", "nmae"]);
});

test("a body with 60,000 unknown fields gets a short answer that says how many problems are not listed", async () => {
  const fields = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`u${at}`, 1]));
  const reply = await server.call(echo, { as: "member", body: { name: "x", ...fields } });
  const text = await reply.text();
  expect(text.length).toBeLessThan(5_000);
  expect(JSON.parse(text).error.message).toContain("59,980 more problems are not listed");
});

test("before sign-in a body has at most 16 KB, and bad ones use up the client's attempts", async () => {
  const signIn = defineRoute({ access: "public", body: Body }, async () => json({ ok: true }));
  const headers = { "x-forwarded-for": "198.51.100.7" };
  const send = (body: unknown) => server.call(signIn, { body, headers });
  expect((await send({ name: "x".repeat(20_000) })).status).toBe(413);
  for (let attempt = 1; attempt < 60; attempt += 1) expect((await send({ nmae: "x" })).status).toBe(400);
  const refused = await send({ nmae: "x" });
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect((await send({ name: "x" })).status).toBe(429);
  expect(
    (await server.call(signIn, { body: { name: "x" }, headers: { "x-forwarded-for": "198.51.100.8" } })).status,
  ).toBe(200);
});

test.each([
  ["a __proto__ key", '{"name":"x","__proto__":{"a":1}}'],
  ["an escaped __proto__ key deep inside", '{"name":"x","list":[{"\\u005f_proto__":1}]}'],
  ["100,000 levels", `{"name":"x","list":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ["no JSON", "{name}"],
  ["an empty body", ""],
])("%s is 400", async (_, body) => {
  expect((await errorOf(await server.call(echo, { as: "member", body }))).code).toBe("invalid_input");
});

test("a body over 1 MB is 413, whatever its length header says, and none of it is left on its connection", async () => {
  let pieces = 20;
  const body = new ReadableStream({
    pull(controller) {
      if (pieces === 0) return controller.close();
      pieces -= 1;
      controller.enqueue(new Uint8Array(100_000).fill(32));
    },
  });
  const init = {
    method: "POST",
    body,
    duplex: "half",
    headers: { authorization: `Bearer ${await server.addKey("member", ["chat"])}` },
  };
  const reply = await echo(new Request("http://127.0.0.1/", init as RequestInit));
  expect((await errorOf(reply)).status).toBe(413);
  await expect.poll(() => pieces).toBe(0);
});

test("NUL in the query is 400", async () => {
  expect((await server.call(open, { path: "/?q=a%00b" })).status).toBe(400);
});

test.each([
  [{ host: "evil.example" }, 421],
  [{ host: "127.0.0.1:3000" }, 200],
  [{ host: "localhost:1234" }, 200],
  [{ host: "[::1]:3000" }, 200],
])("Host %o is answered with %i", async (headers, status) => {
  expect((await server.call(open, { headers })).status).toBe(status);
});

test.each([
  [{ origin: "http://evil.example" }, 403],
  [{ origin: "null" }, 403],
  [{ "sec-fetch-site": "cross-site" }, 403],
  [{ "sec-fetch-site": "same-site" }, 403],
  [{ cookie: "ringmaster.session_token=x" }, 403],
  [{ origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }, 200],
  [{ "sec-fetch-site": "same-origin" }, 200],
  [{}, 200],
] as [Record<string, string>, number][])("a change with %o is answered with %i", async (headers, status) => {
  expect((await server.call(open, { method: "POST", headers })).status).toBe(status);
});

test("a bug is a 500 without details", async () => {
  const text = await (await server.call(broken)).text();
  expect(text).toContain('"code":"internal"');
  expect(text).not.toMatch(/secret detail|\/srv/);
});

test("a rate limit carries Retry-After", async () => {
  const limited = defineRoute({ access: "public" }, async () => {
    throw new AppError("rate_limited", "Slow down.", { details: { retryAfterSeconds: 7 } });
  });
  const reply = await server.call(limited);
  expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "7"]);
});

test.each(["database or disk is full", "SQLITE_FULL: disk", "ENOSPC: no space left on device, write"])(
  "a full disk (%s) is reported as such, with when to try again",
  async (message) => {
    const full = defineRoute({ access: "public" }, async () => {
      throw new Error(message);
    });
    const reply = await server.call(full);
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await reply.json()).error.message).toContain("server's disk is full");
  },
);
