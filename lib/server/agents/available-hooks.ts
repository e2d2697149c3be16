import { hookPhases } from "@/lib/agent/hook-phases";
import { AgentConfig } from "@/lib/schema/agent-config";
import { NO_WORKSPACE } from "@/lib/tools/files/no-workspace";
import { ALL_HOOKS, type StandardHookOptions } from "./hook-table";

/** A hook that an agent's `hooks` may name. */
export interface AvailableHook {
  readonly name: string;
  readonly description: string;
  /** Wire spelling (D-35), in order of running. */
  readonly phases: readonly string[];
}

/** Every built-in hook, in S0's registration order. */
export function availableHooks(): AvailableHook[] {
  const options: StandardHookOptions = {
    config: AgentConfig.parse({
      name: "every hook",
      backend: { type: "state" },
      skills: { paths: ["skills"] },
      memory: { paths: ["AGENTS.md"] },
      prompt: { mode: "full" },
      permissions: { enabled: true },
      inject_context: "Context.",
    }),
    workspace: NO_WORKSPACE,
    fileHistory: null,
    verboseTrace: false,
  };
  return ALL_HOOKS.map((definition) => {
    const hook = definition.create(options, {});
    return { name: definition.name, description: definition.description, phases: hook ? hookPhases(hook) : [] };
  });
}
