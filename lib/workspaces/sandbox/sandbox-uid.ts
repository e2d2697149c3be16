import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Above the ids assigned to people, services and containers, below 2^31. */
const HIGH_RANGE = { first: 1_900_000_000, count: 200_000_000 };
/** For a container that maps only the usual 65,536 ids. */
const LOW_RANGE = { first: 20_000, count: 40_000 };

/**
 * The user that owns the files and runs the commands of one workspace: stable across restarts and different for every
 * `key` (except for hash collisions). Null if this process isn't root and can't change users.
 */
export function sandboxUid(key: string): number | null {
  if (process.getuid?.() !== 0) return null;
  const range = mapsId(HIGH_RANGE.first + HIGH_RANGE.count) ? HIGH_RANGE : LOW_RANGE;
  return range.first + (createHash("sha256").update(key).digest().readUInt32BE(0) % range.count);
}

function mapsId(id: number): boolean {
  try {
    const lines = readFileSync("/proc/self/uid_map", "utf8").trim().split("\n");
    return lines.some((line) => {
      const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
      return id >= first && id < first + count;
    });
  } catch {
    return false;
  }
}
