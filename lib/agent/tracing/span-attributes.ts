import type { ModelRequest, ModelRetry } from "@/lib/agent/model";
import type { RunContext } from "@/lib/agent/run-context";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { costOf, showUsage } from "@/lib/schema/runs/usage";
import type { ToolResult } from "@/lib/schema/tools/tool";
import { NOTHING_SENT } from "./sent-request";

/** How much text a span stores (D-25). */
export type SpanLimits = Pick<AgentConfig["trace"], "preview_chars" | "max_body_chars">;

type Attributes = Record<string, unknown>;

export interface RequestRecording {
  readonly model: string;
  /** Set if the span stores its whole input: the maximum length. */
  readonly maxInputChars?: number;
}

/** A model call at its start, before any ring has seen it. `recordSent` records what is actually sent. */
export function requestAttributes(request: ModelRequest, { model, maxInputChars }: RequestRecording): Attributes {
  return {
    model,
    provider: model.split(":", 1)[0],
    message_count: request.messages.length,
    tool_count: request.tools.length,
    system_sections: request.system.map((section) => section.name),
    system_length: request.system.reduce((sum, section) => sum + section.text.length, 0),
    ...NOTHING_SENT,
    ...(maxInputChars === undefined ? {} : inputAttributes(request, maxInputChars)),
  };
}

/** The model's whole input, in a verbose trace only (D-25). */
export function inputAttributes({ system, messages }: ModelRequest, maxChars: number): Attributes {
  return { input: cut(JSON.stringify({ system, messages }), maxChars) };
}

export function replyAttributes(reply: ModelReply, limits: SpanLimits): Attributes {
  return {
    ...answerAttributes(reply, limits),
    tool_calls_count: reply.toolCalls.length,
    tool_call_names: reply.toolCalls.map((call) => call.name),
    finish_reason: reply.finishReason,
    ...(reply.silent ? { silent: true } : {}),
    ...(reply.unreadableEvents === undefined ? {} : { unreadable_events: reply.unreadableEvents }),
    time_to_first_token_ms: roundedMs(reply.timeToFirstTokenMs),
  };
}

/** The partial answer of an aborted call; empty if nothing had arrived. */
export function partialAttributes(
  { text, firstAtMs }: RunContext["streamed"],
  startedAtMs: number,
  { preview_chars: previewChars }: SpanLimits,
): Attributes {
  if (firstAtMs === null) return {};
  const said = text === "" ? {} : { content_length: text.length, content_preview: cut(text, previewChars) };
  return { ...said, time_to_first_token_ms: firstAtMs - startedAtMs };
}

/** The attributes of every model answer, including a summary's: its text, its tokens by class and their cost. */
export function answerAttributes(reply: ModelReply, { preview_chars: previewChars }: SpanLimits): Attributes {
  const { model, content } = reply;
  const usage = showUsage(reply.usage);
  return {
    model,
    provider: model.split(":", 1)[0],
    content_length: content.length,
    content_preview: cut(content, previewChars),
    cost_usd: costOf(reply),
    ...(reply.price === undefined ? {} : { price: reply.price }),
    input_tokens: usage.inputTokens,
    cached_read_tokens: usage.cachedReadTokens,
    cached_write_tokens: usage.cachedWriteTokens,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    // Not `estimated`, which the same span uses for its estimated sections and messages.
    ...(reply.usage.isUsageEstimated ? { usage_estimated: true } : {}),
  };
}

/** The usage of a call that gave no answer is unknown (D-84). */
export const UNKNOWN_TOKENS: Attributes = { input_tokens: null, output_tokens: null, cost_usd: null };

export function retryAttributes(retry: ModelRetry): Attributes {
  const { attempt, delayMs, nextModel, error } = retry;
  return { attempt, delay_ms: delayMs, next_model: nextModel, error_code: error.code };
}

/** `tool_args` are the arguments as the tool gets them; `raw_args` what the model wrote, where that differs in type. */
export function callAttributes(call: ToolCall, { max_body_chars: bodyChars }: SpanLimits): Attributes {
  return {
    tool_name: call.name,
    tool_call_id: call.id,
    tool_args: cut(JSON.stringify(call.args), bodyChars),
    ...(call.argsError === undefined ? {} : { tool_args: cut(call.rawArgs, bodyChars), args_error: call.argsError }),
    ...(call.coerced === undefined ? {} : { raw_args: cut(call.rawArgs, bodyChars), coerced: call.coerced }),
  };
}

export function resultAttributes(
  result: ToolResult,
  { preview_chars: previewChars, max_body_chars: bodyChars }: SpanLimits,
): Attributes {
  return {
    is_error: result.error !== undefined,
    output_length: result.output.length,
    output_preview: cut(result.output, previewChars),
    ...(result.forUser === undefined ? {} : { for_user: cut(result.forUser, bodyChars) }),
    ...(result.refused === undefined ? {} : { refused: result.refused }),
    ...(result.truncatedChars === undefined ? {} : { truncated_chars: result.truncatedChars }),
  };
}

/** Rounded to microseconds. */
function roundedMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1_000) / 1_000;
}

function cut(text: string, maxChars: number): string {
  return text.length > maxChars ? text.slice(0, maxChars).toWellFormed() : text;
}
