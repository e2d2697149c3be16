import type { LoadCompaction } from "@/lib/server/threads/compact-thread";

/** Loaded lazily so that a route that rarely compacts does not load the host. */
export const loadCompaction: LoadCompaction = async (services) => {
  const [{ compactHistory }, { processCompaction }] = await Promise.all([
    import("@/lib/server/engine/compaction/compact-history"),
    import("./process-host"),
  ]);
  return (request) => compactHistory(processCompaction(services), request);
};
