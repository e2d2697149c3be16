import { memoryRevision } from "@/lib/server/engine/log/memory-revision";
import type { Database } from "@/lib/server/platform/db/database";
import { processState } from "@/lib/server/platform/process-state";
import type { FileLock } from "@/lib/tools/files/workspace-files";
import { createMemoryIndex, type MemoryIndex } from "@/lib/tools/memory/memory-index";

/** What all runs in a workspace share. */
export interface WorkspaceShares {
  /** Makes two runs that change the same file wait for each other, even in two processes. */
  readonly fileLock: FileLock;
  readonly memoryIndex: MemoryIndex;
  /** Another number when a person has changed memory since. */
  readonly memoryRevision: () => number;
}

const MAX_INDEXES = 100;

const indexes = processState("memory-indexes", () => new Map<string, MemoryIndex>());

/** The index belongs to the workspace and is kept while it is among the most recently used. */
export function workspaceShares(database: Database, workspaceId: string): WorkspaceShares {
  const memoryIndex = indexes.get(workspaceId) ?? createMemoryIndex();
  indexes.delete(workspaceId);
  indexes.set(workspaceId, memoryIndex);
  if (indexes.size > MAX_INDEXES) indexes.delete(indexes.keys().next().value ?? "");
  return {
    memoryIndex,
    memoryRevision,
    fileLock: (path, work) => database.exclusive(`file ${workspaceId} ${path}`, work),
  };
}
