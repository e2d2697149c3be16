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

const IS_GLOB = /[*?[\]{}()!+@]/;

/** Whether the agent's `tools` name a tool, by a glob too, and do not deny it. */
export function isToolNamed({ tools }: Pick<AgentConfig, "tools">, name: string): boolean {
  const { allow, deny } = Array.isArray(tools) ? { allow: tools, deny: [] } : tools;
  // Most agents name neither the tool nor a glob: they need no matcher.
  if (!allow.some((pattern) => pattern === name || IS_GLOB.test(pattern))) return false;
  const matches = (patterns: readonly string[]) => patterns.length > 0 && picomatch([...patterns])(name);
  return matches(allow) && !matches(deny);
}
