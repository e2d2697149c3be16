import { hookPhases } from "@/lib/agent/hooks/hook-phases";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { NO_WORKSPACE } from "@/lib/tools/files/no-workspace";
import type { HookDefinition, StandardHookOptions } from "./hook-table";
import { allHooks } from "./standard-hooks";

/** A hook that an agent's `hooks` may name. */
export interface AvailableHook {
  readonly name: string;
  readonly description: string;
  /** Wire spelling (D-35), in running order. */
  readonly phases: readonly string[];
}

/** Every built-in hook, in S0's registration order, then those of the extensions. */
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
  return allHooks().map((definition) => ({
    name: definition.name,
    description: definition.description,
    phases: phasesOf(definition, options),
  }));
}

/** A hook that needs settings can't be created without them, so its phases are not known here. */
function phasesOf(definition: HookDefinition, options: StandardHookOptions): string[] {
  try {
    const hook = definition.create(options, {});
    return hook ? hookPhases(hook) : [];
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
