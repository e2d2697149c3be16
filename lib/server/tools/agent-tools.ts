import "server-only";
import picomatch from "picomatch";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { WEB_SEARCH } from "@/lib/schema/tools/tool-display";
import { extensionTools } from "@/lib/server/extensions/extension-tools";
import type { Services } from "@/lib/server/platform/services";
import { builtinTools } from "@/lib/tools/builtin-tools";
import { WEB_FETCH } from "@/lib/tools/web/web-tools";
import { listHttpTools } from "./http/list-http-tools";

/**
 * The tools an agent has through its own list: built-in ones, those of extensions, registered callbacks, and the
 * accepted ones of its MCP servers. Hooks add theirs to a run.
 */
export async function agentTools(
  services: Services,
  config: Pick<AgentConfig, "tools" | "mcp_servers" | "web">,
): Promise<Tool[]> {
  const isListed = toolFilter(config.tools);
  const isOnline = isListed(WEB_FETCH) || isListed(WEB_SEARCH);
  const builtin = [...builtinTools(), ...(isOnline ? await webToolsOf(config) : []), ...extensionTools()];
  const listed = builtin.filter(({ name }) => isListed(name));
  const { tools } = config;
  const asked = Array.isArray(tools) ? tools : tools.allow;
  const hasOthers = asked.some((asks) => !builtin.some(({ name }) => name === asks));
  if (!hasOthers) return listed;
  const [http, mcp] = await Promise.all([listHttpTools(services), toolsOfServers(services, config.mcp_servers)]);
  const others = [...http, ...mcp].filter(({ name }) => isListed(name));
  return [...listed, ...others.filter(({ name }) => !listed.some((tool) => tool.name === name))];
}

/** Loads nothing for agents without web tools. */
async function webToolsOf(config: Pick<AgentConfig, "web" | "tools">): Promise<Tool[]> {
  const { webTools } = await import("./web/web-tools");
  return webTools(config);
}

/** Loads nothing for agents without servers. */
async function toolsOfServers(services: Services, serverIds: readonly string[]): Promise<Tool[]> {
  if (serverIds.length === 0) return [];
  const { listMcpTools } = await import("./mcp/mcp-tools");
  return listMcpTools(services, serverIds);
}

/**
 * Whether the list includes a tool; names may be globs, and anything that matches `deny` is excluded whatever `allow`
 * says.
 */
export function toolFilter(tools: AgentConfig["tools"]): (name: string) => boolean {
  const { allow, deny } = Array.isArray(tools) ? { allow: tools, deny: [] } : tools;
  if (allow.length === 0) return () => false;
  const isAllowed = picomatch(allow);
  const isDenied = deny.length > 0 ? picomatch(deny) : () => false;
  return (name) => isAllowed(name) && !isDenied(name);
}
