import "server-only";
import picomatch from "picomatch";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ReplayTools, RunPolicy, ToolPolicy } from "@/lib/schema/traces/replay-tools";
import { backendProbe } from "@/lib/server/files/sandbox-probe";
import { MEMORY_TOOL_NAMES } from "@/lib/tools/memory/memory-tools";
import { probeLocalFiles } from "@/lib/workspaces/local/probe-local-files";

/** Tools whose effects all lie in the files of their run. */
const ON_FILES = new Set([
  ...["ls", "read_file", "write_file", "edit_file", "glob", "grep", "view_image"],
  ...MEMORY_TOOL_NAMES,
]);

/** Tools whose effects all lie in the run itself, its plan and its subagents, to which the same applies. */
const IN_RUN = new Set([
  ...["write_todos", "calculate", "skill_search"],
  ...["task", "delegate", "find_agent", "task_status", "task_cancel"],
]);

const COMMANDS = "execute";

/** Finds whether calls of a tool can run on a copy of the files: commands only where they are fenced in. */
export async function sandboxOf({ backend }: Pick<AgentConfig, "backend">): Promise<(tool: string) => boolean> {
  const hasCommands = await hasFencedCommands(backend);
  return (tool) => IN_RUN.has(tool) || (backend !== null && ON_FILES.has(tool)) || (tool === COMMANDS && hasCommands);
}

async function hasFencedCommands(backend: AgentConfig["backend"]): Promise<boolean> {
  if (backend === null || backend.type === "state" || !(await probeLocalFiles()).available) return false;
  const { available, mode } = await backendProbe(backend);
  return available && mode !== null && mode !== "unsafe";
}

/** How calls of a tool are answered. What can't run in the sandbox stays recorded there. */
export function policyOf(tools: ReplayTools, tool: string, canSandbox: (tool: string) => boolean): ToolPolicy {
  const found = Object.entries(tools.per).find(([name]) => name === tool || picomatch.isMatch(tool, name));
  const policy = found?.[1] ?? tools.default;
  return policy === "sandbox" && !canSandbox(tool) ? "recorded" : policy;
}

/** Whether a call may run that works on files. */
export function needsFiles(tools: ReplayTools, canSandbox: (tool: string) => boolean): boolean {
  return [...ON_FILES, COMMANDS].some((tool) => mayRun(tools, tool, canSandbox));
}

/** Whether calls of a tool may really run. */
export function mayRun(tools: ReplayTools, tool: string, canSandbox: (tool: string) => boolean): boolean {
  const policy = policyOf(tools, tool, canSandbox);
  if (policy === "recorded") return tools.on_miss === "ask" || (tools.on_miss === "sandbox" && canSandbox(tool));
  return isRun(policy);
}

/** Whether calls under the policy really run. */
export function isRun(policy: ToolPolicy): policy is RunPolicy {
  return policy === "sandbox" || policy === "live" || policy === "ask";
}
