import { processState } from "@/lib/server/platform/process-state";

const state = processState("memory-revision", () => ({ revision: 0 }));

/**
 * The number of changes that people, in any process, have made to memory documents. A run whose prompt contains
 * documents reads them again when the number has changed. All workspaces share one number, because such changes are
 * rare.
 */
export function memoryRevision(): number {
  return state.revision;
}

export function countMemoryChange(): void {
  state.revision += 1;
}
