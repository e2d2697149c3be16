import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";

/** The location of a run or thread, and the files chosen for it; null for the agent's `backend.scope`. */
export interface FilePlace {
  readonly projectId: string | null;
  readonly fileScope: string | null;
}

/**
 * The agent's config with the scope of its files there (D-28): a thread's own if chosen, otherwise the project's in a
 * project, whose members must not see anyone's personal files and memory. Outside of projects `project` means the
 * person's. The config itself if nothing differs.
 */
export function configInPlace(config: AgentConfig, place: FilePlace): AgentConfig {
  const { backend } = config;
  if (backend === null) return config;
  const scope = scopeIn(backend.scope, place);
  return scope === backend.scope ? config : { ...config, backend: { ...backend, scope } };
}

const BOARD = "board:";

/** `fileScope` of work on a board's folder. */
export function boardFiles(boardId: string): string {
  return `${BOARD}${boardId}`;
}

/** The board whose folder it works on; null for all others. */
export function sharedBoardOf({ fileScope }: Pick<FilePlace, "fileScope">): string | null {
  return fileScope?.startsWith(BOARD) ? fileScope.slice(BOARD.length) : null;
}

function scopeIn(scope: BackendConfig["scope"], { projectId, fileScope }: FilePlace): BackendConfig["scope"] {
  if (fileScope === "thread") return "thread";
  // All members work on the same files, whatever each of them has elsewhere.
  if (projectId !== null || sharedBoardOf({ fileScope }) !== null) return "project";
  return scope === "project" ? "user" : scope;
}
