import type { LocalQuota, SpaceReason } from "@/lib/workspaces/local/local-quota";
import { treeMemoryBytes, unownedMemoryBytes } from "./memory-watch";
import type { StopReason } from "./run-process";

const INTERVAL_MS = 200;

interface Watched {
  readonly memoryBytes: number;
  /** The limit for /tmp and /dev/shm together, which also use memory. */
  readonly temporaryBytes: number;
  /** From `LocalQuota.watchDisk`; null if the disk need not be watched. */
  readonly spaceReason: (() => Promise<SpaceReason | null>) | null;
}

/** Stops a command whose processes together exceed their memory or disk limit, which no rlimit can detect. */
export function watchCommand(watched: Watched) {
  return (pid: number, stop: (reason: StopReason) => void): (() => void) => {
    let timer = setTimeout(look, INTERVAL_MS);
    let isWatching = true;
    const lowest = createLowest(unownedMemoryBytes());
    async function look() {
      const reason = await exceeded(pid, watched, lowest).catch(() => null);
      if (!isWatching) return;
      if (reason) stop(reason);
      else timer = setTimeout(look, INTERVAL_MS);
    }
    return () => {
      isWatching = false;
      clearTimeout(timer);
    };
  };
}

/**
 * Tracks the minimum of a figure as the baseline. Memory of an earlier command may still be freed when the next one
 * starts; with that as the baseline, the new command's memory would not show.
 */
function createLowest(first: Promise<number | null>) {
  let lowest: number | null = null;
  return async (now: number): Promise<number> => {
    lowest = Math.min(lowest ?? (await first) ?? now, now);
    return lowest;
  };
}

async function exceeded(
  pid: number,
  watched: Watched,
  lowest: (now: number) => Promise<number>,
): Promise<StopReason | null> {
  const owned = (await treeMemoryBytes(pid)) ?? 0;
  if (owned > watched.memoryBytes) return "memory limit";
  const unowned = (await unownedMemoryBytes()) ?? 0;
  if (unowned - (await lowest(unowned)) > watched.memoryBytes + watched.temporaryBytes) return "memory limit";
  return (await watched.spaceReason?.()) ?? null;
}

/** How to start a command so that its workspace stays within the quota. */
export async function startQuota(
  quota: LocalQuota,
): Promise<{ deleteOnly: boolean; spaceReason: Watched["spaceReason"] }> {
  const deleteOnly = await quota.isFull();
  return { deleteOnly, spaceReason: deleteOnly ? null : await quota.watchDisk() };
}
