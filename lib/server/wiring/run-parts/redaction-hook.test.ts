import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as stream } from "@/app/agents/[id]/stream/route";
import { POST as register } from "@/app/agents/tools/register/route";
import { POST as addProvider } from "@/app/api/providers/route";
import { GET as exportTrace } from "@/app/api/traces/[traceId]/export/route";
import { POST as createHook } from "@/app/api/webhooks/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { flushSpans } from "@/lib/server/traces/recorder";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedServerOptions } from "@/lib/testing/servers/scripted-openai-server";

const ADMIN_KEY = "rm-admin-0123456789abcdef";
const PROVIDER_KEY = "sk-prov-0123456789";
const TOOL_SECRET = "tool-secret-0123456789";
const HOOK_SECRET = 'hook"secret/+0123456789';
const SECRETS = [ADMIN_KEY, PROVIDER_KEY, TOOL_SECRET, HOOK_SECRET];

let server: RunServer;
let answer: object = {};
const callback = createServer((_request, response) => void response.end(JSON.stringify(answer)));
beforeEach(() => new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve)));
afterEach(async () => {
  await server.close();
  await new Promise((resolve) => callback.close(resolve));
});

async function start(script: ScriptedServerOptions["script"]): Promise<void> {
  const place = `127.0.0.1:${(callback.address() as AddressInfo).port}`;
  const environment = { RINGMASTER_ALLOWED_PRIVATE_HOSTS: place, RINGMASTER_ADMIN_API_KEY: ADMIN_KEY };
  server = await startRunServer(script, environment);
  const tool = { name: "echo", description: "Echo", parameters: { type: "object" }, read_only: true };
  const made = [
    await server.call(register, {
      as: "admin",
      body: { ...tool, callback_url: `http://${place}/`, secret: TOOL_SECRET },
    }),
    await server.call(addProvider, {
      as: "admin",
      body: {
        id: "other",
        kind: "openai-compatible",
        name: "Other",
        baseUrl: `http://${place}/v1`,
        apiKey: PROVIDER_KEY,
      },
    }),
    await server.call(createHook, {
      as: "admin",
      body: { direction: "in", agentId: "plain", name: "h", prompt: "x", signature: "none", secret: HOOK_SECRET },
    }),
  ];
  for (const reply of made) expect([reply.status, await reply.text()]).toEqual([201, expect.anything()]);
  const raw = { model: "scripted:m", retries: 0, tools: ["echo"], trace: { verbose: true }, name: "Asker" };
  await createAgent(server.services, { agentId: "asker", raw, createdById: null });
}

/** Everything that is stored, sent and shown after a run. */
async function everything(): Promise<string> {
  const body = { messages: [{ role: "user", content: "go" }] };
  const call = { as: "admin", params: { id: "asker" }, body } as const;
  const replies = [await (await server.call(invoke, call)).text(), await (await server.call(stream, call)).text()];
  await flushSpans();
  const { database } = server;
  const traces = await database.trace.findMany({ select: { id: true } });
  const exports = await Promise.all(
    traces.map(async ({ id }) => (await server.call(exportTrace, { as: "admin", params: { traceId: id } })).text()),
  );
  const blobs = await database.blob.findMany();
  return [
    ...replies,
    ...exports,
    ...blobs.map(({ content }) => new TextDecoder().decode(content)),
    JSON.stringify(server.provider.requests.map(({ body: sent }) => sent)),
    JSON.stringify(await database.runEvent.findMany()),
    JSON.stringify(await database.message.findMany()),
    JSON.stringify(await database.transcriptMessage.findMany()),
    JSON.stringify(await database.span.findMany()),
  ].join("\n");
}

/** Each way in which a tool may write a secret. */
const ECHO = SECRETS.flatMap((secret) => [
  secret,
  JSON.stringify(secret),
  encodeURIComponent(secret),
  Buffer.from(`user:${secret}`).toString("base64"),
]).join(" and ");

/** What must not be left of any of them. */
const LEFT = SECRETS.flatMap((secret) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  Buffer.from(`user:${secret}`).toString("base64").slice(8, 20),
]);
const leftIn = (text: string) => LEFT.filter((form) => text.includes(form));

const calls = [{ name: "echo", args: {} }];

test.each([
  ["result", { result: `got ${ECHO}` }],
  ["result as data", { result: { headers: { authorization: ECHO }, list: [ECHO] } }],
  ["error", { error: `refused: ${ECHO}` }],
  ["message to people", { result: "fine", for_user: `told ${ECHO}` }],
])("a secret in a tool's %s is stored, sent and shown nowhere", async (_where, said) => {
  answer = said;
  await start([{ calls }, { text: "done" }]);
  const all = await everything();
  expect(all.includes("[redacted]")).toBe(true);
  expect(leftIn(all)).toEqual([]);
});

test("a secret in what a model says is shown nowhere, however it is cut into pieces", async () => {
  await start([{ text: [...`The key is ${ADMIN_KEY}, and also ${HOOK_SECRET}.`] }]);
  const all = await everything();
  expect(all.includes("The key is [redacted], and also [redacted].")).toBe(true);
  expect(leftIn(all)).toEqual([]);
});

test("a secret in a provider's refusal is stored and shown nowhere", async () => {
  const message = `The key ${ADMIN_KEY} of ${JSON.stringify(PROVIDER_KEY)} is not known`;
  await start([{ fault: { status: 400, message } }]);
  const all = await everything();
  expect(all.includes("The key [redacted]")).toBe(true);
  expect(leftIn(all)).toEqual([]);
});
