import type { DelegateInfo } from "@/lib/agent/subagents";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentAccess, selectReachable } from "@/lib/server/platform/db/queries/agent-access";

const Described = AgentConfig.pick({ name: true, description: true }).strip();

/** The agents that a config may delegate to, in its order; agents that can't be reached (any more) are omitted. */
export async function offeredDelegates(
  database: Database,
  { delegates }: Pick<AgentConfig, "delegates">,
  access: AgentAccess,
): Promise<DelegateInfo[]> {
  if (delegates.length === 0) return [];
  const agents = await selectReachable(database, [...new Set(delegates)], access);
  const versions = await database.agentVersion.findMany({
    where: { id: { in: agents.flatMap(({ currentVersionId }) => currentVersionId ?? []) } },
    select: { agentId: true, config: true },
  });
  const known = new Map(versions.map(({ agentId, config }) => [agentId, Described.parse(JSON.parse(config))]));
  return [...new Set(delegates)].flatMap((id) => {
    const described = known.get(id);
    return described ? [{ id, ...described }] : [];
  });
}
