import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as registerTool } from "@/app/agents/tools/register/route";
import { PATCH as changeChannel } from "@/app/api/channels/[channelId]/route";
import { POST as addChannel } from "@/app/api/channels/route";
import { PATCH as changeTool } from "@/app/api/http-tools/[name]/route";
import { POST as addTool } from "@/app/api/http-tools/route";
import { PATCH as changeServer } from "@/app/api/mcp-servers/[serverId]/route";
import { POST as addServer } from "@/app/api/mcp-servers/route";
import { PATCH as changeOidc } from "@/app/api/oidc/route";
import { PATCH as changeProvider } from "@/app/api/providers/[providerId]/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { PATCH as changeSettings } from "@/app/api/settings/route";
import { POST as testSmtp } from "@/app/api/settings/smtp/test/route";
import { PATCH as changeWebhook } from "@/app/api/webhooks/[webhookId]/route";
import { POST as addWebhook } from "@/app/api/webhooks/route";
import type { Route } from "@/lib/server/http/route";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { refuseKeptSecrets } from "./secret-origin";

const HOSTS = ["127.0.0.1:9", "127.0.0.1:10", "localhost:9"];
const [HERE, ELSEWHERE] = ["http://127.0.0.1:9", "http://127.0.0.1:10"];
const SECRET = "a-secret-of-many-characters";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: HOSTS.join(",") });
  await addAgent(server.database, "one", { name: "One", model: "scripted:m" });
});
afterAll(() => server.close());

interface Step {
  readonly route: Route;
  readonly method?: string;
  readonly params?: Record<string, string>;
  readonly body: unknown;
}

interface Kind {
  /** What is stored, with its secret. */
  readonly store: Step;
  /** Changes the address; the place of the id that `store` answered is `$id`. */
  readonly move: (address: string, secrets?: object) => Step;
  readonly withSecret: object;
  readonly path: string;
}

const patch = (route: Route, params: Record<string, string>, body: unknown): Step => ({
  route,
  method: "PATCH",
  params,
  body,
});
const tool = (callbackUrl: string, secret: unknown) => ({
  name: "lookup",
  description: "Looks up",
  parameters: { type: "object", properties: {} },
  callback_url: `${callbackUrl}/tool`,
  secret,
});
const requestTool = (headers: readonly object[]) => ({
  name: "request",
  description: "Requests",
  method: "GET",
  url: `${HERE}/tool`,
  arguments: { type: "object", properties: {} },
  headers,
});
const mcp = (id: string, more: object) => ({ id, transport: "http", url: `${HERE}/mcp`, enabled: false, ...more });
const portOf = (address: string) => Number(new URL(address).port);
const smtp = (address: string, more: object = {}) => ({
  host: "127.0.0.1",
  port: portOf(address),
  security: "none",
  user: "u",
  from: "ringmaster@example.test",
  ...more,
});

const KINDS: Readonly<Record<string, Kind>> = {
  "a provider's key": {
    store: {
      route: addProvider,
      body: { id: "lab", kind: "openai-compatible", baseUrl: `${HERE}/v1`, apiKey: SECRET },
    },
    move: (address, secrets) => patch(changeProvider, { providerId: "lab" }, { baseUrl: `${address}/v1`, ...secrets }),
    withSecret: { apiKey: SECRET },
    path: "apiKey",
  },
  "an MCP server's token": {
    store: { route: addServer, body: mcp("bearer", { auth: "bearer", token: SECRET }) },
    move: (address, secrets) => patch(changeServer, { serverId: "bearer" }, { url: `${address}/mcp`, ...secrets }),
    withSecret: { token: SECRET },
    path: "token",
  },
  "an MCP server's headers": {
    store: { route: addServer, body: mcp("headers", { headers: { "x-key": SECRET } }) },
    move: (address, secrets) => patch(changeServer, { serverId: "headers" }, { url: `${address}/mcp`, ...secrets }),
    withSecret: { headers: { "x-key": SECRET } },
    path: "headers",
  },
  "a header that an MCP server keeps": {
    store: { route: addServer, body: mcp("kept", { headers: { "x-key": SECRET } }) },
    move: (address, secrets = { headers: { "x-key": { set: true } } }) =>
      patch(changeServer, { serverId: "kept" }, { url: `${address}/mcp`, ...secrets }),
    withSecret: { headers: { "x-key": SECRET } },
    path: "headers.x-key",
  },
  "an MCP server's client": {
    store: { route: addServer, body: mcp("client", { auth: "oauth", clientId: "c", clientSecret: SECRET }) },
    move: (address, secrets) => patch(changeServer, { serverId: "client" }, { url: `${address}/mcp`, ...secrets }),
    withSecret: { clientSecret: SECRET },
    path: "clientSecret",
  },
  "a header that a tool keeps": {
    store: { route: addTool, body: requestTool([{ name: "X-Key", secret: SECRET }]) },
    move: (address, secrets = { headers: [{ name: "X-Key", secret: { set: true } }] }) =>
      patch(changeTool, { name: "request" }, { url: `${address}/tool`, ...secrets }),
    withSecret: { headers: [{ name: "X-Key", secret: SECRET }] },
    path: "headers.0.secret",
  },
  "an identity provider's client": {
    store: patch(changeOidc, {}, { issuer: HERE, clientId: "c", clientSecret: SECRET }),
    move: (address, secrets) => patch(changeOidc, {}, { issuer: address, ...secrets }),
    withSecret: { clientSecret: SECRET },
    path: "clientSecret",
  },
  "a tool's signing secret": {
    store: { route: registerTool, body: tool(HERE, SECRET) },
    move: (address, secrets) => ({ route: registerTool, body: { ...tool(address, { set: true }), ...secrets } }),
    withSecret: { secret: SECRET },
    path: "secret",
  },
  "an outgoing webhook's secret": {
    store: {
      route: addWebhook,
      body: { direction: "out", name: "Out", url: `${HERE}/hook`, events: ["run.failed"] },
    },
    move: (address, secrets) => patch(changeWebhook, { webhookId: "$id" }, { url: `${address}/hook`, ...secrets }),
    withSecret: { secret: `whsec_${"A".repeat(44)}` },
    path: "secret",
  },
  "a mail server's password": {
    store: patch(changeSettings, {}, { smtp: smtp(HERE, { password: SECRET }) }),
    move: (address, secrets = {}) => patch(changeSettings, {}, { smtp: smtp(address, secrets) }),
    withSecret: { password: SECRET },
    path: "smtp.password",
  },
};

async function take({ route, method = "POST", params = {}, body }: Step) {
  const reply = await server.call(route, { as: "admin", method, params, body });
  return { status: reply.status, body: await reply.json() };
}

test.each(Object.entries(KINDS))("%s goes nowhere else unless it is entered again", async (_, kind) => {
  const stored = await take(kind.store);
  expect(stored.status).toBeLessThan(300);
  const id = stored.body.id ?? "";
  const move = (address: string, secrets?: object) => {
    const step = kind.move(address, secrets);
    return take({ ...step, params: JSON.parse(JSON.stringify(step.params ?? {}).replace("$id", id)) });
  };
  const refused = await move(ELSEWHERE);
  expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: kind.path }] } } });
  expect((await move(`${HERE}`)).status).toBeLessThan(300);
  expect((await move(ELSEWHERE, kind.withSecret)).status).toBeLessThan(300);
});

test("a test of a mail server sends no stored password to another one", async () => {
  await take(patch(changeSettings, {}, { smtp: smtp(HERE, { password: SECRET }) }));
  expect(await take({ route: testSmtp, body: { smtp: smtp(ELSEWHERE) } })).toMatchObject({ status: 400 });
});

test("a channel keeps its address, and takes new credentials only together", async () => {
  const credentials = { kind: "telegram", token: "1:abcdefghijk" };
  const made = await take({ route: addChannel, body: { ...credentials, name: "Bot", agentId: "one", apiRoot: HERE } });
  expect(made.status).toBe(201);
  const change = (body: object) => take(patch(changeChannel, { channelId: made.body.id }, body));
  expect(await change({ apiRoot: ELSEWHERE })).toMatchObject({ status: 400 });
  const server = { host: "127.0.0.1", port: 10, secure: true, user: "u" };
  const mail = { kind: "email", address: "a@example.test", authservId: "x", imap: server, smtp: server };
  expect(await change({ credentials: mail })).toMatchObject({ status: 400 });
});

test.each([
  ["https://a.example/v1", "https://a.example:443/v2", true],
  ["https://a.example/v1", "https://A.EXAMPLE./v1", true],
  ["https://a.example", "http://a.example", false],
  ["https://a.example", "https://a.example:8443", false],
  ["https://a.example", "https://a.example.evil.example", false],
  ["https://a.example", "https://a.example@evil.example", false],
  ["https://a.example", null, false],
  [null, null, true],
])("what was entered for %s may stay at %s: %s", (from, to, mayStay) => {
  const refuse = () => refuseKeptSecrets([{ path: "key", isKept: true, from, to }]);
  if (mayStay) expect(refuse).not.toThrow();
  else expect(refuse).toThrow("key: Enter it again");
});
