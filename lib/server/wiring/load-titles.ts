import type { LoadTitles } from "@/lib/server/threads/title-thread";

/** A process that writes no titles does not load the host for them. */
export const loadTitles: LoadTitles = async () => {
  const [{ writeTitle }, { processCompaction }] = await Promise.all([
    import("@/lib/server/engine/titles/write-title"),
    import("./process-host"),
  ]);
  return (run, turn) => writeTitle(processCompaction(), run, turn);
};
