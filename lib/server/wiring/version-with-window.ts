import "server-only";
import { confine } from "@/lib/server/agents/config/confine";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { triggerRulesOf } from "@/lib/server/engine/run-input";
import type { Services } from "@/lib/server/platform/services";
import { contextWindowOfRun } from "@/lib/server/providers/run-window";

/** The version with the config that the run uses, including its computed context window. */
export async function versionWithWindow(
  services: Services,
  run: ClaimedRun,
  version: AgentVersion,
): Promise<AgentVersion> {
  const own = confinedVersion(run, versionOfRun(run, version));
  const window = await contextWindowOfRun(services, own.config, run.modelOverride);
  return { ...own, config: { ...own.config, context_window: window } };
}

/**
 * A run from outside, and its descendants, can do at most what mode `default` allows, on their own files and without
 * memory.
 */
function confinedVersion(run: ClaimedRun, version: AgentVersion): AgentVersion {
  return triggerRulesOf(run)?.isConfined ? { ...version, config: confine(version.config) } : version;
}
