import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";

/** Where a run or thread is, and which files were chosen for it; null: those that the agent's `backend.scope` says. */
export interface FilePlace {
  readonly projectId: string | null;
  readonly fileScope: string | null;
}

/**
 * The agent's config with the scope that its files have there (D-28): a thread's own where they were chosen, otherwise
 * the project's in a project, whose members must not meet anyone's personal files and memory. Outside of projects
 * `project` means the person's. The config itself where nothing differs.
 */
export function configInPlace(config: AgentConfig, place: FilePlace): AgentConfig {
  const { backend } = config;
  if (backend === null) return config;
  const scope = scopeIn(backend.scope, place);
  return scope === backend.scope ? config : { ...config, backend: { ...backend, scope } };
}

function scopeIn(scope: BackendConfig["scope"], { projectId, fileScope }: FilePlace): BackendConfig["scope"] {
  if (fileScope === "thread") return "thread";
  if (projectId !== null) return "project";
  return scope === "project" ? "user" : scope;
}
