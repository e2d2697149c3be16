import "server-only";
import { z } from "zod";
import { addCost, NO_USAGE } from "@/lib/schema/runs/usage";
import type { Database } from "@/lib/server/platform/db/database";
import { type ModelCallSpan, selectModelCalls } from "@/lib/server/platform/db/queries/spans";
import { readAttributes } from "./to-span";
import type { TraceRow } from "./trace-summaries";

const ModelCall = z.object({
  step: z.number().default(0),
  model: z.string().nullish(),
  cost_usd: z.number().nullish(),
  input_tokens: z.number().nullish(),
  cached_read_tokens: z.number().nullish(),
  cached_write_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  reasoning_tokens: z.number().nullish(),
  usage_estimated: z.boolean().nullish(),
});

/**
 * Rows of running runs, with the usage of their model calls so far: the trace's own row gets its figures when the run
 * ends. One query for all of them; rows of ended runs are returned unchanged.
 */
export async function withLiveFigures<Row extends TraceRow>(db: Database, rows: readonly Row[]): Promise<Row[]> {
  const open = rows.filter((row) => row.endedAt === null).map(({ id }) => id);
  if (open.length === 0) return [...rows];
  const spans = await selectModelCalls(db, open);
  const byTrace = Map.groupBy(spans, (span) => span.traceId);
  return rows.map((row) => (row.endedAt === null ? addCalls(row, byTrace.get(row.id) ?? []) : row));
}

function addCalls<Row extends TraceRow>(row: Row, spans: readonly ModelCallSpan[]): Row {
  let sum = noFigures(row);
  for (const span of spans) sum = addCall(sum, span);
  return sum;
}

function addCall<Row extends TraceRow>(sum: Row, { attributes, endedAt }: ModelCallSpan): Row {
  const call = ModelCall.catch({ step: 0 }).parse(readAttributes(attributes));
  const begun = { ...sum, steps: Math.max(sum.steps, call.step), model: call.model ?? sum.model };
  if (endedAt === null) return begun;
  return {
    ...begun,
    inputTokens: sum.inputTokens + (call.input_tokens ?? 0),
    cachedReadTokens: sum.cachedReadTokens + (call.cached_read_tokens ?? 0),
    cachedWriteTokens: sum.cachedWriteTokens + (call.cached_write_tokens ?? 0),
    outputTokens: sum.outputTokens + (call.output_tokens ?? 0),
    reasoningTokens: sum.reasoningTokens + (call.reasoning_tokens ?? 0),
    ...(call.input_tokens === null ? { isUsagePartial: true } : {}),
    ...(call.usage_estimated ? { isUsageEstimated: true } : {}),
    costUsd: addCost(sum.costUsd, call.cost_usd ?? null),
  };
}

function noFigures<Row extends TraceRow>(row: Row): Row {
  return { ...row, ...NO_USAGE, isUsagePartial: false, isUsageEstimated: false, steps: 0, costUsd: 0 };
}
