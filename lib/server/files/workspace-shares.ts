import { createMemoryIndex, type MemoryIndex } from "@/lib/tools/memory-index";
import { createFileLock, type FileLock } from "@/lib/tools/workspace-files";
import { processState } from "../process-state";

/** What all runs of this process share of a workspace. */
export interface WorkspaceShares {
  /** Makes two runs that change the same file wait for each other. */
  readonly fileLock: FileLock;
  readonly memoryIndex: MemoryIndex;
}

const MAX_INDEXES = 100;

const lock = processState("file-lock", createFileLock);
const indexes = processState("memory-indexes", () => new Map<string, MemoryIndex>());

/** The index is the workspace's own and is kept while it is among those used last. */
export function workspaceShares(workspaceId: string): WorkspaceShares {
  const memoryIndex = indexes.get(workspaceId) ?? createMemoryIndex();
  indexes.delete(workspaceId);
  indexes.set(workspaceId, memoryIndex);
  if (indexes.size > MAX_INDEXES) indexes.delete(indexes.keys().next().value ?? "");
  return { memoryIndex, fileLock: (path, work) => lock(`${workspaceId}:${path}`, work) };
}
