import picomatch from "picomatch";
import type { Subagents } from "@/lib/agent/subagents";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { delegateTools } from "@/lib/tools/delegate";
import { backgroundTools, type FindSpan, taskTool } from "@/lib/tools/task";

/** `task`, `delegate` and their companions as an agent has them, without those in `tools.deny`. */
export function offeredTaskTools(
  config: AgentConfig,
  subagents: Subagents,
  findSpan: FindSpan,
  more: readonly Tool[] = [],
): Tool[] {
  const { offered, delegates } = subagents;
  if (offered.length === 0 && delegates.length === 0) return [];
  const denied = Array.isArray(config.tools) ? [] : config.tools.deny;
  const isDenied = denied.length > 0 ? picomatch(denied) : () => false;
  const tools = [
    ...(offered.length === 0 ? [] : [taskTool(subagents, findSpan)]),
    ...(delegates.length === 0 ? [] : delegateTools(subagents, findSpan)),
    ...more,
    ...backgroundTools(subagents),
  ];
  return tools.filter(({ name }) => !isDenied(name));
}
