import { messageOf } from "@/lib/agent/hooks/hook-chain";
import type { ModelPort } from "@/lib/agent/model";
import type { TraceRecorder } from "@/lib/agent/run-context";
import { recordSent } from "@/lib/agent/tracing/sent-request";
import { answerAttributes, requestAttributes } from "@/lib/agent/tracing/span-attributes";
import { type AgentConfig, contextWindowOf } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { summaryPrompt } from "./summary-prompt";

interface SummaryOptions {
  readonly config: AgentConfig;
  readonly model: ModelPort;
  readonly trace: TraceRecorder;
  /** Stores the model's input on the span, because none of it is a stored message. */
  readonly isVerbose: boolean;
  /** Aborts when the process shuts down. */
  readonly signal: AbortSignal;
}

/** The share of the window that the request may fill, leaving room for its answer. */
const WINDOW_SHARE = 0.8;
/** English words per token, for converting `max_tokens`. */
const WORDS_PER_TOKEN = 0.6;

/**
 * Requests the summary that replaces `messages` from now on: one model call with compaction's own temperature, length
 * and time limit (D-4), and its own `llm.call` span. Throws if there is no usable answer.
 */
export async function summarizeHistory(
  messages: readonly Message[],
  { config, model, trace, isVerbose, signal }: SummaryOptions,
): Promise<ModelReply> {
  const { max_tokens: maxTokens, temperature, timeout_ms: timeoutMs } = config.compaction;
  const content = summaryPrompt(messages, {
    truncateChars: config.summarization.truncate_chars,
    budgetTokens: contextWindowOf(config) * WINDOW_SHARE,
    charsPerToken: config.chars_per_token,
    maxWords: Math.max(1, Math.floor(maxTokens * WORDS_PER_TOKEN)),
  });
  const request = { system: [], messages: [{ role: "user" as const, content }], tools: [], maxTokens, temperature };
  const span = trace.startSpan({
    name: "llm.call",
    type: "llm",
    attributes: requestAttributes(request, {
      model: model.name,
      ...(isVerbose ? { maxInputChars: config.trace.max_body_chars } : {}),
    }),
  });
  span.set(recordSent(request, { trace, spanId: span.id, charsPerToken: config.chars_per_token }).attributes);
  const stop = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const reply = await model.call(request, { signal: stop });
    if (reply.content.trim() === "") throw new AppError("model_failed", "The summary was empty.");
    const { content: text, toolCalls } = reply;
    const message: Message = { role: "assistant", content: text, toolCalls };
    span.set({ ...answerAttributes(reply, config.trace), reply_hash: trace.keepMessage(message, false) });
    span.end("completed");
    return reply;
  } catch (error) {
    const failure = signal.aborted ? signal.reason : stop.aborted ? tooSlow(timeoutMs) : error;
    span.end(signal.aborted ? "interrupted" : "failed", messageOf(failure));
    throw failure;
  }
}

function tooSlow(timeoutMs: number): AppError {
  return new AppError("timeout", `The summary took longer than ${timeoutMs} ms (compaction.timeout_ms).`);
}
