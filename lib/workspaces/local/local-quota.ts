import { promises as fs } from "node:fs";
import type { CommandResult } from "@/lib/agent/workspace/workspace";
import type { WorkspaceLimits } from "@/lib/workspaces/limits";
import { quotaError } from "@/lib/workspaces/refusals";
import type { FastMeasure } from "./disk-usage";
import type { LocalRoot } from "./local-root";
import { ENTRY_BYTES, measureUsage } from "./local-usage";

/** How long a measurement is trusted, because others (a second run, a person) change the same files. */
const MEASURED_FOR_MS = 30_000;

/** Above this many entries `du` is used, if available. */
const FEW_ENTRIES = 4_000;

export type SpaceReason = Extract<CommandResult["stopped"], "quota" | "disk full">;

/** Keeps a workspace within its quota. */
export interface LocalQuota {
  readonly limits: WorkspaceLimits;
  /** Throws WorkspaceError if a write that adds `growth` bytes would exceed the quota. */
  admit(growth: number): Promise<void>;
  /** Measures again; true if the workspace is over its quota. */
  measure(): Promise<boolean>;
  /** Whether the last known size exceeds the quota; measures only if there is no measurement yet. */
  isFull(): Promise<boolean>;
  /** Called when a command starts; the returned function, called while it runs, returns why to stop it, or null. */
  watchDisk(): Promise<() => Promise<SpaceReason | null>>;
}

export function createLocalQuota(root: LocalRoot, limits: WorkspaceLimits, fast: FastMeasure | null): LocalQuota {
  let usedBytes: number | null = null;
  let measuredAt = 0;
  const measure = async () => {
    usedBytes = await measureAll(root, limits.quotaBytes, fast);
    measuredAt = performance.now();
    return usedBytes > limits.quotaBytes;
  };
  const isStale = () => usedBytes === null || performance.now() - measuredAt > MEASURED_FOR_MS;
  return {
    limits,
    measure,
    async isFull() {
      return usedBytes === null ? measure() : usedBytes > limits.quotaBytes;
    },
    async admit(growth) {
      const isOver = () => growth > 0 && (usedBytes ?? 0) + growth > limits.quotaBytes;
      if (isStale() || isOver()) await measure();
      if (isOver()) throw quotaError(limits);
      usedBytes = (usedBytes ?? 0) + Math.max(0, growth);
    },
    async watchDisk() {
      const start = await diskSpace(root);
      const room = limits.quotaBytes - (usedBytes ?? 0);
      return async () => {
        const now = await diskSpace(root);
        if (now.bytes < limits.reservedDiskBytes && now.bytes < start.bytes) return "disk full";
        const taken = start.bytes - now.bytes + (start.entries - now.entries) * ENTRY_BYTES;
        return taken > room && (await measure()) ? "quota" : null;
      };
    },
  };
}

async function measureAll(root: LocalRoot, enough: number, fast: FastMeasure | null): Promise<number> {
  const few = await measureUsage(root, { bytes: enough, entries: fast ? FEW_ENTRIES : Number.POSITIVE_INFINITY });
  if (few !== null) return few;
  const quick = await fast?.();
  if (typeof quick === "number") return quick;
  return (await measureUsage(root, { bytes: enough, entries: Number.POSITIVE_INFINITY })) ?? 0;
}

/** The free space on the workspace's disk. */
async function diskSpace(root: LocalRoot): Promise<{ bytes: number; entries: number }> {
  const { bavail, bsize, ffree } = await fs.statfs(root.path);
  return { bytes: bavail * bsize, entries: ffree };
}
