import picomatch from "picomatch";
import type { RunContext } from "@/lib/agent/run-context";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";

/** Offers a hook's tools to the model, except those matched by the agent's `tools.deny` (globs such as `edit_*`). */
export function offerTools(tools: readonly Tool[], context: RunContext): void {
  const { tools: selection } = context.config;
  const denied = Array.isArray(selection) ? [] : selection.deny;
  const isDenied = denied.length > 0 ? picomatch(denied) : () => false;
  for (const tool of tools) if (!isDenied(tool.name)) context.registerTool(tool);
}

const IS_GLOB = /[*?[\]{}()!+@]/;

/** Whether the agent's `tools` include the tool, by name or glob, and do not deny it. */
export function isToolNamed({ tools }: Pick<AgentConfig, "tools">, name: string): boolean {
  const { allow, deny } = Array.isArray(tools) ? { allow: tools, deny: [] } : tools;
  // Most agents list neither the tool nor a glob, so no matcher is needed.
  if (!allow.some((pattern) => pattern === name || IS_GLOB.test(pattern))) return false;
  const matches = (patterns: readonly string[]) => patterns.length > 0 && picomatch([...patterns])(name);
  return matches(allow) && !matches(deny);
}
