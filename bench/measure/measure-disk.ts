import { closeSync, fdatasyncSync, openSync, writeSync } from "node:fs";
import path from "node:path";
import { median } from "../statistics";

/** The cost of one `fdatasync` of a small append on the disk that holds the database; ms. */
export function measureDiskSync(directory: string): number {
  const file = openSync(path.join(directory, "sync-probe"), "w");
  const samples = Array.from({ length: 50 }, () => {
    writeSync(file, "x".repeat(4_096));
    const startedAt = performance.now();
    fdatasyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  return median(samples);
}
