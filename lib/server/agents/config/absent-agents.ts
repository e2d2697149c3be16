import "server-only";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";
import type { Database } from "@/lib/server/platform/db/database";

/**
 * Subagents and delegates that a config names and that do not exist, or exist no longer; those that are `coming`, from
 * the same import, do.
 */
export async function absentAgents(
  database: Database,
  { subagents, delegates }: AgentConfig,
  coming: readonly string[],
): Promise<FieldProblem[]> {
  const named = [
    ...subagents.flatMap((entry, index) =>
      typeof entry === "string" ? [{ id: entry, path: `subagents.${index}`, noun: "subagent" }] : [],
    ),
    ...delegates.map((id, index) => ({ id, path: `delegates.${index}`, noun: "delegate" })),
  ];
  if (named.length === 0) return [];
  const where = { id: { in: named.map(({ id }) => id) }, deletedAt: null, currentVersionId: { not: null } };
  const found = await database.agent.findMany({ where, select: { id: true } });
  const present = new Set([...coming, ...found.map(({ id }) => id)]);
  return named
    .filter(({ id }) => !present.has(id))
    .map(({ id, path, noun }) => ({
      path,
      message: `There is no agent "${id}". The agent goes without this ${noun} until there is one.`,
    }));
}
