import { z } from "zod";
import type { Span } from "@/lib/schema/span";

/** What a row's colour says: only in traces and the context meter. */
export type SpanKind = "run" | "model" | "tool" | "agent" | "hook" | "memory";

/** The facts of a span that the list shows, read from its free attributes. Unknown is null, never 0. */
export interface SpanFacts {
  readonly step: number | null;
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly cachedReadTokens: number | null;
  readonly cachedWriteTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly costUsd: number | null;
  readonly timeToFirstTokenMs: number | null;
  readonly toolName: string | null;
  readonly toolCallId: string | null;
  readonly toolCalls: number | null;
  readonly attempt: number | null;
}

const count = z.number().nullable().catch(null).default(null);
const text = z.string().nullable().catch(null).default(null);

const Attributes = z.looseObject({
  step: count,
  model: text,
  input_tokens: count,
  cached_read_tokens: count,
  cached_write_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  cost_usd: count,
  time_to_first_token_ms: count,
  tool_name: text,
  tool_call_id: text,
  tool_calls_count: count,
  attempt: count,
});

export function spanFacts(span: Span): SpanFacts {
  const found = Attributes.parse(span.attributes);
  return {
    step: found.step,
    model: found.model,
    inputTokens: found.input_tokens,
    cachedReadTokens: found.cached_read_tokens,
    cachedWriteTokens: found.cached_write_tokens,
    outputTokens: found.output_tokens,
    reasoningTokens: found.reasoning_tokens,
    costUsd: found.cost_usd,
    timeToFirstTokenMs: found.time_to_first_token_ms,
    toolName: found.tool_name,
    toolCallId: found.tool_call_id,
    toolCalls: found.tool_calls_count,
    attempt: found.attempt,
  };
}

const KINDS: Record<Span["type"], SpanKind> = {
  agent: "agent",
  llm: "model",
  tool: "tool",
  hook: "hook",
  summary: "memory",
};

export function spanKind(span: Span): SpanKind {
  return span.type === "agent" && span.parentId === null ? "run" : KINDS[span.type];
}

/** A tool's row carries the tool's name, every other row the span's own. */
export function spanLabel(span: Span, facts: SpanFacts): string {
  return span.type === "tool" ? (facts.toolName ?? span.name) : span.name;
}

/** One line of what a span was about: a tool's first telling argument, a reply's calls or text, an error. */
export function spanGist(span: Span, facts: SpanFacts): string {
  if (span.error) return firstLine(span.error);
  if (span.type === "tool") return argumentGist(span.attributes.tool_args);
  if (span.type === "llm") return replyGist(span, facts);
  const note = span.attributes.note ?? span.attributes.summary ?? span.attributes.title;
  return typeof note === "string" ? firstLine(note) : "";
}

function replyGist(span: Span, facts: SpanFacts): string {
  if (span.status === "running") return "answering";
  if (facts.toolCalls) return facts.toolCalls === 1 ? "1 tool call" : `${facts.toolCalls} tool calls`;
  if (facts.outputTokens !== null) return `answer, ${facts.outputTokens.toLocaleString("en")} tokens`;
  return "answer";
}

const TELLING_ARGUMENTS = ["path", "file_path", "command", "pattern", "query", "expression", "url", "name"];

function argumentGist(args: unknown): string {
  const found = toRecord(args);
  if (!found) return typeof args === "string" ? firstLine(args) : "";
  const names = [...TELLING_ARGUMENTS.filter((name) => name in found), ...Object.keys(found)];
  for (const name of names) {
    const value = found[name];
    if (typeof value === "string" && value !== "") return firstLine(value);
    if (Array.isArray(value)) return `${value.length} ${name}`;
  }
  return "";
}

function toRecord(value: unknown): Record<string, unknown> | null {
  const parsed = z.record(z.string(), z.unknown()).safeParse(typeof value === "string" ? parseJson(value) : value);
  return parsed.success ? parsed.data : null;
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

function firstLine(value: string): string {
  const end = value.indexOf("\n");
  return (end < 0 ? value : value.slice(0, end)).slice(0, 160);
}
