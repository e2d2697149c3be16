import type { CompactionDependencies } from "@/lib/server/engine/compaction/compact-history";

/** What compacting a thread needs from this process. A route that seldom compacts does not load the host for it. */
export async function loadCompaction(): Promise<CompactionDependencies> {
  const { processCompaction } = await import("./process-host");
  return processCompaction();
}
