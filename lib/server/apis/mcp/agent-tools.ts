import "server-only";
import type { Tool } from "@modelcontextprotocol/server";
import type { Viewer } from "@/lib/schema/users/user";
import { loadVersionOrNull } from "@/lib/server/engine/agent-version";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf, reachableWhere } from "@/lib/server/platform/db/queries/agent-access";
import { TRACE_TOOL_NAMES } from "./trace-tools";

interface AgentTool {
  readonly name: string;
  readonly agentId: string;
  readonly versionId: string;
}

/** The agents that the viewer can reach as tools, by id. */
export async function listAgentTools(database: Database, viewer: Viewer): Promise<Tool[]> {
  const tools = await Promise.all((await agentTools(database, viewer)).map((given) => describe(database, given)));
  return tools.filter((tool) => tool !== null);
}

/** The agent behind a tool's name; null for none that the viewer can reach. */
export async function agentOfTool(database: Database, viewer: Viewer, name: string): Promise<string | null> {
  return (await agentTools(database, viewer)).find((tool) => tool.name === name)?.agentId ?? null;
}

async function agentTools(database: Database, viewer: Viewer): Promise<AgentTool[]> {
  const agents = await database.agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null }, ...reachableWhere(accessOf(viewer)) },
    orderBy: { id: "asc" },
    select: { id: true, currentVersionId: true },
  });
  const names = toolNames(agents.map(({ id }) => id));
  return agents.map(({ id, currentVersionId }) => ({
    name: names.get(id) ?? id,
    agentId: id,
    versionId: currentVersionId ?? "",
  }));
}

/**
 * The tool name of each agent: its id with `_` for `-`. If that is another agent's id or a tool for traces, the id as
 * it is, otherwise with `agent_` before it.
 */
export function toolNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>(TRACE_TOOL_NAMES);
  const unchangedFirst = ids.toSorted((one, other) => Number(one.includes("-")) - Number(other.includes("-")));
  for (const id of unchangedFirst) {
    const name = [id.replaceAll("-", "_"), id].find((free) => !taken.has(free)) ?? `agent_${id}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

async function describe(database: Database, { name, versionId }: AgentTool): Promise<Tool | null> {
  const version = await loadVersionOrNull(database, versionId);
  if (version === null) return null;
  const { name: title, description } = version.config;
  return {
    name,
    title,
    description:
      description.trim() === "" ? `Sends a message to the agent ${title} and returns its answer.` : description,
    inputSchema: {
      type: "object",
      properties: { message: { type: "string", description: "What the agent is to do or answer.", minLength: 1 } },
      required: ["message"],
      additionalProperties: false,
    },
    annotations: { title, openWorldHint: true },
  };
}
