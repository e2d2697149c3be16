import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { FieldProblem } from "@/lib/schema/app-error";
import { MEMORY_TOOL_NAMES } from "@/lib/tools/memory/memory-tools";
import { isToolNamed } from "@/lib/tools/offer-tools";

/** Settings that have no effect because the agent has no backend and therefore no files. */
export function warnWithoutBackend(config: AgentConfig): FieldProblem[] {
  if (config.backend !== null) return [];
  const checks: readonly [path: string, isSet: boolean, what: string][] = [
    ["type", config.type === "open", "prompt files of its users"],
    ["memory", config.memory.paths.length > 0 || config.memory.recall.enabled, "memory"],
    ["tools", MEMORY_TOOL_NAMES.some((name) => isToolNamed(config, name)), "memory tools"],
    ["skills", config.skills.paths.length > 0, "skills"],
  ];
  return checks.flatMap(([path, isSet, what]) =>
    isSet ? [{ path, message: `Without a backend the agent has no ${what}.` }] : [],
  );
}
