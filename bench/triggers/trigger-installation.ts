import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { StoredSchedule } from "../../lib/schema/triggers/schedule";
import { type Database, openDatabase } from "../../lib/server/platform/db/database";
import { sectionKey } from "../../lib/server/settings/section-key";
import { timerStatements } from "../../lib/server/triggers/timer";
import { secretColumns } from "../../lib/server/triggers/webhooks/webhook-secrets";
import { applyMigrations } from "../../scripts/database/apply-migrations";
import { projectDirectory } from "../../scripts/project-directory";
import type { CrashPoint } from "./crash-points";
import type { Receivers } from "./receivers";

export const SECRET = "a secret that all processes share";
const AGENT = "punctual";
const WEBHOOK = "whk_bench";

/** Its own database with an agent, its receivers, and processes that come and go. */
export interface TriggerInstallation {
  readonly database: Database;
  addSchedule(id: string, config: Readonly<Record<string, unknown>>, firstDueAt: Date): Promise<void>;
  /** Starts the server and waits until it has killed itself. */
  killAt(place: CrashPoint, times: number): Promise<void>;
  /** Runs the server until `stop`. */
  start(): Promise<{ stop(): Promise<void> }>;
  close(): Promise<void>;
}

interface Parts {
  /** Default: its own SQLite file. */
  readonly postgresUrl?: string;
  readonly providerUrl: string;
  readonly receivers: Receivers;
}

export async function openInstallation({ postgresUrl, providerUrl, receivers }: Parts): Promise<TriggerInstallation> {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-triggers-"));
  const url = postgresUrl ?? `file:${path.join(directory, "ringmaster.db")}`;
  await applyMigrations(url);
  const database = await openDatabase(url);
  await addRows(database, receivers);
  const variables = {
    DATABASE_URL: url,
    RINGMASTER_NO_DOTENV: "1",
    RINGMASTER_DATA_DIR: directory,
    RINGMASTER_ROLE: postgresUrl === undefined ? "all" : "worker",
    RINGMASTER_SECRET: SECRET,
    RINGMASTER_LOG_LEVEL: "error",
    RINGMASTER_ALLOWED_PRIVATE_HOSTS: new URL(receivers.webhookUrl).host,
    RINGMASTER_SCRIPTED_MODEL_URL: providerUrl,
  };
  const launch = (...parameters: string[]) => startProcess(variables, parameters);
  return {
    database,
    async addSchedule(id, config, firstDueAt) {
      const stored = StoredSchedule.parse({ name: id, prompt: "Look around.", ...config });
      const kind = stored.every === undefined ? "at" : "every";
      const columns = { id, ownerId: "u1", agentId: AGENT, kind, name: id, nextDueAt: firstDueAt };
      await database.trigger.create({ data: { ...columns, enabled: true, config: JSON.stringify(stored) } });
      await database.runAll(await timerStatements(database, id, firstDueAt));
    },
    async killAt(place, times) {
      const child = launch(place, String(times));
      const [code, signal] = (await once(child, "close")) as [number | null, string | null];
      if (signal !== "SIGKILL") throw new Error(`The process ended by itself with ${code}.`);
    },
    async start() {
      const child = launch();
      await Promise.race([once(child.stdout ?? child, "data"), once(child, "close")]);
      if (child.exitCode !== null) throw new Error("The process did not start.");
      return {
        async stop() {
          child.kill("SIGTERM");
          await once(child, "close");
        },
      };
    },
    async close() {
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const FILE = path.join(projectDirectory, "bench/triggers/server-process.ts");

function startProcess(variables: Readonly<Record<string, string>>, parameters: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, FILE, ...parameters], {
    cwd: projectDirectory,
    env: { ...process.env, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function addRows(database: Database, { webhookUrl, mailPort }: Receivers): Promise<void> {
  await database.user.create({ data: { id: "u1", name: "Ana", email: "ana@example.test", role: "admin" } });
  const config = { name: "Punctual", model: `scripted:${AGENT}`, retries: 0, compaction: { enabled: false } };
  const version = { id: "av_punctual", number: 1, configHash: "1", config: JSON.stringify(config) };
  await database.agent.create({ data: { id: AGENT, versions: { create: version } } });
  await database.agent.update({ where: { id: AGENT }, data: { currentVersionId: version.id } });
  const webhook = { id: WEBHOOK, name: "Bench", url: webhookUrl, events: "[]", createdById: "u1" };
  await database.webhook.create({ data: webhook });
  await database.webhookSecret.create({ data: secretColumns(WEBHOOK, `whsec_${"A".repeat(43)}=`, 1) });
  const smtp = { host: "127.0.0.1", port: mailPort, security: "none", user: null, from: "bench@example.test" };
  await database.setting.create({
    data: { key: sectionKey("smtp"), value: JSON.stringify({ ...smtp, sealed: null }) },
  });
}

/** The targets of the bench schedules' results. */
export const BY_WEBHOOK = [{ webhook: WEBHOOK }];
export const BY_MAIL_TOO = [{ webhook: WEBHOOK }, { email: true }];
