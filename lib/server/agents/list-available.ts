import "server-only";
import { describingContext } from "@/lib/agent/describing-context";
import type { AvailableTools } from "@/lib/schema/agents/agent-api";
import type { AvailableSkills } from "@/lib/schema/skills/available-skills";
import { loadVersionOrNull } from "@/lib/server/engine/agent-version";
import { extensionTools } from "@/lib/server/extensions/extension-tools";
import { type AgentViewer, accessOf, reachableWhere } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { listHttpTools } from "@/lib/server/tools/http/list-http-tools";
import { findSkills, skillFolders } from "@/lib/skills/find-skills";
import { selectedSkills } from "@/lib/skills/skill-settings";
import { builtinToolInfos } from "@/lib/tools/builtin-tools";
import { toolsOfExtensionHook } from "./assemble-agent";
import { availableHooks } from "./hooks/available-hooks";
import { extensionHooks } from "./hooks/extension-hook";
import { createSample, EVERY_HOOK } from "./hooks/sample-hook";
import { viewersWorkspace } from "./viewers-workspace";

/**
 * Every tool: those that may be named in `tools` (builtin, extension, http) and those added by hooks, including
 * extension hooks (hook).
 */
export async function listAvailableTools(services: Services): Promise<AvailableTools> {
  const builtin = builtinToolInfos().map(({ name, description, parameters, annotations, offered }) => {
    const source = offered.startsWith("named in tools") ? ("builtin" as const) : ("hook" as const);
    return { name, description, parameters, annotations, source, offered };
  });
  const http = (await listHttpTools(services)).map(({ name, description, parameters, annotations }) => {
    return { name, description, parameters, annotations, source: "http" as const, offered: "named in tools" };
  });
  const extension = extensionTools().map(({ name, description, parameters, annotations }) => {
    return { name, description, parameters, annotations, source: "extension" as const, offered: "named in tools" };
  });
  return { tools: [...builtin, ...extension, ...(await toolsOfExtensionHooks()), ...http] };
}

async function toolsOfExtensionHooks(): Promise<AvailableTools["tools"]> {
  const lists = extensionHooks().map(async (definition) => {
    const hook = createSample(definition);
    const tools = hook ? await toolsOfExtensionHook(hook, EVERY_HOOK) : [];
    const offered = `with the hook ${definition.name}`;
    return tools.map(({ name, description, parameters, annotations }) => {
      return { name, description, parameters, annotations, source: "hook" as const, offered };
    });
  });
  return (await Promise.all(lists)).flat();
}

/** The built-in hooks in their standard order, then those of the extensions. */
export function listAvailableHooks() {
  return { hooks: availableHooks() };
}

/**
 * The skills that the caller's runs would find, by agent, or for `agentId` only. Agents with a workspace per thread
 * have many workspaces, so only their installed skills are listed.
 */
export async function listAvailableSkills(
  services: Services,
  viewer: AgentViewer,
  agentId?: string,
): Promise<AvailableSkills> {
  const agents = await services.database.agent.findMany({
    where: {
      deletedAt: null,
      currentVersionId: { not: null },
      ...(agentId === undefined ? {} : { id: agentId }),
      ...reachableWhere(accessOf(viewer)),
    },
    orderBy: { id: "asc" },
    select: { id: true, currentVersionId: true },
  });
  const found = await Promise.all(
    agents.map(async ({ id, currentVersionId }) => {
      const version = await loadVersionOrNull(services.database, currentVersionId ?? "");
      if (version === null) return { skills: [], invalid: [] };
      const { config } = version;
      const selection = selectedSkills(config);
      const owner = { agentId: id, ownerId: viewer.id, threadId: null };
      const workspace = selection && (await viewersWorkspace(services, config, owner));
      if (!selection || !workspace) return { skills: [], invalid: [] };
      const invalid: AvailableSkills["invalid"] = [];
      const context = {
        ...describingContext(config, new Map()),
        logLine: (_: string, problem: string, fields?: Record<string, unknown>) =>
          void invalid.push({
            path: String(fields?.path),
            problem: problem.replace("skill skipped: ", ""),
            agent_id: id,
          }),
      };
      const folders = skillFolders(selection.paths, config.backend?.workdir ?? "/workspace");
      const entries = await findSkills(workspace, folders, context);
      const { enabled } = selection;
      const offered = entries.filter(({ name }) => enabled === null || enabled.includes(name));
      return { skills: offered.map((skill) => ({ ...skill, agent_id: id })), invalid };
    }),
  );
  return { skills: found.flatMap(({ skills }) => skills), invalid: found.flatMap(({ invalid }) => invalid) };
}
