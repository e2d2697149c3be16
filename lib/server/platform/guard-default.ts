import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { GuardMode } from "@/lib/schema/settings/guard-mode";
import { processState } from "./process-state";

/** The mode in the settings, for agents that do not choose one. */
function installed(): { mode: GuardMode } {
  return processState("guard-default", () => ({ mode: "warn" as GuardMode }));
}

export function setGuardDefault(mode: GuardMode): void {
  installed().mode = mode;
}

/** How messages to the agent are currently guarded. */
export function guardModeOf({ guard: { mode } }: Pick<AgentConfig, "guard">): GuardMode {
  return mode === "default" ? installed().mode : mode;
}
