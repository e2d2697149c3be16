import "server-only";
import { ALL_HOOKS } from "@/lib/server/agents/hooks/hook-table";
import { importAgentsFile } from "@/lib/server/agents/import-agents";
import { offerSeededTools } from "@/lib/server/agents/offer-seeded-tools";
import { seedAgents } from "@/lib/server/agents/seed-agents";
import { startChannels, stopChannels } from "@/lib/server/channels/hold-channels";
import { startOutgoingWebhooks } from "@/lib/server/engine/outgoing/outgoing-webhooks";
import { followOtherProcesses, startExtensions } from "@/lib/server/extensions/extensions";
import { closeContainers, removeLeftContainers } from "@/lib/server/files/docker-backend";
import { sandboxProbe } from "@/lib/server/files/sandbox-probe";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { secretBox } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { startProviders } from "@/lib/server/providers/models";
import { startSettings } from "@/lib/server/settings/settings";
import { seedSkills } from "@/lib/server/skills/seed-skills";
import { startNotifications } from "@/lib/server/triggers/notify/start-notifications";
import { followEndedAccess } from "@/lib/server/users/access-ended";
import { ensureServiceUser } from "@/lib/server/users/service-user";
import { ensureFirstAdmin, makeSetUpLink } from "@/lib/server/users/set-up";
import { limitOldKeys } from "./limit-old-keys";
import { loadCompaction } from "./load-compaction";
import { priceOldReplies } from "./price-old-replies";
import { startProcessHost, stopProcessHost } from "./process-host";
import { readStoredSecrets } from "./secrets-canary";
import { openServices } from "./services";
import { announceStart } from "./start-context";

const EXIT_AFTER_MS = 9_500;

/** One-time work before a process serves: its first users and agents, then the runs waiting for it. */
export async function startServer(): Promise<Services> {
  // The probe runs in a child process while the start goes on; announceStart awaits it and reports its failure.
  sandboxProbe().catch(() => undefined);
  const services = await openServices();
  stopOnSignals(services);
  await ensureServiceUser(services);
  await ensureFirstAdmin(services);
  await startExtensions(ALL_HOOKS.map(({ name }) => name));
  followOtherProcesses();
  followEndedAccess(services);
  await readStoredSecrets(services.database, secretBox());
  await startSettings(services);
  await startNotifications(services);
  await startOutgoingWebhooks(services.database);
  await startProviders(services);
  await seedSkills(services);
  await seedAgents(services);
  await offerSeededTools(services);
  await importAgentsFile(services);
  await priceOldReplies(services.database);
  await limitOldKeys(services.database);
  await removeLeftContainers();
  await startProcessHost(services);
  if (env().role !== "web") await startChannels(services, { loadCompaction });
  await announceStart(services);
  // A worker has no page for the link.
  const link = env().role === "worker" ? null : await makeSetUpLink(services.database);
  if (link !== null)
    process.stderr.write(`\nNobody is an administrator yet. Open this link to become one:\n  ${link}\n`);
  return services;
}

function stopOnSignals(services: Services): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger().info({ signal }, "shutting down");
    setTimeout(() => process.exit(1), EXIT_AFTER_MS).unref();
    stopChannels(services)
      .then(() => stopProcessHost(services))
      .then(closeContainers)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger().error({ err: error }, "could not shut down cleanly");
          process.exit(1);
        },
      );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
