import type { LocalQuota } from "./local-quota";
import { treeMemoryBytes } from "./memory-watch";
import type { StopReason } from "./run-process";

const INTERVAL_MS = 200;

interface Watched {
  readonly memoryBytes: number;
  /** From `LocalQuota.watchDisk`; null when the disk needs no watching. */
  readonly isDiskFull: (() => Promise<boolean>) | null;
}

/** Ends a command whose processes together take more memory or disk than they may, which no rlimit can see. */
export function watchCommand(watched: Watched) {
  return (pid: number, stop: (reason: StopReason) => void): (() => void) => {
    let timer = setTimeout(look, INTERVAL_MS);
    let isWatching = true;
    async function look() {
      const reason = await exceeded(pid, watched).catch(() => null);
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

async function exceeded(pid: number, { memoryBytes, isDiskFull }: Watched): Promise<StopReason | null> {
  const memory = await treeMemoryBytes(pid);
  if (memory !== null && memory > memoryBytes) return "memory limit";
  return (await isDiskFull?.()) ? "quota" : null;
}

/** What a command is started with so that its workspace stays within the quota. */
export async function startQuota(
  quota: LocalQuota,
): Promise<{ deleteOnly: boolean; isDiskFull: Watched["isDiskFull"] }> {
  const deleteOnly = await quota.isFull();
  return { deleteOnly, isDiskFull: deleteOnly ? null : await quota.watchDisk() };
}
