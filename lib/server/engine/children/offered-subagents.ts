import type { SubagentInfo } from "@/lib/agent/subagents";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentAccess, selectReachable } from "@/lib/server/platform/db/queries/agent-access";

/** The subagents that a config offers, in its order; agents that can't be reached (any more) are omitted. */
export async function offeredSubagents(
  database: Database,
  config: AgentConfig,
  access: AgentAccess,
): Promise<SubagentInfo[]> {
  const ids = config.subagents.filter((entry) => typeof entry === "string");
  const known = ids.length === 0 ? new Map<string, SubagentInfo>() : await describeAgents(database, ids, access);
  const offered = config.subagents.flatMap((entry): SubagentInfo[] => {
    if (typeof entry !== "string") return [{ name: entry.name, description: entry.description }];
    const info = known.get(entry);
    return info ? [info] : [];
  });
  return offered.filter(({ name }, index) => offered.findIndex((other) => other.name === name) === index);
}

async function describeAgents(
  database: Database,
  ids: readonly string[],
  access: AgentAccess,
): Promise<Map<string, SubagentInfo>> {
  const agents = await selectReachable(database, ids, access);
  const versions = await database.agentVersion.findMany({
    where: { id: { in: agents.flatMap(({ currentVersionId }) => currentVersionId ?? []) } },
    select: { agentId: true, config: true },
  });
  return new Map(versions.map(({ agentId, config: text }) => [agentId, describe(agentId, text)]));
}

function describe(agentId: string, text: string): SubagentInfo {
  const { name, description } = AgentConfig.pick({ name: true, description: true }).strip().parse(JSON.parse(text));
  return { name: agentId, description: description || name };
}
