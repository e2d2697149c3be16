import "server-only";
import type { AgentDetail, ConfigProblem, RawConfig } from "@/lib/schema/agents/agent-api";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { database } from "@/lib/server/platform/db/database";
import { findWarnings } from "./config/find-warnings";
import { readConfigObject, readConfigYaml } from "./config/read-config";
import { getAgentInfo } from "./describe-agent";
import { getCurrentVersion } from "./publish-version";

/** An agent for the editor; its config and YAML are for admins. Throws `not_found`. */
export async function getAgentDetail(agentId: string, viewer: Viewer): Promise<AgentDetail> {
  const [info, { raw, yaml }, row] = await Promise.all([
    getAgentInfo(agentId, viewer),
    getCurrentVersion(agentId),
    database().agent.findUniqueOrThrow({ where: { id: agentId }, select: { updatedAt: true } }),
  ]);
  const isAdmin = hasAdminScope(viewer);
  return {
    ...info,
    updatedAt: row.updatedAt.toISOString(),
    config: isAdmin ? raw : null,
    yaml: isAdmin ? yaml : null,
  };
}

/** Every problem of a config, and a warning for each part of a valid config that does not work as written. */
export async function validateConfig(given: { config?: RawConfig; yaml?: string }): Promise<ConfigProblem[]> {
  const read = given.yaml === undefined ? readConfigObject(given.config ?? {}) : readConfigYaml(given.yaml);
  const found = read.config ? await findWarnings(read.config) : [];
  const warnings = found.map((problem) => ({ ...problem, severity: "warning" as const, ...read.locate(problem.path) }));
  return [...read.problems, ...warnings];
}
