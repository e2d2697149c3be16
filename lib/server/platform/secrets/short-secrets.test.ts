import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as registerTool } from "@/app/agents/tools/register/route";
import { PATCH as changeChannel } from "@/app/api/channels/[channelId]/route";
import { POST as addChannel } from "@/app/api/channels/route";
import { POST as addTool } from "@/app/api/http-tools/route";
import { PATCH as changeServer } from "@/app/api/mcp-servers/[serverId]/route";
import { POST as addServer } from "@/app/api/mcp-servers/route";
import { PATCH as changeOidc } from "@/app/api/oidc/route";
import { PATCH as changeProvider } from "@/app/api/providers/[providerId]/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { PATCH as changeSettings } from "@/app/api/settings/route";
import { POST as testSmtp } from "@/app/api/settings/smtp/test/route";
import { POST as addWebhook } from "@/app/api/webhooks/route";
import type { Route } from "@/lib/server/http/route";
import { parseEnvironment } from "@/lib/server/platform/env";
import { addAgent } from "@/lib/testing/fixtures/run-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { variablesOfShortSecrets } from "./known-secrets";

const HERE = "http://127.0.0.1:9";
const LONG = "abcdefghijk1";

let server: TestServer;
let channelId = "";
beforeAll(async () => {
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: "127.0.0.1:9", RINGMASTER_ALLOW_STDIO_MCP: "1" });
  await addAgent(server.database, "one", { name: "One", model: "scripted:m" });
  await take(addProvider, { id: "lab", kind: "openai-compatible", baseUrl: `${HERE}/v1` });
  await take(addServer, mcp({ id: "lab" }));
  const made = await take(addChannel, {
    kind: "telegram",
    token: `1:${LONG}`,
    name: "A",
    agentId: "one",
    apiRoot: HERE,
  });
  channelId = made.body.id;
});
afterAll(() => server.close());

const mcp = (more: object) => ({ transport: "http", url: `${HERE}/mcp`, enabled: false, ...more });
const program = (env: object) => ({ transport: "stdio", command: "/bin/true", enabled: false, env });
const smtp = (password: string) => ({
  smtp: { host: "127.0.0.1", port: 9, security: "none", user: "u", from: "a@example.test", password },
});
const channel = (more: object) => ({ name: "Bot", agentId: "one", ...more });
const mailServer = (password: string) => ({ host: "127.0.0.1", port: 9, secure: true, user: "u", password });
const mail = (imap: string, out: string) =>
  channel({
    kind: "email",
    address: "a@example.test",
    authservId: "x",
    imap: mailServer(imap),
    smtp: mailServer(out),
  });
const tool = (secret: string) => ({
  name: "lookup",
  description: "Looks up",
  parameters: { type: "object", properties: {} },
  callback_url: `${HERE}/tool`,
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
const webhook = (signature: string, secret: string) => ({
  direction: "in",
  agentId: "one",
  name: "In",
  prompt: "Look at it.",
  signature,
  secret,
});

type Entry = readonly [route: Route, body: (secret: string) => object, path: string, params?: Record<string, string>];

/** Every field in which a secret is entered. */
const FIELDS: Readonly<Record<string, Entry>> = {
  "a new provider": [addProvider, (apiKey) => ({ kind: "openai", apiKey }), "apiKey"],
  "a provider": [changeProvider, (apiKey) => ({ apiKey }), "apiKey", { providerId: "lab" }],
  "an MCP server's token": [addServer, (token) => mcp({ id: "t", token }), "token"],
  "an MCP server's changed token": [changeServer, (token) => ({ token }), "token", { serverId: "lab" }],
  "an MCP server's client": [
    addServer,
    (clientSecret) => mcp({ id: "c", auth: "oauth", clientId: "c", clientSecret }),
    "clientSecret",
  ],
  "an MCP server's header": [
    addServer,
    (secret) => mcp({ id: "h", headers: { "X-Api-Key": secret } }),
    "headers.X-Api-Key",
  ],
  "a header with a scheme": [
    addServer,
    (secret) => mcp({ id: "s", headers: { Authorization: `Bearer ${secret}` } }),
    "headers.Authorization",
  ],
  "a program's variable": [
    addServer,
    (secret) => ({ id: "p", ...program({ GITHUB_TOKEN: secret }) }),
    "env.GITHUB_TOKEN",
  ],
  "an identity provider": [
    changeOidc,
    (clientSecret) => ({ issuer: HERE, clientId: "c", clientSecret }),
    "clientSecret",
  ],
  "Telegram's token": [
    addChannel,
    (secret) => channel({ kind: "telegram", token: `1:${secret.slice(2)}`, apiRoot: HERE }),
    "token",
  ],
  "Telegram's changed token": [
    changeChannel,
    (secret) => ({ credentials: { kind: "telegram", token: `1:${secret.slice(2)}` } }),
    "token",
  ],
  "Slack's signing secret": [
    addChannel,
    (signingSecret) => channel({ kind: "slack", token: `xoxb-${LONG}`, signingSecret, apiRoot: HERE }),
    "signingSecret",
  ],
  "the mailbox of a channel": [addChannel, (secret) => mail(secret, LONG), "imap.password"],
  "the mail server of a channel": [addChannel, (secret) => mail(LONG, secret), "smtp.password"],
  "the mail server": [changeSettings, smtp, "smtp.password"],
  "a try of a mail server": [testSmtp, smtp, "smtp.password"],
  "a search at Brave": [changeSettings, (apiKey) => ({ webSearch: { brave: { apiKey } } }), "webSearch.brave.apiKey"],
  "a search at Tavily": [
    changeSettings,
    (apiKey) => ({ webSearch: { tavily: { apiKey } } }),
    "webSearch.tavily.apiKey",
  ],
  "a tool's signature": [registerTool, tool, "secret"],
  "the header of a tool": [addTool, (secret) => requestTool([{ name: "X-Key", secret }]), "headers.0.secret"],
  "a tool's header with a scheme": [
    addTool,
    (secret) => requestTool([{ name: "Authorization", secret: `Bearer ${secret}` }]),
    "headers.0.secret",
  ],
  "a webhook's signature": [addWebhook, (secret) => webhook("hmac", secret), "secret"],
  "a webhook's bearer token": [addWebhook, (secret) => webhook("none", secret), "secret"],
};

const CHANGES: ReadonlySet<Route> = new Set([changeProvider, changeServer, changeOidc, changeChannel, changeSettings]);

async function take(route: Route, body: object, params: Record<string, string> = {}) {
  const method = CHANGES.has(route) ? "PATCH" : "POST";
  const reply = await server.call(route, { as: "admin", method, params, body });
  return { status: reply.status, body: await reply.json() };
}

test.each(Object.entries(FIELDS))(
  "%s takes no secret too short to be redacted",
  async (_, [route, body, path, params]) => {
    const where = params ?? { channelId };
    const refused = await take(route, body(LONG.slice(1)), where);
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { details: [{ path, message: expect.stringContaining("at least 1") }] } },
    });
    const given = await take(route, body(LONG), where);
    expect(JSON.stringify(given.body)).not.toContain("at least 12");
  },
);

test.each([
  ["a header that names no secret", { headers: { "X-Team": "team9", "Accept-Language": "de" } }],
  ["a password of several words", { headers: { "X-Pass": "my pass word" } }],
])("%s may be short", async (_, more) => {
  const { status } = await take(changeServer, more, { serverId: "lab" });
  expect(status).toBe(200);
});

test("a stored secret that is short goes on working, and stays when other fields change", async () => {
  const { database } = server;
  await database.provider.updateMany({ where: { id: "lab" }, data: { keyEncrypted: "v1.kept.kept" } });
  expect((await take(changeProvider, { name: "Lab 2" }, { providerId: "lab" })).status).toBe(200);
});

test("the start names the variables whose secret is too short to be redacted", () => {
  const environment = parseEnvironment(
    {
      OPENAI_API_KEY: "EMPTY",
      ANTHROPIC_API_KEY: "sk-ant-0123456789",
      RINGMASTER_ADMIN_PASSWORD: "12345678",
      DATABASE_URL: "postgresql://me:postgres@127.0.0.1/db",
      OLLAMA_BASE_URL: "http://me:pw@127.0.0.1:1/v1",
    },
    "/nowhere",
  );
  expect(variablesOfShortSecrets(environment)).toEqual([
    "RINGMASTER_ADMIN_PASSWORD",
    "DATABASE_URL",
    "OPENAI_API_KEY",
    "OLLAMA_BASE_URL",
  ]);
});

test("nothing else encrypts what a person enters: what does has a field above", () => {
  const files = globSync("lib/server/**/*.ts", { exclude: ["**/*.test.ts", "**/generated/**"] });
  const users = files.filter((file) => /\.encrypt\(/.test(readFileSync(file, "utf8"))).toSorted();
  expect(users).toEqual([
    "lib/server/platform/secrets/secrets.ts",
    "lib/server/providers/change-provider.ts",
    "lib/server/settings/mail.ts",
    "lib/server/settings/web-search.ts",
    "lib/server/tools/http/register-http-tool.ts",
    "lib/server/tools/http/save-request-tool.ts",
    "lib/server/tools/mcp/oauth/connect-server.ts",
    "lib/server/tools/mcp/oauth/connection-row.ts",
    "lib/server/tools/mcp/server-row.ts",

    "lib/server/triggers/channels/connection.ts",
    "lib/server/triggers/notify/vapid.ts",
    "lib/server/triggers/webhooks/webhook-secrets.ts",
    "lib/server/users/oidc/oidc-settings.ts",
    "lib/server/wiring/secrets-canary.ts",
  ]);
});
