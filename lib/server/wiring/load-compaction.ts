import type { LoadCompaction } from "@/lib/server/threads/compact-thread";

/** A route that seldom compacts does not load the host for it. */
export const loadCompaction: LoadCompaction = async () => {
  const [{ compactHistory }, { processCompaction }] = await Promise.all([
    import("@/lib/server/engine/compaction/compact-history"),
    import("./process-host"),
  ]);
  return (request) => compactHistory(processCompaction(), request);
};
