import type { LoadTitles } from "@/lib/server/threads/title-thread";

/** Loaded lazily so that a process that writes no titles does not load the host. */
export const loadTitles: LoadTitles = async (services) => {
  const [{ writeTitle }, { processCompaction }] = await Promise.all([
    import("@/lib/server/engine/titles/write-title"),
    import("./process-host"),
  ]);
  return (run, turn) => writeTitle(processCompaction(services), run, turn);
};
