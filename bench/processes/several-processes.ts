// npm run bench:processes — the "Must hold" of several processes: two that serve and two that execute runs, on a
// temporary Postgres, with a scripted provider. Prints one line for each figure.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openJobQueue, SEGMENTS } from "../../lib/server/platform/db/job-queue";
import { applyMigrations } from "../../scripts/database/apply-migrations";
import { startPostgres } from "../../scripts/database/postgres-server";
import { freePort } from "../../scripts/free-port";
import { percentile } from "../statistics";
import { startHoldingProvider } from "./holding-provider";
import { addAgents, addQueuedRuns, addUsers, emptyRuns, type SharedDatabase } from "./shared-installation";

const ADMIN_KEY = "bench-bench-bench-bench-bench";
const SLOTS = { few: "8", many: "128" };
const folders: string[] = [];

interface Installation {
  readonly url: string;
  readonly providerUrl: string;
  readonly database: SharedDatabase;
}

interface ServerProcess {
  readonly address: string;
  readonly child: ChildProcess;
}

async function startProcess({ url, providerUrl }: Installation, role: "web" | "worker", slots: string) {
  const port = await freePort();
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-bench-"));
  folders.push(directory);
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: url,
      RINGMASTER_NO_DOTENV: "1",
      RINGMASTER_DATA_DIR: directory,
      RINGMASTER_ROLE: role,
      RINGMASTER_WORKER_SLOTS: slots,
      RINGMASTER_SECRET: "a secret that all processes share",
      RINGMASTER_ADMIN_API_KEY: ADMIN_KEY,
      RINGMASTER_LOG_LEVEL: "warn",
      OPENAI_COMPATIBLE_BASE_URL: providerUrl,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const address = `http://127.0.0.1:${port}`;
  while (!(await isHealthy(address))) {
    if (child.exitCode !== null) throw new Error(`A ${role} did not start.`);
    await sleep(100);
  }
  return { address, child };
}

async function isHealthy(address: string): Promise<boolean> {
  const reply = await fetch(`${address}/health`).catch(() => null);
  await reply?.arrayBuffer();
  return reply?.ok ?? false;
}

async function stop({ child }: ServerProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

function show(what: string, figure: string): void {
  process.stdout.write(`${what.padEnd(62)} ${figure}\n`);
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** Fetches with 50,000 runs of 200 users in the queue, by one process and by eight at once. */
async function measureFetch({ url, database }: Installation): Promise<void> {
  await addQueuedRuns(database, { runs: 50_000, users: 200, endedRuns: 100_000 });
  for (const processes of [1, 8]) {
    const queues = await Promise.all(Array.from({ length: processes }, () => openJobQueue(url)));
    // Their first statements open the connections.
    for (const queue of queues) await Promise.all([1, 2, 3, 4].map(() => queue.fetch(SEGMENTS, 1, 1_000)));
    const times: number[] = [];
    const fetchOften = async (queue: (typeof queues)[number]) => {
      for (let round = 0; round < 100 / processes; round += 1) {
        const start = performance.now();
        const jobs = await queue.fetch(SEGMENTS, 8, 1_000);
        times.push(performance.now() - start);
        for (const job of jobs) await queue.complete(SEGMENTS, job);
      }
    };
    await Promise.all(queues.map(fetchOften));
    show(
      `fetch of 8 of 50,000 queued, ${processes} at once: p50, p95`,
      `${ms(percentile(times, 0.5))}, ${ms(percentile(times, 0.95))}`,
    );
    await Promise.all(queues.map((queue) => queue.close()));
  }
  await emptyRuns(database);
}

type Provider = Awaited<ReturnType<typeof startHoldingProvider>>;

/** How long `runs` runs take that ask the model once each, and whether any asked twice. */
async function measureCrowd(
  installation: Installation,
  provider: Provider,
  crowd: { runs: number; holdMs: [number, number] },
) {
  const { database } = installation;
  provider.reset(crowd.holdMs);
  const start = performance.now();
  const posts = Array.from({ length: crowd.runs }, (_, index) => ({
    user: `user_${index % 20}`,
    text: `run ${index}`,
  }));
  for (let at = 0; at < posts.length; at += 50)
    await Promise.all(posts.slice(at, at + 50).map((post) => database.post(post)));
  const posted = performance.now();
  const claims: number[] = [];
  for (let fresh = 0; fresh < 10 && crowd.holdMs[1] === 0; fresh += 1) {
    await sleep(500);
    claims.push(await database.timeToClaim(`fresh_${fresh}`));
  }
  while ((await database.openRuns()) > 0) await sleep(250);
  const seconds = (performance.now() - start) / 1_000;
  const twice = [...provider.asked.values()].filter((count) => count > 1).length;
  const held = `${crowd.runs} runs held ${crowd.holdMs.join("–")} ms`;
  show(
    `${held}: posted, all`,
    `${ms(posted - start)}, ${seconds.toFixed(1)} s, ${(crowd.runs / seconds).toFixed(1)} runs/s`,
  );
  show(
    `${held}: asked the model twice, failed, taken over`,
    `${twice}, ${await database.failedRuns()}, ${await database.takenOver()}`,
  );
  if (claims.length > 0)
    show(
      "time until a new user's run is claimed meanwhile: median, maximum",
      `${ms(percentile(claims, 0.5))}, ${ms(Math.max(...claims))}`,
    );
  await emptyRuns(database);
}

/** How long runs stand still when their worker is killed, or asked to end. */
async function measureHandOver(installation: Installation, provider: Provider, signal: "SIGKILL" | "SIGTERM") {
  const { database } = installation;
  const victim = await startProcess(installation, "worker", SLOTS.few);
  provider.reset([300, 300], 60);
  const runIds = await Promise.all(
    Array.from({ length: 12 }, (_, index) => database.post({ user: `user_${index}`, text: `long ${index}` })),
  );
  await sleep(3_000);
  const heir = await startProcess(installation, "worker", "64");
  const before = await database.epochs(runIds);
  const at = Date.now();
  victim.child.kill(signal);
  while ((await database.movedOn(before, at)).length < before.size && Date.now() - at < 30_000) await sleep(50);
  const waits = await database.movedOn(before, at);
  show(
    `${signal}: ${waits.length} of ${before.size} runs go on elsewhere after: p50, most`,
    `${ms(percentile(waits, 0.5))}, ${ms(Math.max(0, ...waits))}`,
  );
  while ((await database.openRuns()) > 0) await sleep(250);
  show(
    `${signal}: runs completed, with gaps in their events`,
    `${await database.completedRuns()} of ${runIds.length}, ${await database.gaps()}`,
  );
  await Promise.all([stop(victim), stop(heir)]);
  await emptyRuns(database);
}

/** A message posted to one process, executed by another, read from a third. */
async function tryAcross(web: readonly ServerProcess[], { database }: Installation, provider: Provider): Promise<void> {
  provider.reset([0, 0]);
  const [a, b] = web;
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" };
  const body = JSON.stringify({ model: "agent:bench", messages: [{ role: "user", content: "across" }] });
  const reply = await fetch(`${a?.address}/v1/chat/completions`, { method: "POST", headers, body });
  const runId = await database.latestRun();
  const stream = await fetch(`${b?.address}/api/runs/${runId}/stream`, { headers });
  show("posted to A and answered: status; bytes streamed from B", `${reply.status}; ${(await stream.text()).length}`);
  await emptyRuns(database);
}

const postgres = await startPostgres();
const provider = await startHoldingProvider();
const processes: ServerProcess[] = [];
try {
  const url = postgres.url;
  await applyMigrations(url);
  const database = await addAgents(url);
  await addUsers(database, 20);
  const installation = { url, providerUrl: provider.url, database };
  await measureFetch(installation);
  for (const role of ["web", "web"] as const) processes.push(await startProcess(installation, role, SLOTS.few));
  const workers = [
    await startProcess(installation, "worker", SLOTS.few),
    await startProcess(installation, "worker", SLOTS.few),
  ];
  processes.push(...workers);
  await tryAcross(processes, installation, provider);
  await measureCrowd(installation, provider, { runs: 2_000, holdMs: [0, 0] });
  await Promise.all(workers.map((worker) => stop(worker)));
  await measureHandOver(installation, provider, "SIGTERM");
  await measureHandOver(installation, provider, "SIGKILL");
  for (const _ of workers) processes.push(await startProcess(installation, "worker", SLOTS.many));
  await measureCrowd(installation, provider, { runs: 500, holdMs: [16_000, 45_000] });
  await database.close();
} finally {
  await Promise.all(processes.map((each) => stop(each, "SIGKILL")));
  await provider.close();
  await postgres.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
