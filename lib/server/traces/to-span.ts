import "server-only";
import { z } from "zod";
import { costUsd } from "@/lib/models/price";
import { type Span, SpanStatus, SpanType } from "@/lib/schema/traces/span";
import type { SpanRow } from "@/lib/server/platform/db/queries/spans";
import { maskSpan } from "./mask-trace";

/**
 * A stored span as every reader gets it. A model call with token counts gets its `cost_usd`, null if the price is
 * unknown. Masked by the rules of the settings.
 */
export function toSpan(row: SpanRow): Span {
  return maskSpan({
    id: row.id,
    traceId: row.traceId,
    runId: row.runId,
    parentId: row.parentId,
    type: SpanType.parse(row.type),
    name: row.name,
    status: SpanStatus.parse(row.status),
    startedAtMs: timeOf(row.startedAt),
    endedAtMs: row.endedAt === null ? null : timeOf(row.endedAt),
    attributes: withCost(row.type, readAttributes(row.attributes)),
    error: row.error,
  });
}

function timeOf(date: Date | string): number {
  return typeof date === "string" ? Date.parse(date) : date.getTime();
}

/** Attributes that are not a JSON object count as none. */
export function readAttributes(text: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text);
    return isRecord(found) ? found : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const Priced = z.object({
  model: z.string(),
  input_tokens: z.number(),
  cached_read_tokens: z.number().default(0),
  cached_write_tokens: z.number().default(0),
  output_tokens: z.number(),
  reasoning_tokens: z.number().default(0),
});

function withCost(type: string, attributes: Record<string, unknown>): Record<string, unknown> {
  if (type !== "llm" && type !== "summary") return attributes;
  const found = Priced.safeParse(attributes);
  if (!found.success || "cost_usd" in attributes) return attributes;
  const { model, ...tokens } = found.data;
  const usage = {
    inputTokens: tokens.input_tokens,
    cachedReadTokens: tokens.cached_read_tokens,
    cachedWriteTokens: tokens.cached_write_tokens,
    outputTokens: tokens.output_tokens,
    reasoningTokens: tokens.reasoning_tokens,
  };
  return { ...attributes, cost_usd: costUsd(model, usage) };
}

const LIGHT_TEXT_CHARS = 160;
const LIGHT_ITEMS = 5;
const LIGHT_OBJECTS = 200;

const LEFT_OUT: ReadonlySet<string> = new Set(["input", "output_preview", "sections", "message_hashes", "__proto__"]);

/**
 * A span for a list of thousands: long texts cut, verbose input, output and prompt parts omitted. The span's own route
 * returns it in full.
 */
export function lightSpan(span: Span): Span {
  const attributes: Record<string, unknown> = {};
  // A plain loop, because a trace has a hundred thousand attributes.
  for (const name in span.attributes) {
    if (LEFT_OUT.has(name)) continue;
    const value = span.attributes[name];
    attributes[name] = lightValue(name === "tool_args" ? readArgs(value) : value, 2);
  }
  return { ...span, attributes };
}

/** Arguments are stored as text; cut text could no longer be parsed. */
function readArgs(value: unknown): unknown {
  const found = typeof value === "string" ? readAttributes(value) : {};
  return Object.keys(found).length > 0 ? found : value;
}

function lightValue(value: unknown, depth: number): unknown {
  if (typeof value === "string")
    return value.length > LIGHT_TEXT_CHARS ? `${value.slice(0, LIGHT_TEXT_CHARS)}…` : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return Array.isArray(value) ? [] : {};
  if (Array.isArray(value)) return value.slice(0, mostItems(value, depth)).map((item) => lightValue(item, depth - 1));
  const entries = Object.entries(value).slice(0, 20);
  return Object.fromEntries(entries.map(([name, item]) => [name, lightValue(item, depth - 1)]));
}

/** Keeps only the number of objects on the last level, which the list shows: "6 todos". */
function mostItems(items: readonly unknown[], depth: number): number {
  const areEmpty = depth === 1 && items.every((item) => typeof item === "object");
  return areEmpty ? LIGHT_OBJECTS : LIGHT_ITEMS;
}
