// npm run bench:triggers [-- --kills 200 --postgres-kills 30 --schedules 200]: schedules are due every few seconds
// while the server is killed at the places where a firing or a message could be lost or duplicated, and in between;
// then how late a run starts. On SQLite and on Postgres, against a scripted model, a webhook and a mail server.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startScriptedServer } from "../../lib/testing/servers/scripted-openai-server";
import { startPostgres } from "../../scripts/database/postgres-server";
import { ms, show } from "../processes/figure";
import { percentile } from "../statistics";
import { checkFirings, type FiringCounts, type SchedulePlan } from "./check-firings";
import { CRASH_POINTS } from "./crash-points";
import { startReceivers } from "./receivers";
import { BY_MAIL_TOO, BY_WEBHOOK, openInstallation, SECRET, type TriggerInstallation } from "./trigger-installation";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    "postgres-kills": { type: "string", default: "30" },
    schedules: { type: "string", default: "200" },
  },
});
const SCHEDULES_UNDER_KILLS = 8;
const SPREAD_MS = 20_000;
const LEAD_MS = 3_000;
const SETTLE_MS = 120_000;

// Read when the secrets of the webhooks are sealed here.
process.env.RINGMASTER_SECRET = SECRET;
process.env.RINGMASTER_NO_DOTENV = "1";

const provider = await startScriptedServer({ record: false, script: () => ({ text: "All is well." }) });

type Counts = Omit<FiringCounts, "problems">;

/** One installation whose server is killed repeatedly; then what the kills left behind. */
async function killOften(postgresUrl: string | undefined, kills: number): Promise<FiringCounts> {
  const receivers = await startReceivers();
  const installation = await openInstallation({ postgresUrl, providerUrl: provider.url, receivers });
  const plans = new Map<string, SchedulePlan>();
  for (let index = 0; index < SCHEDULES_UNDER_KILLS; index += 1) {
    const seconds = 2 + (index % 4);
    const firstDueAt = new Date(Date.now() + 1_000 + index * 137);
    // A separate thread for each mail: its link identifies it.
    const config =
      index % 2 === 0
        ? { thread: "new", deliver: BY_MAIL_TOO }
        : { thread: "same", overlap: index % 4 === 1 ? "queue" : "skip", deliver: BY_WEBHOOK };
    const id = `trg_${index}`;
    await installation.addSchedule(id, { ...config, every: `${seconds}s`, pause_after_failures: 100 }, firstDueAt);
    plans.set(id, { everyMs: seconds * 1_000, firstDueAt });
  }
  for (let kill = 0; kill < kills; kill += 1) {
    await installation.killAt(
      CRASH_POINTS[kill % CRASH_POINTS.length] ?? "any",
      1 + (Math.floor(kill / CRASH_POINTS.length) % 3),
    );
  }
  const server = await installation.start();
  await installation.database.trigger.updateMany({ data: { enabled: false } });
  await untilRest(installation);
  await server.stop();
  const counts = await checkFirings(installation.database, receivers, plans);
  receivers.close();
  await installation.close();
  return counts;
}

/** `urls`: one installation each, in parallel; undefined is a SQLite file. */
async function killAndCount(database: string, urls: readonly (string | undefined)[], kills: number): Promise<void> {
  const startedAt = performance.now();
  const each = Math.ceil(kills / urls.length);
  const found = await Promise.all(urls.map((url) => killOften(url, each)));
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  const sum = (name: keyof Counts) => found.reduce((total, counts) => total + counts[name], 0);
  const sums = (...names: (keyof Counts)[]) => names.map(sum).join(", ");
  show(`${database}: kill -9 of the server (${CRASH_POINTS.join(", ")})`, `${each * urls.length} in ${seconds} s`);
  show(`${database}: due times, runs, messages`, sums("due", "runs", "messages"));
  show(`${database}: firings lost, doubled`, sums("firingsLost", "firingsDoubled"));
  show(`${database}: messages lost, doubled`, sums("messagesLost", "messagesDoubled"));
  show(`${database}: repeats known by their id, mails marked "(again)"`, sums("repeatsById", "markedAgain"));
  show(`${database}: mails left to Resend after two killed attempts`, sums("leftToResend"));
  const problems = found.flatMap((counts) => counts.problems);
  for (const problem of problems.slice(0, 30)) process.stdout.write(`  ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

/** Until every firing is decided and recorded, every run has ended and nothing waits to be sent. */
async function untilRest({ database }: TriggerInstallation): Promise<void> {
  const deadline = Date.now() + SETTLE_MS;
  while (Date.now() < deadline) {
    const open = await Promise.all([
      database.firing.count({ where: { OR: [{ state: "claimed" }, { state: "started", outcome: null }] } }),
      database.run.count({ where: { endedAt: null } }),
      database.delivery.count({ where: { nextAt: { not: null } } }),
    ]);
    if (open.every((count) => count === 0)) return;
    await sleep(250);
  }
  throw new Error("What the kills have left has not come to rest.");
}

async function measureStarts(database: string, postgresUrl: string | undefined, schedules: number): Promise<void> {
  const receivers = await startReceivers();
  const installation = await openInstallation({ postgresUrl, providerUrl: provider.url, receivers });
  const from = Date.now() + LEAD_MS;
  for (let index = 0; index < schedules; index += 1) {
    const at = new Date(from + Math.floor((index * SPREAD_MS) / schedules));
    await installation.addSchedule(`trg_${index}`, { at: at.toISOString() }, at);
  }
  const server = await installation.start();
  await sleep(Math.max(0, from + SPREAD_MS + LEAD_MS - Date.now()));
  await untilRest(installation);
  await server.stop();
  const firings = await installation.database.firing.findMany({ orderBy: { id: "asc" } });
  const runs = await installation.database.run.findMany({ select: { id: true, startedAt: true } });
  const startedAt = new Map(runs.map(({ id, startedAt }) => [id, startedAt?.getTime() ?? Number.NaN]));
  const lateMs = firings.map(({ runId, dueAt }) => (startedAt.get(runId ?? "") ?? Number.NaN) - dueAt.getTime());
  const seconds = `${schedules} due times in ${SPREAD_MS / 1_000} s`;
  show(
    `${database}: ${seconds}, until the run starts: p50, p95, most`,
    [percentile(lateMs, 0.5), percentile(lateMs, 0.95), Math.max(...lateMs)].map(ms).join(", "),
  );
  if (firings.length !== schedules || lateMs.some(Number.isNaN)) {
    process.stdout.write(`  ${firings.length} of ${schedules} fired\n`);
    process.exitCode = 1;
  }
  receivers.close();
  await installation.close();
}

const kills = Number(values.kills);
const postgresKills = Number(values["postgres-kills"]);
const schedules = Number(values.schedules);
const postgres = postgresKills > 0 ? await startPostgres() : null;
const onPostgres = async (name: string) => {
  await postgres?.query(`CREATE DATABASE ${name}`);
  return postgres?.url.replace(/\/postgres$/u, `/${name}`);
};
try {
  if (schedules > 0) await measureStarts("SQLite", undefined, schedules);
  if (schedules > 0 && postgres) await measureStarts("Postgres", await onPostgres("starts"), schedules);
  if (postgres) await killAndCount("Postgres", [await onPostgres("kills")], postgresKills);
  if (kills > 0) await killAndCount("SQLite", [undefined, undefined], kills);
} finally {
  await provider.close();
  await postgres?.stop();
}
process.exit();
