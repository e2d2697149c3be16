import { readFileSync } from "node:fs";

/** The memory that a process has in RAM, in MB of a million bytes. Linux only. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = ""] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round((Number(kilobytes) * 1_024) / 1_000_000);
}
