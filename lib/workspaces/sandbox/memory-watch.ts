import { promises as fs } from "node:fs";

/**
 * Memory in bytes of all processes below `pid` that can't be reclaimed from files. The limit of `prlimit` applies to a
 * single process and excludes shared memory. Null if the system doesn't report it (no /proc).
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
 * Memory of the whole machine that belongs to no process: shared memory, memfds, files in /tmp, and the kernel's data
 * about them. Its growth reveals a command that hides memory there.
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
