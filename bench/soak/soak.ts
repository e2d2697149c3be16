// npm run soak -- [--minutes 10] [--database sqlite|postgres]: real servers work on queued messages, approvals and
// subagents while they are killed at random; at the end nothing may be lost, done twice, stuck or left running.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startScriptProvider } from "../../e2e/support/script-provider";
import { startPostgres } from "../../scripts/database/postgres-server";
import { startTestServer, type TestServer } from "../../scripts/testing/test-server";
import { checkDatabase } from "./check-database";
import { JOB, jobAgents, nextStep } from "./job-model";
import { startTally } from "./tally";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, database: { type: "string", default: "sqlite" } },
});
const minutes = Number(values.minutes);
const isPostgres = values.database === "postgres";

const KEY = "rm_soak_000000000000000000000000";
const THREADS = 12;
const KILL_EVERY_MS = { least: 10_000, more: 20_000 };
const SETTLE_MS = 180_000;
/** What follows the last runs: compaction, spans. */
const AFTER_LAST_MS = 20_000;

const provider = await startScriptProvider();
const tally = await startTally();
const postgres = isPostgres ? await startPostgres() : null;
const servers = await startServers();
const urls = servers.filter(({ isWeb }) => isWeb).map(({ server }) => server.url);

/** Those that people reach, and on Postgres workers beside them. */
async function startServers(): Promise<{ readonly server: TestServer; readonly isWeb: boolean }[]> {
  const shared = {
    RINGMASTER_ADMIN_API_KEY: KEY,
    RINGMASTER_SCRIPTED_MODEL_URL: provider.url,
    RINGMASTER_ALLOWED_PRIVATE_HOSTS: tally.host,
    RINGMASTER_SECRET: "a-secret-that-all-processes-share-0123456789",
  };
  if (!postgres) return [{ server: await startTestServer(shared), isWeb: true }];
  await postgres.query("CREATE DATABASE soak");
  const DATABASE_URL = postgres.url.replace(/\/postgres$/u, "/soak");
  const all: { server: TestServer; isWeb: boolean }[] = [];
  for (const role of ["web", "web", "worker", "worker"]) {
    const server = await startTestServer({ ...shared, DATABASE_URL, RINGMASTER_ROLE: role });
    all.push({ server, isWeb: role === "web" });
  }
  return all;
}

const isOver = { sending: false, deciding: false };
const accepted: { readonly runId: string; readonly threadId: string; readonly job: string }[] = [];
const counts = { kills: 0, decisions: 0, repeatedRequests: 0 };

interface Answer {
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/** Calls until a server answers; the same key makes a repeated POST the same message. */
async function call(method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${KEY}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (key !== undefined) headers["idempotency-key"] = key;
  const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const url = urls[Math.floor(Math.random() * urls.length)] ?? "";
    // A server that is dead or dying comes back.
    const answer = await callOnce(url, path, request).catch(() => null);
    if (answer && answer.status < 500 && answer.status !== 429) return answer;
    counts.repeatedRequests += 1;
    await sleep(200);
  }
  throw new Error(`${method} ${path}: no server has answered for minutes`);
}

async function callOnce(url: string, path: string, request: RequestInit): Promise<Answer> {
  const reply = await fetch(url + path, { ...request, signal: AbortSignal.timeout(20_000) });
  return { path, status: reply.status, text: await reply.text() };
}

function expectOk<Body>({ path, status, text }: Answer): Body {
  if (status > 299) throw new Error(`${path}: ${status} ${text}`);
  return JSON.parse(text) as Body;
}

/** One person who keeps sending, at times several messages in a row. */
async function keepSending(agentId: string): Promise<void> {
  const { id: threadId } = expectOk<{ id: string }>(await call("POST", "/api/threads", { agentId }));
  while (!isOver.sending) {
    const sent: string[] = [];
    // A message to a run that waits for a person would decline what it waits for.
    const most = agentId === "soak-asker" ? 1 : 3;
    for (let count = 1 + Math.floor(Math.random() * most); count > 0; count -= 1) {
      const job = randomUUID().slice(0, 8);
      const content = `${JOB} ${job} steps ${1 + Math.floor(Math.random() * 5)}`;
      const reply = await call("POST", `/api/threads/${threadId}/messages`, { content }, randomUUID());
      const { runId } = expectOk<{ runId: string }>(reply);
      accepted.push({ runId, threadId, job });
      sent.push(runId);
    }
    for (const runId of sent) await whenEnded(runId, Date.now() + 600_000);
  }
}

async function whenEnded(runId: string, deadline: number): Promise<string> {
  for (;;) {
    const { status } = expectOk<{ status: string }>(await call("GET", `/api/runs/${runId}`));
    if (!["queued", "running", "waiting"].includes(status)) return status;
    if (Date.now() > deadline) return status;
    await sleep(300);
  }
}

/** Allows whatever waits; another decision may have been faster. */
async function keepDeciding(): Promise<void> {
  while (!isOver.deciding) {
    const { approvals } = expectOk<{ approvals: { runId: string; toolCallId: string }[] }>(
      await call("GET", "/api/approvals"),
    );
    for (const { runId, toolCallId } of approvals) {
      const decisions = [{ tool_call_id: toolCallId, decision: "allow" }];
      const reply = await call("POST", `/api/runs/${runId}/decisions`, { decisions });
      if (reply.status < 300) counts.decisions += 1;
    }
    await sleep(500);
  }
}

async function keepKilling(): Promise<void> {
  while (!isOver.sending) {
    await sleep(KILL_EVERY_MS.least + Math.random() * KILL_EVERY_MS.more);
    const victim = servers[Math.floor(Math.random() * servers.length)]?.server;
    if (isOver.sending || !victim) return;
    await victim.kill();
    counts.kills += 1;
    console.log(`killed ${victim.url} at ${new Date().toISOString()}`);
    await sleep(Math.random() * 3_000);
    await victim.restart();
  }
}

try {
  for (const model of Object.keys(jobAgents)) provider.script(model, [nextStep]);
  const tool = { name: "tally", description: "Counts a step of a job", callback_url: tally.url };
  const parameters = { type: "object", properties: { job: { type: "string" }, step: { type: "integer" } } };
  expectOk(await call("POST", "/agents/tools/register", { ...tool, parameters }));
  for (const [id, config] of Object.entries(jobAgents)) {
    const agent = { agent_id: id, name: id, model: `scripted:${id}`, backend: { type: "state" }, ...config };
    expectOk(await call("POST", "/agents", agent));
  }
  const startedAt = Date.now();
  const senders = Array.from({ length: THREADS }, (_, index) =>
    keepSending(Object.keys(jobAgents)[index % Object.keys(jobAgents).length] ?? ""),
  );
  const deciding = keepDeciding();
  const killing = keepKilling();
  await sleep(minutes * 60_000);
  isOver.sending = true;
  await killing;
  await Promise.all(senders);
  isOver.deciding = true;
  await deciding;
  const ended = new Map<string, number>();
  for (const { runId } of accepted) {
    const status = await whenEnded(runId, Date.now() + SETTLE_MS);
    ended.set(status, (ended.get(status) ?? 0) + 1);
  }
  await sleep(AFTER_LAST_MS);
  const databaseUrl = postgres
    ? postgres.url.replace(/\/postgres$/u, "/soak")
    : `file:${servers[0]?.server.dataDirectory}/ringmaster.db`;
  const problems = [...(await checkDatabase(databaseUrl, accepted)), ...tally.problems()];
  console.log({
    database: values.database,
    minutes: Math.round((Date.now() - startedAt) / 6_000) / 10,
    messages: accepted.length,
    ended: Object.fromEntries(ended),
    toolCalls: tally.calls(),
    ...counts,
  });
  for (const problem of problems.slice(0, 50)) console.log(problem);
  console.log(problems.length === 0 ? "Nothing lost, doubled, stuck or left running." : `${problems.length} problems.`);
  process.exitCode = problems.length === 0 && [...ended.keys()].every((status) => status === "completed") ? 0 : 1;
} finally {
  await Promise.allSettled(servers.map(({ server }) => server.stop()));
  await postgres?.stop();
  await provider.close();
  tally.close();
}
