import picomatch from "picomatch";
import type { RunContext } from "@/lib/agent/run-context";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";

/** Offers a hook's tools to the model, except those that the agent's `tools.deny` names (globs such as `edit_*`). */
export function offerTools(tools: readonly Tool[], context: RunContext): void {
  const { tools: selection } = context.config;
  const denied = Array.isArray(selection) ? [] : selection.deny;
  const isDenied = denied.length > 0 ? picomatch(denied) : () => false;
  for (const tool of tools) if (!isDenied(tool.name)) context.registerTool(tool);
}

/** Whether the agent's `tools` name a tool, by a glob too, and do not deny it. */
export function isToolNamed({ tools }: Pick<AgentConfig, "tools">, name: string): boolean {
  const { allow, deny } = Array.isArray(tools) ? { allow: tools, deny: [] } : tools;
  const matches = (patterns: readonly string[]) => patterns.length > 0 && picomatch([...patterns])(name);
  return matches(allow) && !matches(deny);
}
