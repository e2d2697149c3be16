import { processState } from "@/lib/server/platform/process-state";

const state = processState("memory-revision", () => ({ revision: 0 }));

/**
 * The number of changes that people have made to memory documents, in any process. A run whose prompt contains documents
 * reads them again when the number has changed. It is one number for all workspaces, because such changes are rare.
 */
export function memoryRevision(): number {
  return state.revision;
}

export function countMemoryChange(): void {
  state.revision += 1;
}
