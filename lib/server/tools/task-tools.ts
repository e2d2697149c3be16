import picomatch from "picomatch";
import type { Subagents } from "@/lib/agent/subagents";
import type { Tool } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { type FindSpan, taskTools } from "@/lib/tools/task";

/** `task` and its companions as an agent has them: with subagents, without what `tools.deny` names. */
export function offeredTaskTools(config: AgentConfig, subagents: Subagents, findSpan: FindSpan): Tool[] {
  if (subagents.offered.length === 0) return [];
  const denied = Array.isArray(config.tools) ? [] : config.tools.deny;
  const isDenied = denied.length > 0 ? picomatch(denied) : () => false;
  return taskTools(subagents, findSpan).filter(({ name }) => !isDenied(name));
}
