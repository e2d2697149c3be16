import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { applyDirectly } from "../scripts/migrations.mjs";

/**
 * A fresh installation in a temporary folder, in this process: the real host, journal, spans, hooks and event streams
 * on SQLite, without Next around them. Must be called before anything of lib/server is used.
 */
export async function openInstallation(baseUrl: string) {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-bench-"));
  const databaseUrl = `file:${path.join(directory, "bench.db")}`;
  await applyDirectly(databaseUrl);
  Object.assign(process.env, {
    RINGMASTER_DATA_DIR: directory,
    DATABASE_URL: databaseUrl,
    OPENAI_COMPATIBLE_BASE_URL: baseUrl,
    RINGMASTER_LOG_LEVEL: "error",
  });
  const { database } = await import("../lib/server/db");
  const { startProcessHost, stopProcessHost } = await import("../lib/server/runs/process-host");
  await seed(database());
  await startProcessHost();
  return {
    directory,
    database: database(),
    async close() {
      await stopProcessHost();
      await database().close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type Database = ReturnType<typeof import("../lib/server/db").database>;

async function seed(database: Database): Promise<void> {
  const config = JSON.stringify({
    name: "Bench",
    model: "openai-compatible:bench",
    tools: ["calculate"],
    max_iterations: 100,
    loop_guard: { enabled: false },
  });
  await database.user.create({ data: { id: "u1", name: "Ada", email: "ada@example.test" } });
  await database.agent.create({ data: { id: "bench" } });
  await database.agentVersion.create({
    data: { id: "av1", agentId: "bench", number: 1, config, configHash: "bench" },
  });
  await database.agent.update({ where: { id: "bench" }, data: { currentVersionId: "av1" } });
}
