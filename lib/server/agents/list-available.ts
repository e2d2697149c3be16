import "server-only";
import { availableHooks } from "@/lib/hooks/available-hooks";
import { findSkills, skillFolders } from "@/lib/hooks/find-skills";
import type { AvailableSkills, AvailableTools } from "@/lib/schema/agent-api";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { database } from "../db";
import { openWorkspace } from "../files/open-workspace";
import { loadAgentVersion } from "../runs/agent-version";
import { listHttpTools } from "../tools/list-http-tools";
import { describingContext } from "./assemble-agent";

/** Every tool: what may be named in `tools` (builtin, http) and what hooks add (hook). */
export async function listAvailableTools(): Promise<AvailableTools> {
  const builtin = builtinToolInfos().map(({ name, description, parameters, annotations, offered }) => {
    const source = offered.startsWith("named in tools") ? ("builtin" as const) : ("hook" as const);
    return { name, description, parameters, annotations, source, offered };
  });
  const http = (await listHttpTools()).map(({ name, description, parameters, annotations }) => {
    return { name, description, parameters, annotations, source: "http" as const, offered: "named in tools" };
  });
  return { tools: [...builtin, ...http] };
}

/** The built-in hooks in their standard order. */
export function listAvailableHooks() {
  return { hooks: availableHooks() };
}

/** The skills that the caller's runs would find, by agent. Workspaces of a thread's own are left out: they are many. */
export async function listAvailableSkills(ownerId: string): Promise<AvailableSkills> {
  const agents = await database().agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null } },
    orderBy: { id: "asc" },
    select: { id: true, currentVersionId: true },
  });
  const found = await Promise.all(
    agents.map(async ({ id, currentVersionId }) => {
      const { config } = await loadAgentVersion(database(), currentVersionId ?? "");
      const { backend, skills } = config;
      if (!backend || backend.scope === "thread" || skills.paths.length === 0) return [];
      const { workspace } = await openWorkspace(database(), backend, { agentId: id, ownerId, threadId: null });
      const context = describingContext(config, new Map());
      const entries = await findSkills(workspace, skillFolders(skills.paths, backend.workdir), context);
      return entries.map((skill) => ({ ...skill, agent_id: id }));
    }),
  );
  return { skills: found.flat() };
}
