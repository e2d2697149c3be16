import { promises as fs } from "node:fs";

/**
 * Memory of all processes below `pid` that no file could give back, in bytes. The limit of `prlimit` is one process's,
 * and counts no shared memory. Null where the system doesn't tell (no /proc).
 */
export async function treeMemoryBytes(pid: number): Promise<number | null> {
  const children = await childrenOf(pid);
  if (children === null) return null;
  let bytes = 0;
  for (const pids = [...children]; pids.length > 0; ) {
    const child = pids.pop() ?? 0;
    bytes += await processMemoryBytes(child);
    pids.push(...((await childrenOf(child)) ?? []));
  }
  return bytes;
}

async function childrenOf(pid: number): Promise<number[] | null> {
  try {
    const tasks = await fs.readdir(`/proc/${pid}/task`);
    const lists = await Promise.all(tasks.map((task) => fs.readFile(`/proc/${pid}/task/${task}/children`, "utf8")));
    return lists.flatMap((list) => list.trim().split(" ").filter(Boolean).map(Number));
  } catch {
    return null;
  }
}

async function processMemoryBytes(pid: number): Promise<number> {
  try {
    const status = await fs.readFile(`/proc/${pid}/status`, "utf8");
    const kilobytes = [...status.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm)];
    return kilobytes.reduce((sum, [, value]) => sum + Number(value) * 1_024, 0);
  } catch {
    return 0;
  }
}

/**
 * Memory of the whole machine that belongs to no process: shared memory, memfds, files in /tmp, and what the kernel
 * keeps for them. A command that hides memory there is noticed by its growth.
 */
export async function unownedMemoryBytes(): Promise<number | null> {
  try {
    const info = await fs.readFile("/proc/meminfo", "utf8");
    const kilobytes = [...info.matchAll(/^(?:Shmem|SUnreclaim):\s+(\d+) kB$/gm)];
    return kilobytes.reduce((sum, [, value]) => sum + Number(value) * 1_024, 0);
  } catch {
    return null;
  }
}
