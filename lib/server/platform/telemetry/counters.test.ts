import { beforeEach, expect, test } from "vitest";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { count, countModelCall, readCounters } from "./counters";

beforeEach(() => forgetProcessState("counters"));

const samples = (name: string) => readCounters().find(({ counter }) => counter.name === name)?.samples ?? [];

test("the classes of tokens add up to all tokens of a call", () => {
  const usage = {
    inputTokens: 100,
    cachedReadTokens: 60,
    cachedWriteTokens: 10,
    outputTokens: 50,
    reasoningTokens: 20,
  };
  countModelCall("coder", { model: "openai:gpt", usage, costUsd: 0.5 });
  expect(Object.fromEntries(samples("ringmaster_tokens_total").map(({ values, value }) => [values[2], value]))).toEqual(
    {
      input: 30,
      cached_read: 60,
      cached_write: 10,
      output: 30,
      reasoning: 20,
    },
  );
  expect(samples("ringmaster_cost_usd_total")).toEqual([{ values: ["coder", "openai:gpt"], value: 0.5 }]);
});

test("an unknown cost, and usage that nobody knows, count nothing", () => {
  countModelCall("coder", { model: "m:m", usage: NO_USAGE, costUsd: null });
  // A provider that reports more cached tokens than tokens.
  countModelCall("coder", { model: "m:m", usage: { ...NO_USAGE, cachedReadTokens: 5 } });
  expect(samples("ringmaster_tokens_total")).toEqual([{ values: ["coder", "m:m", "cached_read"], value: 5 }]);
  expect(samples("ringmaster_cost_usd_total")).toEqual([]);
});

test("a counter without labels is there from the beginning", () => {
  expect(samples("ringmaster_otlp_exported_runs_total")).toEqual([{ values: [], value: 0 }]);
  count("exportedRuns", [], 3);
  expect(samples("ringmaster_otlp_exported_runs_total")).toEqual([{ values: [], value: 3 }]);
});

test("however many agents there are, a counter has a bounded number of series, and loses nothing", () => {
  for (let agent = 0; agent < 5_000; agent++) count("runs", [`agent-${agent}`, "completed"]);
  const series = samples("ringmaster_runs_total");
  expect(series).toHaveLength(2_001);
  expect(series.at(-1)).toEqual({ values: ["other", "other"], value: 3_000 });
  count("runs", ["agent-1", "completed"]);
  expect(samples("ringmaster_runs_total")[1]?.value).toBe(2);
});
