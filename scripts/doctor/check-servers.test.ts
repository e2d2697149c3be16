import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import Connection from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseEnvironment } from "@/lib/server/platform/env";
import {
  channelSecretPurpose,
  createSecretBox,
  providerKeyPurpose,
  SMTP_PURPOSE,
} from "@/lib/server/platform/secrets/secrets";
import { VERSION } from "@/lib/server/platform/version";
import { startMailCatcher } from "@/lib/testing/channels/mail-catcher";
import { applyMigrations } from "../database/apply-migrations";
import { checkServers } from "./check-servers";
import type { DoctorReport } from "./finding";

const SECRET = "a-secret-of-this-installation";
const KEY = "sk-0123456789abcdefghij";

let data: string;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  data = path.join(mkdtempSync(path.join(tmpdir(), "ringmaster-online-")), "data");
  mkdirSync(data, { mode: 0o700 });
  await applyMigrations(`file:${path.join(data, "ringmaster.db")}`);
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(path.dirname(data), { recursive: true, force: true });
});

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Returns the address of a server, and what it was asked. */
async function serve(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const address = `http://127.0.0.1:${await listen(server)}`;
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address, asked };
}

/** A port at which nothing listens any more. */
async function closedPort(): Promise<number> {
  const server = createSocketServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function doctor(words: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const program = ["--import", "./scripts/resolve-imports.ts", "scripts/ringmaster/ringmaster.ts", "doctor", ...words];
  const own = { RINGMASTER_NO_DOTENV: "1", RINGMASTER_SECRET: SECRET, PORT: "0" };
  const child = spawn(process.execPath, [...program, "--data", data], {
    env: { ...process.env, ...own, ...variables },
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect(stderr).toBe("");
  return { status, stdout };
}

const environmentOf = (variables: Readonly<Record<string, string>>) => parseEnvironment(variables, data);

async function online(variables: Readonly<Record<string, string>> = {}) {
  const { status, stdout } = await doctor(["--online", "--json"], variables);
  const report: DoctorReport = JSON.parse(stdout);
  return { status, stdout, of: (id: string) => report.checks.find((check) => check.id === id) };
}

const refuseKey: RequestListener = (request, response) => {
  const error = { message: `Incorrect API key provided: ${request.headers.authorization}`, code: "invalid_api_key" };
  response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error }));
};
const openAi = (address: string) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${address}/v1` });

function store(sql: string, ...values: unknown[]): void {
  const connection = new Connection(path.join(data, "ringmaster.db"));
  connection.prepare(sql).run(...values);
  connection.close();
}

function storeMailServer(port: number, password: string): void {
  const sealed = createSecretBox([SECRET]).encrypt(password, SMTP_PURPOSE);
  const smtp = { host: "127.0.0.1", port, security: "none", user: "ada", from: "ada@example.org", sealed };
  store(
    `insert into "setting" ("key", "value", "updatedAt") values ('settings:smtp', ?, current_timestamp)`,
    JSON.stringify(smtp),
  );
}

test("a collector that takes traces is told from one that refuses them, and from none", async () => {
  const find = async (variables: Readonly<Record<string, string>>) =>
    (await checkServers(environmentOf({ DATABASE_URL: `file:${data}/none.db`, ...variables }))).find(
      ({ id }) => id === "otlp:collector",
    );
  const taking = await serve((_, response) => response.end());
  const refusing = await serve((_, response) => response.writeHead(401).end("who are you?"));
  const collector = (address: string) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: address });
  expect(await find(collector(taking.address))).toMatchObject({ state: "ok" });
  expect(taking.asked).toEqual(["POST /v1/traces"]);
  expect(await find(collector(refusing.address))).toMatchObject({ state: "broken", detail: "HTTP 401 who are you?" });
  expect(await find(collector(`http://127.0.0.1:${await closedPort()}`))).toMatchObject({ state: "broken" });
  expect(await find({})).toBeUndefined();
});

test("without --online no server is asked", async () => {
  const { address, asked } = await serve(refuseKey);
  const { status } = await doctor(["--json"], { ...openAi(address), RINGMASTER_PUBLIC_URL: address });
  expect([status, asked]).toEqual([0, []]);
});

test("a key that its provider refuses is broken, and is not printed, nor is anything stored", async () => {
  const { address, asked } = await serve(refuseKey);
  const before = readdirSync(data);
  const { status, stdout, of } = await online(openAi(address));
  expect(status).toBe(1);
  expect(of("provider:openai")).toMatchObject({ state: "broken", fix: expect.stringContaining("OPENAI_API_KEY") });
  expect(of("provider:openai")?.detail).toContain("401");
  expect(asked.length).toBe(1);
  expect(stdout).not.toContain(KEY);
  expect(readdirSync(data)).toEqual(before);
});

test("a provider added on its page is asked with its stored key", async () => {
  const keys: (string | undefined)[] = [];
  const { address } = await serve((request, response) => {
    keys.push(request.headers.authorization);
    refuseKey(request, response);
  });
  const sealed = createSecretBox([SECRET]).encrypt(KEY, providerKeyPurpose("shop"));
  store(
    `insert into "provider" ("id", "kind", "name", "baseUrl", "keyEncrypted", "models", "allowedRoles", "createdById", "createdAt", "updatedAt")
     values ('shop', 'openai-compatible', 'Shop', ?, ?, '[{"id":"small"}]', '["admin"]', 'u', current_timestamp, current_timestamp)`,
    `${address}/v1`,
    sealed,
  );
  const { stdout, of } = await online();
  expect(of("provider:shop")).toMatchObject({
    state: "broken",
    fix: expect.stringContaining("/admin/models?provider=shop"),
  });
  expect(keys).toEqual([`Bearer ${KEY}`]);
  expect(stdout).not.toContain(KEY);
});

test("a provider whose answer is no JSON is broken", async () => {
  const { address } = await serve((_, response) => response.end("<html>It works!</html>"));
  const { of } = await online(openAi(address));
  expect(of("provider:openai")).toMatchObject({ state: "broken" });
});

test("a provider at a wrong address is broken, in the report for people too", async () => {
  const { status, stdout } = await doctor(["--online"], openAi(`http://127.0.0.1:${await closedPort()}`));
  expect(status).toBe(1);
  expect(stdout).toMatch(/✗ OpenAI/);
});

test("a silent server ends the wait of its own check alone", async () => {
  const { address } = await serve(() => undefined);
  const variables = { RINGMASTER_DATA_DIR: data, RINGMASTER_PUBLIC_URL: address, ...openAi(address) };
  const checks = await checkServers(environmentOf({ ...variables, RINGMASTER_SECRET: SECRET }), 300);
  const said = { state: "broken", detail: "It said nothing for 0.3 s.", fix: expect.stringMatching(/.+/) };
  expect(checks).toMatchObject([
    { id: "public-url:health", ...said },
    { id: "provider:openai", ...said },
    { id: "mail:server", state: "skipped" },
  ]);
});

test("a mail server that refuses the password is broken, one that takes it is right; no mail is sent", async () => {
  const catcher = await startMailCatcher("right-password");
  closing.push(catcher.close);
  storeMailServer(catcher.port, "wrong-password");
  const { status, stdout, of } = await online();
  expect(status).toBe(1);
  expect(of("mail:server")).toMatchObject({
    state: "broken",
    detail: expect.stringContaining("refused user and password"),
  });
  expect(stdout).not.toContain("wrong-password");
  store(`delete from "setting"`);
  storeMailServer(catcher.port, "right-password");
  expect((await online()).of("mail:server")).toMatchObject({ state: "ok" });
  expect(catcher.mails).toEqual([]);
});

test("a channel whose token is refused is broken", async () => {
  const token = "123456:AAabcdefghijklmnopqrstuvwxyz0123456";
  const { address } = await serve((_, response) =>
    response
      .writeHead(401, { "content-type": "application/json" })
      .end(JSON.stringify({ ok: false, error_code: 401, description: "Unauthorized" })),
  );
  const sealed = createSecretBox([SECRET]).encrypt(
    JSON.stringify({ kind: "telegram", token }),
    channelSecretPurpose("c"),
  );
  store(
    `insert into "channel" ("id", "kind", "name", "agentId", "credentials", "receives", "apiRoot", "createdById", "createdAt", "updatedAt")
     values ('c', 'telegram', 'Our bot', 'default', ?, 'by asking', ?, 'u', current_timestamp, current_timestamp)`,
    sealed,
    address,
  );
  const { stdout, of } = await online({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: new URL(address).host });
  expect(of("channel:c")).toMatchObject({
    title: "Our bot",
    state: "broken",
    fix: expect.stringContaining("Channels"),
  });
  expect(stdout).not.toContain(token);
});

test("stored keys without the secret that reads them: it is not created", async () => {
  const { of } = await online({ RINGMASTER_SECRET: "" });
  expect(of("stored")).toMatchObject({ state: "broken", fix: expect.stringContaining("RINGMASTER_SECRET") });
  expect(readdirSync(data)).not.toContain("secret");
});

const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    void response.end(JSON.stringify(value));
test.each<[string, RequestListener, string, RegExp]>([
  ["another program", (_, response) => void response.end("<html>nginx</html>"), "broken", /not as Ringmaster/],
  ["other JSON", json({ hello: "world" }), "broken", /not as Ringmaster/],
  [
    "a redirection",
    (_, response) => void response.writeHead(302, { location: "/login" }).end(),
    "broken",
    /leads to \/login/,
  ],
  ["another version", json({ status: "ok", version: "0.0.1" }), "warning", /version 0\.0\.1/],
  ["this version", json({ status: "ok", version: VERSION }), "ok", /answers/],
])("a public address with %s", async (_, answer, state, detail) => {
  const { address, asked } = await serve(answer);
  const [found] = await checkServers(
    environmentOf({ RINGMASTER_DATA_DIR: path.join(data, "none"), RINGMASTER_PUBLIC_URL: address }),
  );
  expect(found).toMatchObject({ id: "public-url:health", state, detail: expect.stringMatching(detail) });
  expect(asked).toEqual(["GET /health"]);
});

test("a public address that nobody serves is a warning while the server is not started", async () => {
  const variables = { PORT: String(await closedPort()), RINGMASTER_DATA_DIR: path.join(data, "none") };
  const [found] = await checkServers(environmentOf(variables));
  expect(found).toMatchObject({ state: "warning", detail: expect.stringContaining("Nothing answers") });
});

test("a worker is not asked for the pages of this machine, which another process serves", async () => {
  const variables = {
    ...{ PORT: String(await closedPort()), RINGMASTER_DATA_DIR: path.join(data, "none") },
    ...{ RINGMASTER_ROLE: "worker", DATABASE_URL: `postgresql://127.0.0.1:${await closedPort()}/none` },
  };
  const [found] = await checkServers(environmentOf(variables));
  expect(found).toMatchObject({ id: "public-url:health", state: "skipped" });
});

test("where a published port is another than the server's own, its absence here is a warning", async () => {
  const { address } = await serve(json({ status: "ok", version: VERSION }));
  const variables = {
    ...{ PORT: new URL(address).port, HOST: "127.0.0.1", RINGMASTER_DATA_DIR: path.join(data, "none") },
    RINGMASTER_PUBLIC_URL: `http://localhost:${await closedPort()}`,
  };
  const [found] = await checkServers(environmentOf(variables));
  expect(found).toMatchObject({ state: "warning", fix: expect.stringContaining("container") });
});
