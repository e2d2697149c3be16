import "server-only";
import type { AgentDetail, ConfigProblem, RawConfig } from "@/lib/schema/agent-api";
import type { Viewer } from "@/lib/schema/user";
import { extensionTools } from "@/lib/server/extensions/extension-tools";
import { extensions } from "@/lib/server/extensions/extensions";
import { explainFailed } from "@/lib/server/extensions/registry";
import { database } from "@/lib/server/platform/db/database";
import { listHttpTools } from "@/lib/server/tools/list-http-tools";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { namedTools } from "./check-available";
import { getAgentInfo } from "./describe-agent";
import { getCurrentVersion } from "./publish-version";
import { type ReadConfig, readConfigObject, readConfigYaml, writeConfigYaml } from "./read-config";
import { warnWithoutBackend } from "./warn-without-backend";

/** An agent for the editor; its config and YAML are for admins. Throws `not_found`. */
export async function getAgentDetail(agentId: string, viewer: Viewer): Promise<AgentDetail> {
  const [info, { raw }, row] = await Promise.all([
    getAgentInfo(agentId, viewer),
    getCurrentVersion(agentId),
    database().agent.findUniqueOrThrow({ where: { id: agentId }, select: { updatedAt: true } }),
  ]);
  const isAdmin = viewer.role === "admin";
  return {
    ...info,
    updatedAt: row.updatedAt.toISOString(),
    config: isAdmin ? raw : null,
    yaml: isAdmin ? writeConfigYaml(raw) : null,
  };
}

/**
 * Every problem of a config, and warnings for what has no effect: tools that don't exist now, files without a place.
 */
export async function validateConfig(given: { config?: RawConfig; yaml?: string }): Promise<ConfigProblem[]> {
  const read = given.yaml === undefined ? readConfigObject(given.config ?? {}) : readConfigYaml(given.yaml);
  const withoutFiles = read.config ? warnWithoutBackend(read.config) : [];
  const warnings = withoutFiles.map((problem) => ({ ...problem, severity: "warning" as const }));
  return [...read.problems, ...warnings, ...(await unknownTools(read))];
}

async function unknownTools({ config }: ReadConfig): Promise<ConfigProblem[]> {
  if (!config) return [];
  const names = [...builtinToolInfos(), ...extensionTools(), ...(await listHttpTools())].map(({ name }) => name);
  const unknown = namedTools(config).filter((name) => !name.includes("*") && !names.includes(name));
  return unknown.map((name) => ({
    path: "tools",
    message:
      explainFailed(name, extensions()) ?? `There is no tool "${name}" now. The agent lacks it until it is registered.`,
    severity: "warning",
  }));
}
