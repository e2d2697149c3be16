import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { DELETE as removeTool } from "@/app/agents/tools/[name]/route";
import { POST as register } from "@/app/agents/tools/register/route";
import { POST as tryTool } from "@/app/api/http-tools/[name]/test/route";
import { GET as listTools } from "@/app/api/http-tools/route";
import type { ToolExecution } from "@/lib/agent/tools/tool";
import { readParameters } from "@/lib/server/tools/json-schema-check";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { signBody } from "./http-tool";
import { listHttpTools } from "./list-http-tools";

let answer: unknown = { result: "ok" };
let status = 200;
const received: { body: string; request: IncomingMessage }[] = [];
const callback = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ body: Buffer.concat(chunks).toString(), request });
  response.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
});
let url = "";
let server: TestServer;

beforeAll(async () => {
  await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/hook`;
});
afterAll(() => void callback.close());
beforeEach(async () => {
  status = 200;
  received.length = 0;
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: new URL(url).host });
});
afterEach(() => server.close());

const parameters = {
  type: "object",
  properties: { city: { type: "string", pattern: "^(a+)+$" }, pattern: { type: "number" } },
  required: ["city"],
};
const tool = { name: "weather", description: "Weather", parameters, callback_url: "", secret: "s3cret-of-tool" };
const execution = {
  call: { id: "call_1", name: "weather", args: {}, rawArgs: "{}" },
  signal: new AbortController().signal,
  context: { runId: "run_1", threadId: "th_1", now: () => 1_700_000_000_500 },
} as unknown as ToolExecution;

const registerTool = (change: Record<string, unknown> = {}) =>
  server.call(register, { as: "admin", body: { ...tool, callback_url: url, ...change } });

async function callTool(args: unknown = { city: "Oslo" }) {
  const [weather] = await listHttpTools(server.services);
  return weather?.execute(args, execution);
}

test("its calls are said to run at its host, outside Ringmaster", async () => {
  await registerTool();
  const [weather] = await listHttpTools(server.services);
  expect(weather?.place).toBe(new URL(url).host);
});

test("a registered tool is called with the call's ids and a signature that its owner can check", async () => {
  expect((await registerTool()).status).toBe(201);
  answer = { result: "sunny", for_user: "It is sunny." };
  expect(await callTool()).toEqual({ output: "sunny", forUser: "It is sunny." });
  const sent = received[0];
  expect(JSON.parse(sent?.body ?? "")).toEqual({
    name: "weather",
    args: { city: "Oslo" },
    run_id: "run_1",
    thread_id: "th_1",
    tool_call_id: "call_1",
  });
  expect(sent?.request.headers["x-ringmaster-signature"]).toBe(
    signBody("s3cret-of-tool", sent?.body ?? "", 1_700_000_000),
  );
});

test("a result that is not text is sent as JSON", async () => {
  await registerTool();
  answer = { result: { degrees: 3 } };
  expect(await callTool()).toEqual({ output: '{"degrees":3}', display: { degrees: 3 } });
});

test.each([
  [{ error: "no such city" }, 200, "no such city"],
  [{ error: "no such city" }, 500, "no such city"],
  ["<html>", 500, "HTTP status 500"],
  [{ resul: 1 }, 200, "neither"],
  ["not json", 200, "neither"],
])("the answer %o with status %i fails the call with a reason", async (given, code, message) => {
  await registerTool();
  answer = given;
  status = code;
  await expect(callTool()).rejects.toThrow(message);
});

test("an address that stopped being allowed is refused at the call", async () => {
  await registerTool();
  await server.database.httpTool.updateMany({ data: { callbackUrl: "http://169.254.169.254/latest" } });
  await expect(callTool()).rejects.toThrow("private address");
  expect(received).toEqual([]);
});

test("registering again replaces, removing removes, and both are audited", async () => {
  await registerTool();
  expect((await registerTool({ description: "New" })).status).toBe(200);
  await server.call(removeTool, { as: "admin", method: "DELETE", params: { name: "weather" } });
  expect(await listHttpTools(server.services)).toEqual([]);
  const entries = await server.database.auditEntry.findMany({ orderBy: { id: "asc" } });
  expect(entries.map(({ action }) => action)).toEqual(["tool.registered", "tool.replaced", "tool.deleted"]);
});

test("what another person has saved since is not replaced unseen", async () => {
  const first = await (await registerTool({ updated_at: null })).json();
  const second = await (await registerTool({ description: "Theirs", updated_at: first.updated_at })).json();
  for (const updated_at of [first.updated_at, null]) {
    const late = await registerTool({ description: "Mine", updated_at });
    expect(late.status).toBe(409);
    expect((await late.json()).error.details.current).toEqual(second);
  }
  expect((await registerTool({ description: "Mine", updated_at: second.updated_at })).status).toBe(200);
  await server.call(removeTool, { as: "admin", method: "DELETE", params: { name: "weather" } });
  const gone = await registerTool({ updated_at: second.updated_at });
  expect([gone.status, (await gone.json()).error.code]).toEqual([409, "conflict"]);
});

test("of two who save at once, one is told", async () => {
  const { updated_at } = await (await registerTool()).json();
  const replies = await Promise.all(["A", "B"].map((description) => registerTool({ description, updated_at })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
});

test("the secret is stored encrypted and never shown", async () => {
  const text = await (await registerTool()).text();
  const row = await server.database.httpTool.findFirst();
  expect(text + row?.secretEncrypted).not.toContain("s3cret-of-tool");
});

test.each([
  [{ name: "read_file" }, "name"],
  [{ name: "ask_user" }, "name"],
  [{ name: "Bad-Name" }, "name"],
  [{ callback_url: "http://10.0.0.1/" }, "callback_url"],
  [{ callback_url: "ftp://example.com/" }, "callback_url"],
  [{ parameters: { type: "string" } }, "parameters"],
  [{ parameters: { type: "object", properties: { a: { type: "nonsense" } } } }, "parameters"],
])("%o is refused at registration", async (change, path) => {
  const reply = await registerTool(change);
  expect([reply.status, (await reply.json()).error.details[0].path]).toEqual([400, path]);
});

test("arguments are checked against the schema, but never with somebody's regular expression", () => {
  const check = readParameters(parameters);
  expect(check.safeParse({ city: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" }).success).toBe(true);
  expect(check.safeParse({ city: "x", pattern: "y" }).success).toBe(false);
  expect(check.safeParse({}).success).toBe(false);
});

const testTool = (args: Record<string, unknown>) =>
  server.call(tryTool, { as: "admin", params: { name: "weather" }, body: { args } });

test("a test call is a real, signed one, and says what a model would read", async () => {
  await registerTool();
  answer = { result: "sunny" };
  expect(await (await testTool({ city: "Oslo" })).json()).toMatchObject({ ok: true, output: "sunny" });
  expect(received[0]?.request.headers["x-ringmaster-signature"]).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
  expect(JSON.parse(received[0]?.body ?? "").run_id).toMatch(/^test_/);
  answer = { error: "no such city" };
  expect(await (await testTool({ city: "Nowhere" })).json()).toMatchObject({ ok: false, error: "no such city" });
  const wrong = await testTool({});
  expect([wrong.status, (await wrong.json()).error.details[0].path]).toEqual([400, "args.city"]);
});

test("an edit keeps the secret that is set, and the list says only that there is one", async () => {
  await registerTool();
  await registerTool({ description: "New", secret: { set: true } });
  const text = await (await server.call(listTools, { as: "admin" })).text();
  expect(JSON.parse(text).httpTools).toMatchObject([{ name: "weather", description: "New", signed: true }]);
  expect(text).not.toContain("s3cret-of-tool");
  answer = { result: "ok" };
  await callTool();
  expect(received[0]?.request.headers["x-ringmaster-signature"]).toBe(
    signBody("s3cret-of-tool", received[0]?.body ?? "", 1_700_000_000),
  );
  await registerTool({ secret: undefined });
  expect((await (await server.call(listTools, { as: "admin" })).json()).httpTools[0].signed).toBe(false);
});
