import { memoryRevision } from "@/lib/server/engine/log/memory-revision";
import { type Services, serviceState } from "@/lib/server/platform/services";
import type { FileLock } from "@/lib/tools/files/workspace-files";
import { createMemoryIndex, type MemoryIndex } from "@/lib/tools/memory/memory-index";

/** State shared by all runs in a workspace. */
export interface WorkspaceShares {
  /** Makes two runs that change the same file wait for each other, even across processes. */
  readonly fileLock: FileLock;
  readonly memoryIndex: MemoryIndex;
  /** Changes whenever a person has edited memory. */
  readonly memoryRevision: () => number;
}

const MAX_INDEXES = 100;

const indexesOf = serviceState("memory-indexes", () => new Map<string, MemoryIndex>());

/** The index belongs to the workspace and is cached as long as it is among the most recently used. */
export function workspaceShares(services: Services, workspaceId: string): WorkspaceShares {
  const indexes = indexesOf(services);
  const memoryIndex = indexes.get(workspaceId) ?? createMemoryIndex();
  indexes.delete(workspaceId);
  indexes.set(workspaceId, memoryIndex);
  if (indexes.size > MAX_INDEXES) indexes.delete(indexes.keys().next().value ?? "");
  return {
    memoryIndex,
    memoryRevision,
    fileLock: (path, work) => services.database.exclusive(`file ${workspaceId} ${path}`, work),
  };
}
