import "server-only";
import type { Health, Status } from "@/lib/schema/status";
import { sandboxProbe } from "@/lib/server/files/sandbox-probe";
import { database } from "@/lib/server/platform/db/database";
import { requireDatabaseFile } from "@/lib/server/platform/db/database-file";
import { env } from "@/lib/server/platform/env";
import { VERSION } from "@/lib/server/platform/version";
import { modelRegistry } from "@/lib/server/providers/models";

const DATABASE_TIMEOUT_MS = 3_000;

/** Whether the process can work; a database that does not answer makes it `degraded`. Never throws. */
export async function getHealth(): Promise<Health> {
  try {
    await requireDatabaseFile(database());
    const counts = Promise.all([
      database().agent.count({ where: { deletedAt: null } }),
      database().run.count({ where: { status: "running" } }),
    ]);
    const [agents, runs] = await Promise.race([counts, silence()]);
    return { status: "ok", version: VERSION, agents_loaded: agents, active_runs: runs, database: "ok" };
  } catch {
    return { status: "degraded", version: VERSION, agents_loaded: 0, active_runs: 0, database: "unreachable" };
  }
}

/** Rejects when a working database would have answered. */
function silence(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("The database does not answer.")), DATABASE_TIMEOUT_MS).unref();
  });
}

/** What this installation runs on, for pages. */
export async function getStatus(): Promise<Status> {
  const registry = modelRegistry();
  const { available, reason, remedy } = await sandboxProbe();
  return {
    version: VERSION,
    publicUrl: env().publicUrl,
    database: database().dialect.provider,
    sandbox: { available, reason, remedy },
    defaultModel: await registry.defaultModel().catch(() => null),
    providers: registry.providers().map(({ id, name, configured }) => ({ id, name, configured })),
  };
}
