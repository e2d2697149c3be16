import { processState } from "@/lib/server/platform/process-state";

const state = processState("memory-revision", () => ({ revision: 0 }));

/**
 * Counts what people, in any process, have changed in memory documents: a run whose prompt contains some reads them
 * again when the number is another one. One number for all workspaces, because people change memory rarely.
 */
export function memoryRevision(): number {
  return state.revision;
}

export function countMemoryChange(): void {
  state.revision += 1;
}
