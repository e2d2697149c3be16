import "server-only";
import type { AgentDetail, ConfigProblem, RawConfig } from "@/lib/schema/agents/agent-api";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { Services } from "@/lib/server/platform/services";
import { findWarnings } from "./config/find-warnings";
import { readConfigObject, readConfigYaml } from "./config/read-config";
import { describeVersion, getAgentInfo } from "./describe-agent";
import { findCreatedAs } from "./drafts/unpublished";
import { getCurrentVersion } from "./publish-version";

/** An agent for the editor; its config and YAML are for admins. Throws `not_found`. */
export async function getAgentDetail(services: Services, agentId: string, viewer: Viewer): Promise<AgentDetail> {
  const isAdmin = hasAdminScope(viewer);
  const created = isAdmin ? await findCreatedAs(services.database, agentId) : null;
  if (created !== null) return unpublishedDetail(services, created, viewer);
  const [info, { raw, yaml }, row] = await Promise.all([
    getAgentInfo(services, agentId, viewer),
    getCurrentVersion(services.database, agentId),
    services.database.agent.findUniqueOrThrow({ where: { id: agentId }, select: { updatedAt: true } }),
  ]);
  return {
    ...info,
    updatedAt: row.updatedAt.toISOString(),
    config: isAdmin ? raw : null,
    yaml: isAdmin ? yaml : null,
  };
}

/** Nothing is published: the editor compares its draft with nothing. */
async function unpublishedDetail(
  services: Services,
  { id, createdAt }: { id: string; createdAt: Date },
  viewer: Viewer,
): Promise<AgentDetail> {
  const info = await describeVersion(services, await loadAgentVersion(services.database, id), viewer);
  return { ...info, updatedAt: createdAt.toISOString(), config: null, yaml: null };
}

/** Every problem of a config, and a warning for each part of a valid config that does not work as written. */
export async function validateConfig(
  services: Services,
  given: { config?: RawConfig; yaml?: string },
): Promise<ConfigProblem[]> {
  const read =
    given.yaml === undefined ? readConfigObject(services, given.config ?? {}) : readConfigYaml(services, given.yaml);
  const found = read.config ? await findWarnings(services, read.config) : [];
  const warnings = found.map((problem) => ({ ...problem, severity: "warning" as const, ...read.locate(problem.path) }));
  return [...read.problems, ...warnings];
}
