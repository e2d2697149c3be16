import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { Health, Status } from "@/lib/schema/status";
import { dockerStatus, sandboxProbe } from "@/lib/server/files/sandbox-probe";
import { DAMAGED, knownDamage } from "@/lib/server/platform/db/damage";
import type { Database } from "@/lib/server/platform/db/database";
import { requireDatabaseFile } from "@/lib/server/platform/db/database-file";
import { isDamaged } from "@/lib/server/platform/db/errors";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { VERSION } from "@/lib/server/platform/version";
import { modelRegistry } from "@/lib/server/providers/models";

const DATABASE_TIMEOUT_MS = 3_000;

/** Whether the process can work; `degraded` with the problem if its database can't be relied on. Never throws. */
export async function getHealth(database: Database): Promise<Health> {
  try {
    await requireDatabaseFile(database);
    const counts = Promise.all([
      database.agent.count({ where: { deletedAt: null } }),
      database.run.count({ where: { status: "running" } }),
    ]);
    const [agents, runs] = await Promise.race([counts, silence()]);
    if (knownDamage() !== null) return degraded("damaged", DAMAGED, { agents, runs });
    return { status: "ok", version: VERSION, agents_loaded: agents, active_runs: runs, database: "ok" };
  } catch (error) {
    if (error instanceof AppError) return degraded("deleted", error.message);
    if (isDamaged(error)) return degraded("damaged", DAMAGED);
    return degraded("unreachable", "The database does not answer.");
  }
}

function degraded(state: Health["database"], problem: string, { agents = 0, runs = 0 } = {}): Health {
  const counts = { agents_loaded: agents, active_runs: runs };
  return { status: "degraded", version: VERSION, ...counts, database: state, problem };
}

/** Rejects after the time in which a working database would have answered. */
function silence(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("The database does not answer.")), DATABASE_TIMEOUT_MS).unref();
  });
}

/** Facts about this installation, for pages. */
export async function getStatus(services: Services): Promise<Status> {
  const registry = modelRegistry(services);
  const { available, reason, remedy } = await sandboxProbe();
  return {
    version: VERSION,
    publicUrl: env().publicUrl,
    database: services.database.dialect.provider,
    sandbox: { available, reason, remedy },
    dockerSandbox: await dockerStatus(),
    defaultModel: await registry.defaultModel().catch(() => null),
    providers: registry.providers().map(({ id, name }) => ({ id, name, configured: true })),
  };
}
