// npm run bench:processes [-- part …] — the "Must hold" of several processes: two that serve and two that execute runs,
// on a temporary Postgres, with a scripted provider. Prints one line per figure; the parts are listed at the end.
import { setTimeout as sleep } from "node:timers/promises";
import { openJobQueue, SEGMENTS } from "../../lib/server/platform/db/job-queue";
import { applyMigrations } from "../../scripts/database/apply-migrations";
import { startPostgres } from "../../scripts/database/postgres-server";
import { percentile } from "../statistics";
import { measureIdleStreams, tryAcross, tryRestart } from "./across";
import { missedLimits, ms, show } from "./figure";
import { startHoldingProvider } from "./holding-provider";
import { type Installation, removeFolders, startProcess, stop, withProcesses } from "./server-process";
import { addAgents, addQueuedRuns, addUsers, emptyRuns } from "./shared-installation";

/** As in docs/design/performance.md. */
const LIMITS = {
  fetchP95Ms: 20,
  runsPerSecond: 70,
  claimMedianMs: 1_000,
  stallMs: { SIGKILL: 12_000, SIGTERM: 1_000 },
};
const SLOTS = { few: "8", many: "128" };
/** Fetches with 50,000 runs of 200 users in the queue, by one process and by eight at once. */
async function measureFetch({ postgres: { url }, database }: Installation): Promise<void> {
  await addQueuedRuns(database, { runs: 50_000, users: 200, endedRuns: 100_000 });
  for (const processes of [1, 8]) {
    const queues = await Promise.all(Array.from({ length: processes }, () => openJobQueue(url, 4)));
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
    const p95 = percentile(times, 0.95);
    show(
      `fetch of 8 of 50,000 queued, ${processes} at once: p50, p95`,
      `${ms(percentile(times, 0.5))}, ${ms(p95)}`,
      p95 <= LIMITS.fetchP95Ms,
    );
    await Promise.all(queues.map((queue) => queue.close()));
  }
  await emptyRuns(database);
}

/** The duration of `runs` runs with one model call each, and whether any called twice. */
async function measureCrowd({ database, provider }: Installation, crowd: { runs: number; holdMs: [number, number] }) {
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
    crowd.holdMs[1] > 0 || crowd.runs / seconds >= LIMITS.runsPerSecond,
  );
  const troubles = [twice, await database.failedRuns(), await database.takenOver()];
  show(
    `${held}: asked the model twice, failed, taken over`,
    troubles.join(", "),
    troubles.every((count) => Number(count) === 0),
  );
  if (claims.length > 0) {
    const median = percentile(claims, 0.5);
    show(
      "time to claim a new user's run under that load: median, maximum",
      `${ms(median)}, ${ms(Math.max(...claims))}`,
      median <= LIMITS.claimMedianMs,
    );
  }
  await emptyRuns(database);
}

/** The stall of runs whose worker is killed, or asked to end. */
async function measureHandOver(installation: Installation, signal: "SIGKILL" | "SIGTERM") {
  const { database, provider } = installation;
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
    waits.length === before.size && Math.max(0, ...waits) <= LIMITS.stallMs[signal],
  );
  while ((await database.openRuns()) > 0) await sleep(250);
  const [completed, gaps] = [Number(await database.completedRuns()), Number(await database.gaps())];
  show(
    `${signal}: runs completed, with gaps in their events`,
    `${completed} of ${runIds.length}, ${gaps}`,
    completed === runIds.length && gaps === 0,
  );
  await Promise.all([stop(victim), stop(heir)]);
  await emptyRuns(database);
}

const FOUR = ["web", "web", "worker", "worker"] as const;

/** Each starts its own processes, and leaves none running. */
const PARTS: Readonly<Record<string, (installation: Installation) => Promise<void>>> = {
  fetch: measureFetch,
  crowd: (installation) =>
    withProcesses(installation, FOUR, SLOTS.few, () => measureCrowd(installation, { runs: 2_000, holdMs: [0, 0] })),
  SIGTERM: (installation) => measureHandOver(installation, "SIGTERM"),
  SIGKILL: (installation) => measureHandOver(installation, "SIGKILL"),
  held: (installation) =>
    withProcesses(installation, FOUR, SLOTS.many, () =>
      measureCrowd(installation, { runs: 500, holdMs: [16_000, 45_000] }),
    ),
  across: (installation) =>
    withProcesses(installation, ["web", ...FOUR], SLOTS.many, (processes) => tryAcross(installation, processes)),
  streams: (installation) =>
    withProcesses(installation, FOUR, SLOTS.many, (processes) => measureIdleStreams(installation, processes)),
  restart: (installation) =>
    withProcesses(installation, FOUR, SLOTS.many, (processes) => tryRestart(installation, processes)),
};

const named = process.argv.slice(2);
const unknown = named.filter((name) => PARTS[name] === undefined);
if (unknown.length > 0) throw new Error(`No part ${unknown.join(", ")}; there are ${Object.keys(PARTS).join(", ")}.`);
const postgres = await startPostgres();
const provider = await startHoldingProvider();
try {
  await applyMigrations(postgres.url);
  const database = await addAgents(postgres.url);
  await addUsers(database, 20);
  const installation = { postgres, provider, database };
  for (const [name, measure] of Object.entries(PARTS)) {
    if (named.length === 0 || named.includes(name)) await measure(installation);
  }
  await database.close();
} finally {
  await provider.close();
  await postgres.stop();
  removeFolders();
}
const missed = missedLimits();
if (missed.length > 0) process.stdout.write(`Beyond its limit: ${missed.join("; ")}.\n`);
process.exit(missed.length > 0 ? 1 : 0);
