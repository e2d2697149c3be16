import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { POST as register } from "@/app/agents/tools/register/route";
import { PATCH as change, DELETE as remove } from "@/app/api/http-tools/[name]/route";
import { POST as tryTool } from "@/app/api/http-tools/[name]/test/route";
import { POST as importTools } from "@/app/api/http-tools/import/route";
import { POST as create, GET as list } from "@/app/api/http-tools/route";
import type { ToolExecution } from "@/lib/agent/tools/tool";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { ISSUES_API } from "@/lib/testing/openapi/issues-api";
import { WEATHER_API } from "@/lib/testing/openapi/weather-api";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { listHttpTools } from "./list-http-tools";

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

let reply: { status?: number; type?: string; body: string } = { body: "{}" };
const received: Received[] = [];
const service: Server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ request, body: Buffer.concat(chunks).toString() });
  if (request.url === "/openapi.yaml") response.writeHead(200).end(WEATHER_API);
  else response.writeHead(reply.status ?? 200, { "content-type": reply.type ?? "application/json" }).end(reply.body);
});
let origin = "";
let server: TestServer;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => void service.close());
beforeEach(async () => {
  reply = { body: '{"current":{"words":"clear"}}' };
  received.length = 0;
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: new URL(origin).host });
});
afterEach(() => server.close());

const weather = () => ({
  name: "weather",
  description: "The weather of a city",
  method: "GET",
  url: `${origin}/v1/{city}/now`,
  query: { days: "{days}" },
  headers: [{ name: "X-Key", secret: "weather-secret-1" }],
  result: "$.current.words",
  arguments: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
});
const execution = {
  call: { id: "call_1", name: "weather", args: {}, rawArgs: "{}" },
  signal: new AbortController().signal,
  context: { runId: "run_1", threadId: "th_1", now: () => 1_700_000_000_500 },
} as unknown as ToolExecution;

const add = (fields: object = {}) => server.call(create, { as: "admin", body: { ...weather(), ...fields } });
const edit = (fields: object, name = "weather") =>
  server.call(change, { as: "admin", method: "PATCH", params: { name }, body: fields });
const bring = (body: object) => server.call(importTools, { as: "admin", body });
const callWeather = async (args: object) =>
  (await listHttpTools(server.services, ["weather"]))[0]?.execute(args, execution);

test("a tool calls its service with the arguments in their places, and the model reads the chosen part", async () => {
  const made = await add();
  expect([made.status, await made.json()]).toEqual([
    201,
    expect.objectContaining({
      kind: "request",
      name: "weather",
      readOnly: true,
      timeoutMs: 30_000,
      headers: [{ name: "X-Key", secret: { set: true } }],
    }),
  ]);
  expect(await callWeather({ city: "São Paulo", days: 3 })).toEqual({ output: "clear" });
  expect(received[0]?.request.url).toBe("/v1/S%C3%A3o%20Paulo/now?days=3");
  expect(received[0]?.request.headers).toMatchObject({ "x-key": "weather-secret-1" });
});

test("a change keeps what it does not name, and the secret for the same service only", async () => {
  await add();
  expect(await (await edit({ description: "Now", timeoutMs: 5_000 })).json()).toMatchObject({
    description: "Now",
    timeoutMs: 5_000,
    query: { days: "{days}" },
  });
  await callWeather({ city: "Oslo" });
  expect(received[0]?.request.headers["x-key"]).toBe("weather-secret-1");
  const moved = await edit({ url: "https://other.example.test/{city}" });
  expect([moved.status, (await moved.json()).error.details]).toEqual([
    400,
    [{ path: "headers.0.secret", message: expect.stringContaining("another address") }],
  ]);
});

test("the secret is stored encrypted, never shown, and redacted wherever it turns up", async () => {
  const shown = (await (await add()).text()) + (await (await server.call(list, { as: "admin" })).text());
  const row = await server.database.httpTool.findFirst();
  expect(shown + JSON.stringify(row)).not.toContain("weather-secret-1");
  expect(redactSecrets("the key weather-secret-1 of it")).toBe("the key [redacted] of it");
});

test("what has been saved since is not changed unseen", async () => {
  const { updatedAt } = await (await add()).json();
  expect((await edit({ description: "Theirs", updatedAt })).status).toBe(200);
  const late = await edit({ description: "Mine", updatedAt });
  expect([late.status, (await late.json()).error.details.current.description]).toEqual([409, "Theirs"]);
});

test("names are taken once, by tools of either kind", async () => {
  await add();
  expect((await add()).status).toBe(409);
  const callback = { name: "weather", description: "x", parameters: { type: "object" }, callback_url: origin };
  expect((await server.call(register, { as: "admin", body: callback })).status).toBe(409);
  expect((await edit({ description: "x" }, "none")).status).toBe(404);
  await server.call(remove, { as: "admin", method: "DELETE", params: { name: "weather" } });
  expect((await (await server.call(list, { as: "admin" })).json()).httpTools).toEqual([]);
  const audited = await server.database.auditEntry.findMany({ orderBy: { id: "asc" } });
  expect(audited.map(({ action }) => action)).toEqual(["tool.registered", "tool.deleted"]);
});

test.each([
  [{ name: "read_file" }, "name"],
  [{ url: "https://{city}.example.test/" }, "url"],
  [{ url: "https://example.test:{city}/" }, "url"],
  [{ url: "{city}" }, "url"],
  [{ url: "ftp://example.test/" }, "url"],
  [{ url: "http://10.0.0.1/{city}" }, "url"],
  [{ url: "http://user:word@127.0.0.1/" }, "url"],
  [{ query: { q: "{unknown}" } }, "query.q"],
  [{ headers: [{ name: "X-A", value: "{unknown}" }] }, "headers.0.value"],
  [{ headers: [{ name: "Host", value: "x" }] }, "headers.0.name"],
  [{ headers: [{ name: "X-A", secret: "short" }] }, "headers.0.secret"],
  [{ headers: [{ name: "X-A", secret: "Bearer short" }] }, "headers.0.secret"],
  [{ headers: [{ name: "X-A", secret: { set: true } }] }, "headers.0.secret"],
  [{ headers: [...weather().headers, { name: "x-key", value: "x" }] }, "headers.1.name"],
  [{ body: "{city}" }, "body"],
  [{ method: "POST", body: '{"city": {city}}' }, "body"],
  [{ result: "current.words" }, "result"],
  [{ arguments: { type: "string" } }, "arguments"],
  [{ timeoutMs: 1 }, "timeoutMs"],
])("%o is refused at its field", async (fields, path) => {
  const refused = await add(fields);
  const { details } = (await refused.json()).error;
  expect([refused.status, details.some((one: { path: string }) => one.path.startsWith(path))]).toEqual([400, true]);
});

test("a test call shows the real answer beside what the model would read, also where it fails", async () => {
  await add();
  const callOnce = (args: object) => server.call(tryTool, { as: "admin", params: { name: "weather" }, body: { args } });
  expect(await (await callOnce({ city: "Oslo" })).json()).toMatchObject({
    ok: true,
    output: "clear",
    answer: { status: 200, contentType: "application/json", text: '{"current":{"words":"clear"}}' },
  });
  reply = { status: 404, body: '{"error":{"message":"no such city"}}' };
  expect(await (await callOnce({ city: "Nowhere" })).json()).toMatchObject({
    ok: false,
    error: "The service answered with HTTP status 404: no such city",
    answer: { status: 404 },
  });
});

test("a document shows its operations, and makes tools of the chosen ones with the key for its own service", async () => {
  const document = JSON.stringify(ISSUES_API);
  const shown = await bring({ document });
  expect([shown.status, (await shown.json()).operations.length]).toEqual([200, 6]);
  expect(await server.database.httpTool.count()).toBe(0);
  const made = await bring({
    document,
    operations: ["issues/create", "upload", "none"],
    server: origin,
    auth: { header: "Authorization", secret: "Bearer issue-token-123" },
  });
  expect([made.status, await made.json()]).toMatchObject([
    201,
    {
      tools: [{ name: "issues_create", method: "POST", url: `${origin}/repos/{owner}/{repo}/issues`, readOnly: false }],
      skipped: [
        { id: "upload", problem: expect.stringContaining("multipart") },
        { id: "none", problem: "The document has no such operation." },
      ],
    },
  ]);
  const [tool] = await listHttpTools(server.services, ["issues_create"]);
  await tool?.execute({ owner: "ada", repo: "x", title: "Bug" }, execution);
  expect(received[0]).toMatchObject({
    body: '{"title":"Bug"}',
    request: { method: "POST", url: "/repos/ada/x/issues" },
  });
  expect(received[0]?.request.headers.authorization).toBe("Bearer issue-token-123");
});

test("a document at an address is fetched like any other, and its relative server is beside it", async () => {
  const shown = await (await bring({ url: `${origin}/openapi.yaml` })).json();
  expect(shown).toMatchObject({ title: "Weather", servers: [`${origin}/v1`], auth: null });
  const again = await bring({ url: `${origin}/openapi.yaml`, operations: [shown.operations[0].id] });
  expect((await again.json()).tools).toMatchObject([{ url: `${origin}/v1/forecast`, readOnly: true }]);
  const twice = await (await bring({ url: `${origin}/openapi.yaml`, operations: [shown.operations[0].id] })).json();
  expect(twice).toMatchObject({ tools: [], skipped: [{ problem: expect.stringContaining("Delete it first") }] });
});

test("an operation whose name is a built-in tool's is left out, with what can be done about it", async () => {
  const document = JSON.stringify(ISSUES_API).replace('"issues/create"', '"read_file"');
  const made = await bring({ document, operations: ["read_file"], server: origin });
  expect(await made.json()).toMatchObject({
    tools: [],
    skipped: [
      { problem: '"read_file" is the name of a built-in tool. Make this one with New HTTP tool under another name.' },
    ],
  });
});

test.each([
  [{}, "url"],
  [{ url: "http://10.0.0.1/x.json" }, "url"],
  [{ document: "swagger: '2.0'" }, "document"],
  [{ document: "[" }, "document"],
  [{ document: WEATHER_API, operations: ["GET /forecast"] }, "server"],
  [{ document: WEATHER_API, operations: ["GET /forecast"], server: "http://10.0.0.1" }, "skipped"],
])("%o can't be imported", async (body, path) => {
  const refused = await bring(body);
  const said = await refused.json();
  if (path === "skipped")
    expect(said).toMatchObject({ tools: [], skipped: [{ problem: expect.stringContaining("private") }] });
  else expect([refused.status, said.error.details[0].path]).toEqual([400, path]);
});
