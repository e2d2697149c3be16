import type { ModelRegistry } from "@/lib/models/model-registry";
import { costUsd, priceOf } from "@/lib/models/price";
import { roundedUsd } from "@/lib/schema/runs/usage";
import type { Database } from "@/lib/server/platform/db/database";
import { inChunks, type Pace } from "@/lib/server/platform/db/in-chunks";
import {
  type PricedCall,
  selectCostParts,
  selectUnpricedCalls,
  selectUnpricedRuns,
  setCallCosts,
  setRunCost,
  type UnpricedCall,
  type UnpricedRun,
} from "@/lib/server/platform/db/queries/providers/unpriced-runs";

interface Filling {
  readonly registry: Pick<ModelRegistry, "factsOf">;
  readonly pace: Pace;
  /** Runs that ended earlier are skipped. Default: none. */
  readonly since?: Date;
  /** Called after each chunk with the number of runs examined and filled in since the last call. */
  onProgress(looked: number, filled: number): Promise<void>;
}

/** A subagent may end after the run that counts it, so one pass may leave costs for the next to fill. */
const MAX_PASSES = 8;
const CALLS_AT_ONCE = 200;
/** A run takes several statements, and one with hundreds of calls takes some milliseconds. */
const FIRST_RUNS = 5;

/**
 * Fills in costs that were unknown and can be computed with today's prices: of model calls, of their runs including
 * subagents, of traces and threads. Known costs are unchanged. A run with a call without usage (D-84), or whose calls
 * were not all recorded, stays unknown. Returns how many runs were filled in.
 */
export async function fillUnknownCosts(database: Database, filling: Filling): Promise<number> {
  let total = 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const filled = await fillOnce(database, filling);
    total += filled;
    if (filled === 0) break;
  }
  return total;
}

async function fillOnce(database: Database, { registry, pace, since, onProgress }: Filling): Promise<number> {
  let total = 0;
  let after: Pick<UnpricedRun, "id" | "endedAt"> | null = since ? { id: "", endedAt: since } : null;
  await inChunks(
    async (limit) => {
      const runs: UnpricedRun[] = await selectUnpricedRuns(database, after, limit);
      let filled = 0;
      for (const run of runs) if (await fillRun(database, registry, run)) filled += 1;
      after = runs.at(-1) ?? after;
      total += filled;
      if (runs.length > 0) await onProgress(runs.length, filled);
      return runs.length;
    },
    pace,
    FIRST_RUNS,
  );
  return total;
}

async function fillRun(database: Database, registry: Filling["registry"], run: UnpricedRun): Promise<boolean> {
  await fillCalls(database, registry, run);
  if (run.isUsagePartial) return false;
  const parts = await selectCostParts(database, run);
  const sum = (name: "unknown" | "costUsd" | "inputTokens" | "outputTokens") =>
    parts.reduce((total, part) => total + part[name], 0);
  const isWhole = sum("inputTokens") === run.inputTokens && sum("outputTokens") === run.outputTokens;
  if (sum("unknown") > 0 || !isWhole) return false;
  return setRunCost(database, run, roundedUsd(sum("costUsd")));
}

async function fillCalls(database: Database, registry: Filling["registry"], run: UnpricedRun): Promise<void> {
  let after = "";
  for (;;) {
    const calls = await selectUnpricedCalls(database, run, { after, limit: CALLS_AT_ONCE });
    await setCallCosts(
      database,
      calls.flatMap((call) => priced(registry, call)),
    );
    after = calls.at(-1)?.id ?? "";
    if (calls.length < CALLS_AT_ONCE) return;
  }
}

function priced(registry: Filling["registry"], { id, model, ...tokens }: UnpricedCall): PricedCall[] {
  if (model === null) return [];
  const facts = registry.factsOf(model);
  const cost = costUsd(model, { ...tokens, reasoningTokens: 0 }, facts);
  return cost === null ? [] : [{ id, costUsd: cost, price: priceOf(facts, tokens.inputTokens) }];
}
