import "server-only";
import { confine } from "@/lib/server/agents/config/confine";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { triggerRulesOf } from "@/lib/server/engine/run-input";
import { contextWindowOfRun } from "@/lib/server/providers/run-window";

/** The version with the config that the run goes by, its context window worked out. */
export async function versionWithWindow(run: ClaimedRun, version: AgentVersion): Promise<AgentVersion> {
  const own = confinedVersion(run, versionOfRun(run, version));
  const window = await contextWindowOfRun(own.config, run.modelOverride);
  return { ...own, config: { ...own.config, context_window: window } };
}

/** A run from outside, and those below it, can at most what the mode `default` allows, on files of their own, without memory. */
function confinedVersion(run: ClaimedRun, version: AgentVersion): AgentVersion {
  return triggerRulesOf(run)?.isConfined ? { ...version, config: confine(version.config) } : version;
}
