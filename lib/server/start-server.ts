import "server-only";
import { importAgentsFile } from "./agents/import-agents";
import { seedAgents } from "./agents/seed-agents";
import { makeSetUpLink } from "./auth/set-up";
import { logger } from "./logger";
import { startProcessHost, stopProcessHost } from "./runs/process-host";
import { announceStart } from "./start-facts";
import { ensureFirstAdmin } from "./users/first-admin";
import { ensureServiceUser } from "./users/service-user";

const EXIT_AFTER_MS = 9_500;

/** What a process does once before it serves: its first users and agents, then the runs that wait for it. */
export async function startServer(): Promise<void> {
  stopOnSignals();
  await ensureServiceUser();
  await ensureFirstAdmin();
  await seedAgents();
  await importAgentsFile();
  await startProcessHost();
  await announceStart();
  const link = await makeSetUpLink();
  if (link !== null)
    process.stderr.write(`\nNobody is an administrator yet. Open this link to become one:\n  ${link}\n`);
}

function stopOnSignals(): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger().info({ signal }, "shutting down");
    setTimeout(() => process.exit(1), EXIT_AFTER_MS).unref();
    stopProcessHost().then(
      () => process.exit(0),
      (error: unknown) => {
        logger().error({ err: error }, "could not shut down in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
