import picomatch from "picomatch";
import type { RunContext } from "@/lib/agent/run-context";
import type { Tool } from "@/lib/agent/tool";

/** Offers a hook's tools to the model, except those that the agent's `tools.deny` names (globs such as `edit_*`). */
export function offerTools(tools: readonly Tool[], context: RunContext): void {
  const { tools: selection } = context.config;
  const denied = Array.isArray(selection) ? [] : selection.deny;
  const isDenied = denied.length > 0 ? picomatch(denied) : () => false;
  for (const tool of tools) if (!isDenied(tool.name)) context.registerTool(tool);
}
