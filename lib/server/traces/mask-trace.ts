import "server-only";
import type { Message, ToolCall } from "@/lib/schema/messages/message";
import type { Span } from "@/lib/schema/traces/span";
import type { CallReply, SpanBody, TraceExport } from "@/lib/schema/traces/span-body";
import type { TraceSummary } from "@/lib/schema/traces/trace";
import { hasMasks, maskText, maskValue } from "@/lib/server/platform/masking";

// Applies the masking rules of the settings to everything in a trace that leaves the server, and takes secrets out of
// its messages, which may be a person's or a file's. Stored data is unchanged; spans are stored without secrets.

/** Ringmaster's own ids, hashes and names, which the page uses for lookups. */
const POINTERS: ReadonlySet<string> = new Set([
  ...["tool_call_id", "thread_id", "run_id", "trace_id", "agent_id", "parent_id", "child_run_id", "asked_of"],
  ...["message_hashes", "reply_hash", "tools_hash", "extension_hash", "base_call", "sections"],
  ...["model", "next_model", "tool_name", "tool_call_names", "finish_reason", "waiting_for", "started_at", "phase"],
]);

export function maskSpan(span: Span): Span {
  if (!hasMasks()) return span;
  const attributes = maskValue(span.attributes, POINTERS) as Span["attributes"];
  return { ...span, attributes, error: maskNullable(span.error) };
}

export function maskSummary<Summary extends Pick<TraceSummary, "title" | "message" | "error" | "notice">>(
  summary: Summary,
): Summary {
  if (!hasMasks()) return summary;
  const { title, message, error, notice } = summary;
  return {
    ...summary,
    title: maskNullable(title),
    message: maskNullable(message),
    error: maskNullable(error),
    notice: maskNullable(notice),
  };
}

export function maskSpanBody(body: SpanBody): SpanBody {
  const { system, modelCall, toolCalls } = body;
  return {
    ...body,
    system: system === null ? null : system.map((part) => ({ ...part, text: maskNullable(part.text) })),
    modelCall: modelCall && {
      ...modelCall,
      request: modelCall.request && {
        ...modelCall.request,
        earlier: modelCall.request.earlier === null ? null : modelCall.request.earlier.map(maskSent),
        fresh: modelCall.request.fresh.map(maskSent),
      },
      reply: modelCall.reply && maskReply(modelCall.reply),
    },
    toolCalls: toolCalls.map(({ call, result }) => ({
      call: maskCall(call),
      result: result && { ...result, content: maskText(result.content) },
    })),
  };
}

/** The spans are masked where they are read. */
export function maskExport(exported: TraceExport): TraceExport {
  const texts = Object.entries(exported.texts).map(([hash, text]) => [hash, maskKeptText(text)] as const);
  return { ...exported, messages: exported.messages.map(maskMessage), texts: Object.fromEntries(texts) };
}

function maskSent(message: Message | null): Message | null {
  return message && maskMessage(message);
}

/** Texts, arguments and reasoning of a message. */
export function maskMessage(message: Message): Message {
  const content = maskText(message.content);
  if (message.role !== "assistant") return { ...message, content };
  const { reasoning } = message;
  return {
    ...message,
    content,
    toolCalls: message.toolCalls.map(maskCall),
    ...(reasoning ? { reasoning: maskReasoning(reasoning) } : {}),
  };
}

function maskReply({ content, reasoning, toolCalls }: CallReply): CallReply {
  return { content: maskText(content), reasoning: maskReasoning(reasoning), toolCalls: toolCalls.map(maskCall) };
}

function maskReasoning(parts: CallReply["reasoning"]): CallReply["reasoning"] {
  return parts.map((part) => ({ ...part, text: maskText(part.text) }));
}

function maskCall(call: ToolCall): ToolCall {
  return { ...call, args: maskValue(call.args) as ToolCall["args"], rawArgs: maskText(call.rawArgs) };
}

const MESSAGE_POINTERS: ReadonlySet<string> = new Set(["id", "role", "toolCallId", "name", "type"]);

/** Messages and tools are kept as JSON, which must stay JSON. */
function maskKeptText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object") return JSON.stringify(maskValue(value, MESSAGE_POINTERS));
  } catch {
    // A part of the prompt.
  }
  return maskText(text);
}

function maskNullable(text: string | null): string | null {
  return text === null ? null : maskText(text);
}
