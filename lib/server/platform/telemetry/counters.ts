import type { Usage } from "@/lib/schema/runs/usage";
import { processState } from "@/lib/server/platform/process-state";

/** What this process has counted since it started, for `/metrics`. A counter's name is its metric's. */
export interface Counter {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

const COUNTERS = {
  runs: {
    name: "ringmaster_runs_total",
    help: "Runs that have ended, each once, by their status.",
    labels: ["agent", "status"],
  },
  tokens: {
    name: "ringmaster_tokens_total",
    help: "Tokens of model calls by class. The classes are disjoint: their sum is all tokens.",
    labels: ["agent", "model", "class"],
  },
  cost: {
    name: "ringmaster_cost_usd_total",
    help: "Cost in US dollars of the model calls whose price is known.",
    labels: ["agent", "model"],
  },
  toolCalls: {
    name: "ringmaster_tool_calls_total",
    help: "Tool calls with a result: completed, failed, or refused by a person or a rule.",
    labels: ["agent", "status"],
  },
  retries: {
    name: "ringmaster_model_retries_total",
    help: "Attempts of model calls that failed and were repeated.",
    labels: ["agent"],
  },
  exportedRuns: {
    name: "ringmaster_otlp_exported_runs_total",
    help: "Runs whose spans the OTLP collector has accepted.",
    labels: [],
  },
  droppedRuns: {
    name: "ringmaster_otlp_dropped_runs_total",
    help: "Runs whose spans the OTLP collector refused for good, or did not take in time.",
    labels: [],
  },
} as const satisfies Record<string, Counter>;

type CounterId = keyof typeof COUNTERS;

/** Beyond this many label sets of one counter, further ones count under `other`. */
const MAX_SERIES = 2_000;
const OTHER = "other";
const SEPARATOR = "\0";

type Series = Map<string, number>;

const counts = () => processState("counters", () => new Map<CounterId, Series>());

/** Adds to the counter's series with these label values, in the order of its `labels`. */
export function count(id: CounterId, values: readonly string[] = [], by = 1): void {
  if (!(by > 0)) return;
  const all = counts();
  const series = all.get(id) ?? new Map<string, number>();
  all.set(id, series);
  const key = values.join(SEPARATOR);
  const kept = series.has(key) || series.size < MAX_SERIES ? key : values.map(() => OTHER).join(SEPARATOR);
  series.set(kept, (series.get(kept) ?? 0) + by);
}

/** A model call's tokens, split into classes that do not overlap, and its cost. */
export function countModelCall(
  agentId: string,
  { model, usage, costUsd }: { readonly model: string; readonly usage: Usage; readonly costUsd?: number | null },
): void {
  const { inputTokens, cachedReadTokens, cachedWriteTokens, outputTokens, reasoningTokens } = usage;
  count("tokens", [agentId, model, "input"], inputTokens - cachedReadTokens - cachedWriteTokens);
  count("tokens", [agentId, model, "cached_read"], cachedReadTokens);
  count("tokens", [agentId, model, "cached_write"], cachedWriteTokens);
  count("tokens", [agentId, model, "output"], outputTokens - reasoningTokens);
  count("tokens", [agentId, model, "reasoning"], reasoningTokens);
  count("cost", [agentId, model], costUsd ?? 0);
}

export interface CounterSample {
  readonly values: readonly string[];
  readonly value: number;
}

/** Every counter with its series; a counter without labels always has one. */
export function readCounters(): { readonly counter: Counter; readonly samples: readonly CounterSample[] }[] {
  return Object.entries(COUNTERS).map(([id, counter]) => {
    const series = [...(counts().get(id as CounterId) ?? [])];
    const samples = series.map(([key, value]) => ({ values: key === "" ? [] : key.split(SEPARATOR), value }));
    return {
      counter,
      samples: counter.labels.length === 0 && samples.length === 0 ? [{ values: [], value: 0 }] : samples,
    };
  });
}
