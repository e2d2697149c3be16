// npm run soak -- [--minutes 10] [--database sqlite|postgres] [--users 6] [--pause-seconds 4] [--kill-seconds 60]:
// real servers work on queued messages, approvals and subagents while they are killed at random; in the middle the disk
// of their logs is full for a while. At the end nothing may be lost, done twice, stuck or left running.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startScriptProvider } from "../../e2e/support/script-provider";
import { startPostgres } from "../../scripts/database/postgres-server";
import { startTestServer, type TestServer } from "../../scripts/testing/test-server";
import { checkDatabase, runsEndedBetween } from "./check-database";
import { JOB, jobAgents, nextStep } from "./job-model";
import { mountLogDisk } from "./log-disk";
import { startTally } from "./tally";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    database: { type: "string", default: "sqlite" },
    /** Threads that receive messages. */
    users: { type: "string", default: "6" },
    /** The average pause between a user's messages. */
    "pause-seconds": { type: "string", default: "4" },
    /** Average lifetime of the servers before one is killed. */
    "kill-seconds": { type: "string", default: "60" },
  },
});
const minutes = Number(values.minutes);
const isPostgres = values.database === "postgres";
const users = Number(values.users);
const pauseMs = Number(values["pause-seconds"]) * 1_000;
const killEveryMs = Number(values["kill-seconds"]) * 1_000;

const KEY = "rm_soak_000000000000000000000000";
/** For how much of the run the logs' disk is full, in its middle; at most a minute. */
const FULL_SHARE = 0.25;
const MOST_FULL_MS = 60_000;
/** Time that the spans of a run may take to be stored. */
const SPANS_COME_MS = 2_000;
const SETTLE_MS = 180_000;
/** Time for the work after the last runs: compaction, spans. */
const AFTER_LAST_MS = 20_000;

const provider = await startScriptProvider();
const tally = await startTally();
const logDisk = process.getuid?.() === 0 ? mountLogDisk() : null;
const postgres = isPostgres ? await startPostgres() : null;
const servers = await startServers();
const urls = servers.filter(({ isWeb }) => isWeb).map(({ server }) => server.url);

/** The servers that people reach, and on Postgres also workers. */
async function startServers(): Promise<{ readonly server: TestServer; readonly isWeb: boolean }[]> {
  const shared = {
    RINGMASTER_ADMIN_API_KEY: KEY,
    RINGMASTER_SCRIPTED_MODEL_URL: provider.url,
    RINGMASTER_ALLOWED_PRIVATE_HOSTS: tally.host,
    RINGMASTER_SECRET: "a-secret-that-all-processes-share-0123456789",
  };
  if (!postgres) return [{ server: await startTestServer(shared, logDisk?.addFile()), isWeb: true }];
  await postgres.query("CREATE DATABASE soak");
  const DATABASE_URL = postgres.url.replace(/\/postgres$/u, "/soak");
  const all: { server: TestServer; isWeb: boolean }[] = [];
  for (const role of ["web", "web", "worker", "worker"]) {
    const variables = { ...shared, DATABASE_URL, RINGMASTER_ROLE: role };
    const server = await startTestServer(variables, logDisk?.addFile());
    all.push({ server, isWeb: role === "web" });
  }
  return all;
}

const isOver = { sending: false, deciding: false };
const accepted: { readonly runId: string; readonly threadId: string; readonly job: string }[] = [];
const kills: Date[] = [];
const counts = { decisions: 0, repeatedRequests: 0 };

interface Answer {
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

/** Calls until a server answers; with the same idempotency key a repeated POST is the same message. */
async function call(method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${KEY}` };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (key !== undefined) headers["idempotency-key"] = key;
  const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const url = urls[Math.floor(Math.random() * urls.length)] ?? "";
    // A dead or dying server comes back.
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

/** A user who keeps sending, sometimes several messages in a row. */
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
    await sleep(Math.random() * 2 * pauseMs);
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

/** Allows whatever waits; another decision may have come first. */
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

interface FullDisk {
  readonly from: Date;
  readonly to: Date;
}

/** Fills the logs' disk in the middle of the run. */
async function fillLogDiskOnce(): Promise<FullDisk | null> {
  if (!logDisk) return null;
  const fullMs = Math.min(MOST_FULL_MS, minutes * 60_000 * FULL_SHARE);
  await sleep((minutes * 60_000 - fullMs) / 2);
  logDisk.fill();
  const from = new Date();
  console.log(`the disk of the logs is full from ${from.toISOString()}`);
  await sleep(fullMs);
  logDisk.free();
  const to = new Date();
  console.log(`the disk of the logs has room again at ${to.toISOString()}`);
  return { from, to };
}

/** The traces of the full log disk, and any problems with them. */
async function checkFullDisk(url: string, { from, to }: FullDisk) {
  const ended = await runsEndedBetween(url, new Date(from.getTime() + SPANS_COME_MS), to);
  const isShortBeforeKill = (at: Date) =>
    kills.some((kill) => kill >= at && kill.getTime() - at.getTime() < SPANS_COME_MS);
  const untraced = ended.filter(({ isTraced, endedAt }) => !isTraced && !isShortBeforeKill(endedAt));
  const lines = logDisk?.lines() ?? [];
  const logged = ended.filter(({ id }) => lines.some((line) => line.includes(`"runId":"${id}"`)));
  const problems = untraced.map(({ id }) => `run ${id} ended while the disk of the logs was full, and has no trace`);
  if (ended.length === 0) problems.push("no run ended while the disk of the logs was full");
  if (logged.length === 0) problems.push("no line written while the disk of the logs was full came later");
  const seconds = Math.round((to.getTime() - from.getTime()) / 1_000);
  return { problems, fullLogDisk: { seconds, runsEndedWithFullDisk: ended.length, loggedAfterwards: logged.length } };
}

async function keepKilling(endsAt: number): Promise<void> {
  while (!isOver.sending) {
    await sleep(Math.min(killEveryMs * (0.5 + Math.random()), endsAt - Date.now()));
    const victim = servers[Math.floor(Math.random() * servers.length)]?.server;
    if (isOver.sending || !victim) return;
    await victim.kill();
    kills.push(new Date());
    console.log(`killed ${victim.url} at ${kills.at(-1)?.toISOString()}`);
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
  const endsAt = startedAt + minutes * 60_000;
  const senders = Array.from({ length: users }, (_, index) =>
    keepSending(Object.keys(jobAgents)[index % Object.keys(jobAgents).length] ?? ""),
  );
  const deciding = keepDeciding();
  const killing = keepKilling(endsAt);
  const filling = fillLogDiskOnce();
  await sleep(endsAt - Date.now());
  isOver.sending = true;
  await killing;
  const fullDisk = await filling;
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
  const { fullLogDisk, problems: logProblems } = fullDisk
    ? await checkFullDisk(databaseUrl, fullDisk)
    : { fullLogDisk: "left out: only root can mount a disk for it", problems: [] };
  const problems = [...(await checkDatabase(databaseUrl, accepted)), ...tally.problems(), ...logProblems];
  console.log({
    database: values.database,
    minutes: Math.round((Date.now() - startedAt) / 6_000) / 10,
    messages: accepted.length,
    ended: Object.fromEntries(ended),
    toolCalls: tally.calls(),
    kills: kills.length,
    ...counts,
    fullLogDisk,
  });
  for (const problem of problems.slice(0, 50)) console.log(problem);
  console.log(problems.length === 0 ? "Nothing lost, doubled, stuck or left running." : `${problems.length} problems.`);
  if (problems.length > 0 && logDisk) console.log(`The logs are in ${logDisk.keep()}`);
  process.exitCode = problems.length === 0 && [...ended.keys()].every((status) => status === "completed") ? 0 : 1;
} finally {
  await Promise.allSettled(servers.map(({ server }) => server.stop()));
  await postgres?.stop();
  await provider.close();
  tally.close();
  logDisk?.unmount();
}
