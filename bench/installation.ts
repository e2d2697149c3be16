import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { processServices } from "@/lib/server/wiring/services";
import { applyDirectly } from "../scripts/database/apply-migrations";
import type { ProviderAddresses } from "./scripted-provider";

/**
 * A fresh installation in a temporary folder, in this process: the real host, journal, spans, hooks and event streams
 * on SQLite, without Next around them. Must be called before anything of lib/server is used.
 */
export async function openInstallation({ baseUrl, pacedUrl }: ProviderAddresses) {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-bench-"));
  const databaseUrl = `file:${path.join(directory, "bench.db")}`;
  await applyDirectly(databaseUrl);
  Object.assign(process.env, {
    RINGMASTER_DATA_DIR: directory,
    DATABASE_URL: databaseUrl,
    OPENAI_COMPATIBLE_BASE_URL: baseUrl,
    OLLAMA_BASE_URL: pacedUrl,
    RINGMASTER_LOG_LEVEL: "error",
    // All runs here belong to one user.
    RINGMASTER_MAX_RUNS_PER_USER: "1000",
  });
  const { openServices } = await import("../lib/server/wiring/services");
  const { startProcessHost, stopProcessHost } = await import("../lib/server/wiring/process-host");
  const { database } = await openServices();
  await seed(database);
  await startProcessHost(processServices());
  return {
    directory,
    database,
    async close() {
      await stopProcessHost(processServices());
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type Database = import("../lib/server/platform/db/database").Database;

/** A system prompt as long as a real agent's. */
const PROMPT = "You work through the question step by step and check what you find. ".repeat(60);

async function seed(database: Database): Promise<void> {
  await database.user.create({ data: { id: "u1", name: "Ada", email: "ada@example.test" } });
  await addBenchAgents(database);
}

/** The agents whose runs are measured. */
export async function addBenchAgents(database: Database): Promise<void> {
  await addAgent(database, "bench", { model: "openai-compatible:bench" });
  await addAgent(database, "paced", { model: "ollama:bench" });
  await addAgent(database, "prompted", { model: "openai-compatible:bench", system_prompt: PROMPT });
}

async function addAgent(database: Database, id: string, own: Readonly<Record<string, string>>): Promise<void> {
  // A compaction follows its run and calls the model itself: it would overlap with the next measurement.
  const off = { loop_guard: { enabled: false }, compaction: { enabled: false } };
  const shared = { name: id, tools: ["calculate"], max_iterations: 100, ...off };
  const version = { id: `av_${id}`, agentId: id, number: 1, configHash: id };
  await database.agent.create({ data: { id } });
  await database.agentVersion.create({ data: { ...version, config: JSON.stringify({ ...shared, ...own }) } });
  await database.agent.update({ where: { id }, data: { currentVersionId: version.id } });
}
