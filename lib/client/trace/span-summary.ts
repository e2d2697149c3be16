import { deciderText } from "@/lib/client/chat/asks/interrupt-labels";
import { failureText } from "@/lib/schema/runs/failure-text";
import { DecisionWay } from "@/lib/schema/runs/interrupt";
import type { Span } from "@/lib/schema/traces/span";
import { isWait, spanWait } from "./span-wait";

/** The meaning of a row's colour, used only in traces and the context meter. */
export type SpanKind = "run" | "model" | "tool" | "agent" | "hook" | "memory";

/** The facts of a span that the list shows, read from its free-form attributes. Unknown is null, never 0. */
export interface SpanSummary {
  readonly step: number | null;
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly cachedReadTokens: number | null;
  readonly cachedWriteTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  /** The model does not count its tokens (D-84). */
  readonly isUsageEstimated: boolean;
  readonly costUsd: number | null;
  readonly timeToFirstTokenMs: number | null;
  readonly toolName: string | null;
  readonly toolCallId: string | null;
  readonly toolCalls: number | null;
  readonly attempt: number | null;
  /** Why a tool call never ran, in one word: "Denied". */
  readonly refusal: string | null;
  /**
   * The person who decided on a call that asked, and how, or what allowed it without asking; "" if neither is known.
   */
  readonly decision: string;
}

/** One number from a span's attributes; null if it is missing or not a number. */
export function spanCount({ attributes }: Pick<Span, "attributes">, name: string): number | null {
  const found = attributes[name];
  return typeof found === "number" ? found : null;
}

/** By hand rather than by schema: a trace has thousands of spans. A value of an unexpected type is unknown. */
export function summarizeSpan(span: Pick<Span, "attributes">): SpanSummary {
  const { attributes } = span;
  const count = (name: string) => spanCount(span, name);
  const text = (name: string) => (typeof attributes[name] === "string" ? attributes[name] : null);
  return {
    step: count("step"),
    model: text("model"),
    inputTokens: count("input_tokens"),
    cachedReadTokens: count("cached_read_tokens"),
    cachedWriteTokens: count("cached_write_tokens"),
    outputTokens: count("output_tokens"),
    reasoningTokens: count("reasoning_tokens"),
    isUsageEstimated: attributes.usage_estimated === true,
    costUsd: count("cost_usd"),
    timeToFirstTokenMs: count("time_to_first_token_ms"),
    toolName: text("tool_name"),
    toolCallId: text("tool_call_id"),
    toolCalls: count("tool_calls_count"),
    attempt: count("attempt"),
    refusal: REFUSALS[text("refused") ?? ""] ?? null,
    decision: isWait(span)
      ? ""
      : decisionText(text("approval"), text("decided_by_name"), text("decided_via")) || permissionText(attributes),
  };
}

const REFUSALS: Readonly<Record<string, string>> = { declined: "Denied", expired: "Expired", rule: "Not allowed" };

const PERMISSIONS: Readonly<Record<string, string>> = {
  allow: "Allowed by a rule",
  grant: "Allowed by an earlier decision on exactly this call",
};

function permissionText({ permission, permission_by: by, permission_pattern: pattern }: Span["attributes"]): string {
  if (by === "grant" && typeof pattern === "string")
    return `Allowed by an earlier decision on commands like ${pattern} …`;
  return permission === "allow" && typeof by === "string" ? (PERMISSIONS[by] ?? "") : "";
}

const DECISIONS: Readonly<Record<string, string>> = {
  allow: "Allowed",
  edit: "Edited and allowed",
  deny: "Denied",
  expired: "Nobody decided in time",
};

function decisionText(decision: string | null, by: string | null, via: string | null): string {
  if (decision === null) return "";
  const way = DecisionWay.safeParse(via);
  const who = deciderText({
    ...(by === null ? {} : { decidedBy: by }),
    ...(way.success ? { decidedVia: way.data } : {}),
  });
  return [DECISIONS[decision] ?? decision, who].filter(Boolean).join(" ");
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

/**
 * A tool's row shows the tool's name, a wait what is waited for, a model call beside the reply what it is for (the title
 * of the thread), every other row the span's own name.
 */
export function spanLabel(span: Span): string {
  const { type, name, attributes } = span;
  if (isWait(span)) return String(attributes.waiting_for);
  if (type === "llm" && typeof attributes.note === "string") return attributes.note;
  return type === "tool" && typeof attributes.tool_name === "string" ? attributes.tool_name : name;
}

/** One line about a span: a tool's first telling argument, a reply's calls or text, an error. */
export function spanGist(span: Span, facts: SpanSummary): string {
  if (isWait(span)) return waitGist(span);
  if (span.error) return firstLine(failureText(span.error));
  if (span.type === "tool") return argumentGist(span.attributes.tool_args);
  if (span.type === "llm") return replyGist(span, facts);
  const note = span.attributes.note ?? span.attributes.summary ?? span.attributes.title;
  return typeof note === "string" ? firstLine(note) : "";
}

/** "npm publish, allowed once by Ada": what was asked, and the outcome. */
function waitGist(span: Span): string {
  const { tool_name: tool, tool_args: args } = span.attributes;
  const wait = spanWait(span);
  const decided = wait && span.status !== "waiting" ? `${wait.decision} ${wait.decider}`.trim() : "";
  return [[tool, argumentGist(args)].filter(Boolean).join(" "), decided].filter(Boolean).join(" · ");
}

function replyGist(span: Span, facts: SpanSummary): string {
  if (span.status === "running") return "answering";
  if (span.status === "failed") return "no answer";
  if (facts.toolCalls) return facts.toolCalls === 1 ? "1 tool call" : `${facts.toolCalls} tool calls`;
  if (span.attributes.silent === true) return "silent reply";
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
  const found = typeof value === "string" ? parseJson(value) : value;
  return typeof found === "object" && found !== null && !Array.isArray(found) ? { ...found } : null;
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

/**
 * A tool's result for reading: JSON is indented, and line breaks inside its strings become lines. Everything else is
 * unchanged. The raw record keeps the exact text.
 */
export function readableResult(text: string): string {
  if (!/^\s*[[{]/u.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(/\\\\|\\n/gu, (found) => (found === "\\n" ? "\n" : found));
  } catch {
    return text;
  }
}
