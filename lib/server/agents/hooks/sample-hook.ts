import type { Hook } from "@/lib/agent/hooks/hook";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { NO_WORKSPACE } from "@/lib/tools/files/no-workspace";
import type { HookDefinition, StandardHookOptions } from "./hook-table";
import { sampleSettings } from "./sample-settings";

/** An agent whose settings make every hook do something. */
export const EVERY_HOOK = AgentConfig.parse({
  name: "every hook",
  backend: { type: "state" },
  skills: { paths: ["skills"] },
  memory: { paths: ["AGENTS.md"] },
  prompt: { mode: "full" },
  permissions: { enabled: true },
  inject_context: "Context.",
});

const OPTIONS: StandardHookOptions = {
  config: EVERY_HOOK,
  workspace: NO_WORKSPACE,
  fileHistory: null,
  verboseTrace: false,
};

/** The hook with the smallest settings it accepts; null if it rejects them. */
export function createSample(definition: HookDefinition): Hook | null {
  try {
    return definition.create(OPTIONS, sampleSettings(definition.configSchema));
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
