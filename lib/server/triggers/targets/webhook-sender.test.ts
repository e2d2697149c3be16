import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { GET as listAttempts } from "@/app/api/deliveries/[deliveryId]/attempts/route";
import { POST as resend } from "@/app/api/deliveries/[deliveryId]/resend/route";
import { GET as listDeliveries } from "@/app/api/deliveries/route";
import { POST as rotate } from "@/app/api/webhooks/[webhookId]/rotate/route";
import { DELETE as remove } from "@/app/api/webhooks/[webhookId]/route";
import { POST as tryIt } from "@/app/api/webhooks/[webhookId]/test/route";
import { POST as create } from "@/app/api/webhooks/route";
import { scriptedModel } from "@/lib/models/scripted-model";
import { AppError } from "@/lib/schema/app-error";
import type { CreatedWebhook } from "@/lib/schema/webhooks/webhook";
import { startRun } from "@/lib/server/engine/accept";
import type { RunHost } from "@/lib/server/engine/host";
import { eventStatements } from "@/lib/server/engine/outgoing/event-statements";
import type { Database } from "@/lib/server/platform/db/database";
import { addAgent, reached, testHost } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { deliver } from "../deliver";
import { DELIVERY_SENDERS } from "./delivery-senders";
import { createWebhookSender } from "./webhook-sender";

type Answer = { status: number; text?: string; location?: string } | "hang";

let answers: Answer[] = [];
const received: { headers: IncomingHttpHeaders; body: string }[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  const answer = answers.shift() ?? { status: 200, text: '{"queued":true}' };
  if (answer === "hang") return;
  response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.text ?? "");
});
let url = "";
let server: TestServer;
let host: RunHost | null = null;

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});
beforeEach(async () => {
  answers = [];
  received.length = 0;
  server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: new URL(url).host });
  await addAgent(server.database, "coder", { name: "Coder", model: "scripted:m", retries: 0 });
  await server.database.thread.create({ data: { id: "th1", ownerId: "member", agentId: "coder", clientId: "th1" } });
});
afterEach(async () => {
  await host?.stop();
  host = null;
  await server.close();
});

const DESK = { direction: "out", name: "release-desk", events: ["run.completed", "run.failed"] };

async function make(body: object = {}) {
  const reply = await server.call(create, { as: "admin", body: { ...DESK, url, ...body } });
  expect(reply.status, await reply.clone().text()).toBe(201);
  const { secret, ...webhook }: CreatedWebhook = await reply.json();
  return { webhook, secret };
}

/** A run that has ended as scripted; nothing is sent automatically. */
async function run(script: string | AppError): Promise<string> {
  const model = scriptedModel(typeof script === "string" ? [script] : []);
  const failing = { ...model, call: () => Promise.reject(script) };
  host = testHost(server.database, {
    model: typeof script === "string" ? model : failing,
    afterRun: async () => undefined,
    tasks: { delivery: async () => undefined },
  });
  await host.start();
  const { runId } = await startRun(server.database, {
    ownerId: "member",
    agentId: "coder",
    threadId: "th1",
    messages: [{ role: "user", content: "Hi" }],
  });
  await reached(async () => (await row(runId)).endedAt !== null);
  return runId;
}
const row = (id: string) => server.database.run.findUniqueOrThrow({ where: { id } });
const deliveries = () => server.database.delivery.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
const only = async () => {
  const [delivery] = await deliveries();
  if (!delivery) throw new Error("There is no delivery.");
  return delivery;
};
const HASTY = { ...DELIVERY_SENDERS, webhook: async () => createWebhookSender(100) };
/** The next attempt, when it is due. */
const attempt = async (senders = DELIVERY_SENDERS) => {
  const { id, nextAt } = await only();
  await deliver(server.services, id, nextAt ?? new Date(), senders);
};
const verify = (secret: string, { headers, body }: (typeof received)[number]) =>
  new Verifier(secret).verify(body, headers as Record<string, string>);
const attemptsOf = async (deliveryId: string) =>
  (await server.call(listAttempts, { as: "admin", params: { deliveryId } })).json();

test("the end of a run is sent once, in a request that the reference library accepts", async () => {
  const { webhook, secret } = await make();
  const runId = await run("All green.");
  for (let time = 0; time < 2; time++) await attempt();
  expect(received).toHaveLength(1);
  const [request] = received;
  if (!request) throw new Error("Nothing was received.");
  expect(verify(secret, request)).toMatchObject({
    type: "run.completed",
    data: { run_id: runId, agent_id: "coder", status: "completed", response: "All green.", origin: "chat" },
  });
  const { id, state } = await only();
  expect([request.headers["webhook-id"], state]).toEqual([id, "sent"]);
  const { attempts } = await attemptsOf(id);
  expect(attempts).toMatchObject([{ status: 200, error: null, response: '{"queued":true}' }]);
  const query = { as: "admin", path: `/api/deliveries?webhookId=${webhook.id}` } as const;
  expect(await (await server.call(listDeliveries, query)).json()).toMatchObject({
    deliveries: [{ id, runId, event: "run.completed", target: { webhook: webhook.id } }],
  });
});

test("a receiver that is down all day gets a dead letter, which Resend sends with the same key", async () => {
  const { secret } = await make();
  await run(new AppError("model_failed", "The key was refused."));
  answers = Array.from({ length: 7 }, () => ({ status: 503, text: "Service Unavailable" }));
  const started = (await only()).nextAt?.getTime() ?? 0;
  const times: number[] = [];
  for (let time = 0; time < 7; time++) {
    times.push(((await only()).nextAt?.getTime() ?? 0) - started);
    await attempt();
  }
  expect(times.map((ms) => ms / 1_000)).toEqual([0, 5, 35, 155, 755, 4_355, 25_955]);
  const dead = await only();
  expect(dead).toMatchObject({ state: "failed", attempts: 7, nextAt: null, event: "run.failed" });
  expect(dead.error).toBe("The address answered with HTTP status 503.");
  const reply = await server.call(resend, { as: "admin", method: "POST", params: { deliveryId: dead.id } });
  expect(reply.status).toBe(200);
  await attempt();
  expect(await only()).toMatchObject({ state: "sent", attempts: 1 });
  expect(new Set(received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([dead.id]));
  for (const request of received) expect(verify(secret, request)).toMatchObject({ type: "run.failed" });
  expect((await attemptsOf(dead.id)).attempts.map(({ status }: { status: number }) => status)).toEqual([
    ...Array(7).fill(503),
    200,
  ]);
});

test("no answer, and a redirect, which is not followed, are failed attempts that say so", async () => {
  await make();
  await run("Done.");
  answers = ["hang", { status: 302, location: `${url}/elsewhere` }];
  await attempt(HASTY);
  expect(await only()).toMatchObject({ state: "pending", error: "No answer within 100 ms." });
  await attempt();
  expect(await only()).toMatchObject({ state: "pending", error: expect.stringMatching(/redirect \(302\)/) });
  await attempt();
  expect(await only()).toMatchObject({ state: "sent", attempts: 3, error: null });
  expect(received).toHaveLength(3);
});

test("for a day after a rotation a request has both signatures", async () => {
  const { webhook, secret } = await make();
  await run("Done.");
  const params = { webhookId: webhook.id };
  const { secret: next } = await (await server.call(rotate, { as: "admin", method: "POST", params })).json();
  await attempt();
  const [request] = received;
  if (!request) throw new Error("Nothing was received.");
  for (const each of [secret, next]) expect(verify(each, request)).toMatchObject({ type: "run.completed" });
  expect(String(request.headers["webhook-signature"]).split(" ")).toHaveLength(2);
});

test("a process that is killed once it has sent it leaves a repeat that the receiver knows by its id", async () => {
  await make();
  await run("Done.");
  const { id } = await only();
  const { databaseUrl, dataDirectory } = server;
  const process = "lib/testing/processes/killable-delivery.ts";
  const killed = await runProcess(process, databaseUrl, dataDirectory, new URL(url).host, id);
  expect(killed).toMatchObject({ signal: "SIGKILL", errors: "" });
  expect(await only()).toMatchObject({ state: "pending", attempts: 1, begunAt: expect.any(Date) });
  await attempt();
  expect(await only()).toMatchObject({ state: "sent", attempts: 2 });
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
}, 60_000);

test("only what was asked for is queued, and only for that agent", async () => {
  await addAgent(server.database, "other", { name: "Other", model: "scripted:m" });
  await make({ events: ["run.failed"] });
  await make({ agentId: "other" });
  const { webhook } = await make({ agentId: "coder" });
  await run("Done.");
  expect(await deliveries()).toMatchObject([{ webhookId: webhook.id, event: "run.completed" }]);
});

test("without a webhook a run asks no database", async () => {
  const none = new Proxy({} as Database, {
    get: (_, name) => {
      throw new Error(`asked for ${String(name)}`);
    },
  });
  const of = { id: "run1", threadId: "th1", ownerId: "member", agentId: "coder" };
  expect(await eventStatements(none, of, [{ type: "run.completed", data: {} }], new Date())).toEqual([]);
  await run("Done.");
  expect(await deliveries()).toEqual([]);
});

test("a private address is refused when it is written, and again when it is dialled", async () => {
  const reply = await server.call(create, { as: "admin", body: { ...DESK, url: "http://127.0.0.1:9/x" } });
  expect([reply.status, (await reply.json()).error.details[0].path]).toEqual([400, "url"]);
  const { webhook } = await make();
  await server.database.webhook.update({ where: { id: webhook.id }, data: { url: "http://10.0.0.8/hooks" } });
  await run("Done.");
  await attempt();
  expect(await only()).toMatchObject({ error: expect.stringMatching(/^10\.0\.0\.8 is a private address/) });
});

test("a test is a real request, marked as one and tried once; what waits for a deleted webhook has failed", async () => {
  const { webhook, secret } = await make();
  answers = [{ status: 500 }];
  const params = { webhookId: webhook.id };
  const send = async () => (await server.call(tryIt, { as: "admin", params, body: { event: "run.failed" } })).json();
  expect(await send()).toMatchObject({ direction: "out", state: "failed" });
  expect(await send()).toMatchObject({ state: "sent" });
  for (const request of received) expect(verify(secret, request)).toMatchObject({ data: { test: true } });
  await server.database.delivery.deleteMany();
  await run("Done.");
  await server.call(remove, { as: "admin", method: "DELETE", params });
  expect(await only()).toMatchObject({ state: "failed", nextAt: null, error: "The webhook was deleted." });
});
