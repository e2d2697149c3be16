import { addCost, addUsage, showUsage, totalTokens, type Usage } from "@/lib/schema/runs/usage";
import { USAGE_COLUMNS, usageOfRow } from "@/lib/server/engine/run-row";

/** The thread columns with the usage of its ended runs and the model that answered last (S4 phase 6). */
export const THREAD_USAGE_FIELDS = { model: true, ...USAGE_COLUMNS } as const;

interface ThreadUsageRow extends Usage {
  readonly model: string | null;
  readonly costUsd: number | null;
}

interface UsingRun extends Usage {
  readonly endedAt: Date | null;
}

/**
 * A thread's usage: its ended runs from its own row, plus the tokens used so far by the unfinished ones in `runs`.
 * `costUsd` covers the ended runs only, null if a price is unknown.
 */
export function usageOfThread(thread: ThreadUsageRow, runs: readonly UsingRun[]) {
  const open = runs.filter(({ endedAt }) => endedAt === null);
  const usage = open.map(usageOfRow).reduce(addUsage, usageOfRow(thread));
  return { ...showUsage(usage), totalTokens: totalTokens(usage), costUsd: addCost(thread.costUsd, 0) };
}

/** The `provider` of a `provider:model`. */
export function providerOf(model: string | null): string | null {
  return model?.split(":", 1)[0] ?? null;
}
