import "server-only";
import type { Viewer } from "@/lib/schema/users/user";
import { listAgentInfos } from "@/lib/server/agents/describe-agent";
import { listAvailableSkills } from "@/lib/server/agents/list-available";
import { chainEnd } from "@/lib/server/audit/audit-chain";
import { sandboxProbe } from "@/lib/server/files/sandbox-probe";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";
import { variablesOfShortSecrets } from "@/lib/server/platform/secrets/known-secrets";
import type { Services } from "@/lib/server/platform/services";
import { VERSION } from "@/lib/server/platform/version";
import { modelRegistry } from "@/lib/server/providers/models";
import { ensureServiceUser } from "@/lib/server/users/service-user";

/** What this process serves, for the log and for the person who started it (D-67). Contains no secrets. */
export interface StartContext {
  readonly version: string;
  readonly publicUrl: string;
  /** `SQLite, <file>` or `Postgres, <host>/<name>`. */
  readonly database: string;
  readonly dataDirectory: string;
  readonly sandbox: string;
  readonly providers: readonly string[];
  /** `skills` counts those in the folders shared by an agent and the service user. */
  readonly agents: readonly { readonly id: string; readonly tools: number; readonly skills: number }[];
}

/** Passes on why the start failed (`start-failure` of process-state): Next goes on, and answers everything with 500. */
export function reportStartFailure(error: unknown): void {
  // Next puts words of its own before the message of the error itself.
  const kept = error instanceof Error ? Object.create(error, { message: { value: error.message } }) : error;
  processState<unknown>("start-failure", () => kept);
}

/** Collects the facts, logs them as one line and passes them to the start script (`start-context` of process-state). */
export async function announceStart(services: Services): Promise<void> {
  const facts = await collectContext(services);
  processState("start-context", () => facts);
  logger().info(facts, "Ringmaster is ready");
  const auditEnd = await chainEnd(services.database);
  if (auditEnd !== null) logger().info(auditEnd, "end of the audit log's chain");
  for (const variable of variablesOfShortSecrets(env()))
    logger().warn({ variable }, "a secret of fewer than 12 characters can't be kept out of traces and logs");
}

async function collectContext(services: Services): Promise<StartContext> {
  const { dataDirectory, databaseUrl, publicUrl } = env();
  const providers = modelRegistry(services).providers();
  return {
    version: VERSION,
    publicUrl,
    database: describeDatabase(databaseUrl),
    dataDirectory,
    sandbox: await describeSandbox(),
    providers: providers.map((provider) => provider.id),
    agents: await countAgents(services),
  };
}

async function countAgents(services: Services): Promise<StartContext["agents"]> {
  const service = await ensureServiceUser(services);
  const viewer: Viewer = { ...service, role: "admin", scopes: ["read", "chat", "admin"] };
  const infos = await listAgentInfos(services, viewer);
  const { skills } = await listAvailableSkills(services, viewer);
  return infos.map(({ id, tools }) => ({
    id,
    tools: tools.length,
    skills: skills.filter((skill) => skill.agent_id === id).length,
  }));
}

async function describeSandbox(): Promise<string> {
  const { available, mode, reason, remedy } = await sandboxProbe();
  if (!available) return `none, so agents can't run commands. ${reason ?? ""} ${remedy ?? ""}`.trim();
  return mode === "bubblewrap" ? "bubblewrap" : "OFF: commands of agents run with the rights of this server";
}

function describeDatabase(url: string): string {
  if (url.startsWith("file:")) return `SQLite, ${url.slice("file:".length)}`;
  const { host, pathname } = new URL(url);
  return `Postgres, ${host}${pathname}`;
}
