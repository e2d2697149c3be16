import "server-only";
import { versionOfRun } from "@/lib/server/agents/version-of-run";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { contextWindowOfRun } from "@/lib/server/providers/run-window";

/** The version with the config that the run goes by, its context window worked out. */
export async function versionWithWindow(run: ClaimedRun, version: AgentVersion): Promise<AgentVersion> {
  const own = versionOfRun(run, version);
  const window = await contextWindowOfRun(own.config, run.modelOverride);
  return { ...own, config: { ...own.config, context_window: window } };
}
