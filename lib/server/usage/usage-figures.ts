import { addCost } from "@/lib/schema/runs/usage";
import type { UsageFigures } from "@/lib/schema/usage/usage-report";
import type { PeriodRun } from "@/lib/server/platform/db/queries/usage/period-runs";

/** Adds up runs. Durations are kept individually, so that the percentiles are exact. */
export class UsageSum {
  #runs = 0;
  #failed = 0;
  #partial = 0;
  #hasUnknown = false;
  #knownCostUsd = 0;
  #unpricedTokens = 0;
  readonly #tokens = { inputTokens: 0, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  readonly #durationsMs: number[] = [];

  add(run: PeriodRun): void {
    this.#runs += 1;
    if (run.status === "failed" || run.status === "interrupted") this.#failed += 1;
    if (run.isUsagePartial) this.#partial += 1;
    for (const name of TOKENS) this.#tokens[name] += run[name];
    this.#addCost(run);
    const { startedAt, endedAt, waitedMs } = run;
    if (startedAt && endedAt) this.#durationsMs.push(Math.max(0, endedAt.getTime() - startedAt.getTime() - waitedMs));
  }

  #addCost({ costUsd, inputTokens, outputTokens }: PeriodRun): void {
    if (costUsd !== null) this.#knownCostUsd = addCost(this.#knownCostUsd, costUsd) ?? 0;
    else {
      this.#hasUnknown = true;
      this.#unpricedTokens += inputTokens + outputTokens;
    }
  }

  get figures(): UsageFigures {
    const sorted = this.#durationsMs.toSorted((left, right) => left - right);
    return {
      runs: this.#runs,
      failed: this.#failed,
      ...this.#tokens,
      costUsd: this.#hasUnknown ? null : this.#knownCostUsd,
      knownCostUsd: this.#knownCostUsd,
      unpricedTokens: this.#unpricedTokens,
      partialRuns: this.#partial,
      p50Ms: percentile(sorted, 0.5),
      p95Ms: percentile(sorted, 0.95),
    };
  }
}

const TOKENS = ["inputTokens", "cachedReadTokens", "cachedWriteTokens", "outputTokens", "reasoningTokens"] as const;

/** The smallest value that is not exceeded by this share of the values (nearest rank). */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}
