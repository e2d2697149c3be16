import type { ModelCallOptions, ModelPort, ModelRequest } from "@/lib/agent/model";
import { AppError } from "@/lib/schema/app-error";
import type { ToolCall } from "@/lib/schema/messages/message";
import type { RunError } from "@/lib/schema/runs/run";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { NO_USAGE, type Usage } from "@/lib/schema/runs/usage";
import { untilAborted } from "./until-aborted";
import { toolCallFromText } from "./wire/tool-call-arguments";

interface ScriptedCall {
  readonly name: string;
  readonly args?: Record<string, unknown>;
  /** The arguments as raw model text, valid or not; wins over `args`. */
  readonly rawArgs?: string;
  /** Default: `call_1`, `call_2` … across the whole script. */
  readonly id?: string;
}

/** One reply. Order: `gate`, `failedAttempt`, reasoning, text, `gateAfterText`, calls, then `error` if set. */
export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly usage?: Partial<Usage>;
  /** Default: 0. */
  readonly costUsd?: number | null;
  readonly finishReason?: ModelReply["finishReason"];
  /** Nothing is streamed before this resolves; a rejection fails the call. */
  readonly gate?: PromiseLike<unknown>;
  /** Awaited after the text has streamed. */
  readonly gateAfterText?: PromiseLike<unknown>;
  /** An attempt that streams `text`, fails, and is retried by this reply (D-48). */
  readonly failedAttempt?: { readonly text?: string; readonly error?: RunError };
  /** Thrown after everything else has streamed. */
  readonly error?: Error;
}

export type ScriptedStep =
  | string
  | ScriptedReply
  | ((request: ModelRequest) => string | ScriptedReply | Promise<string | ScriptedReply>);

export interface ScriptedModel extends ModelPort {
  /** Every request so far, in order. */
  readonly requests: ModelRequest[];
}

/**
 * A model for tests that answers step by step; each call takes the next step. Text streams word by word. A call beyond
 * the script fails with `model_failed`, which exposes a loop that calls too often.
 */
export function scriptedModel(steps: readonly ScriptedStep[], options: { readonly name?: string } = {}): ScriptedModel {
  const name = options.name ?? "scripted:test";
  const requests: ModelRequest[] = [];
  let callCount = 0;
  return {
    name,
    requests,
    async call(request, callOptions) {
      callOptions.signal.throwIfAborted();
      const step = steps[requests.length];
      requests.push(request);
      if (step === undefined) {
        throw new AppError("model_failed", `The scripted model has no step ${requests.length}.`);
      }
      const written = typeof step === "function" ? await step(request) : step;
      const reply = typeof written === "string" ? { text: written } : written;
      await (reply.gate && untilAborted(reply.gate, callOptions.signal));
      const toolCalls = (reply.calls ?? []).map((call) =>
        toolCallFromText({
          id: call.id ?? `call_${++callCount}`,
          name: call.name,
          rawArgs: call.rawArgs ?? JSON.stringify(call.args ?? {}),
        }),
      );
      await streamReply(reply, toolCalls, { ...callOptions, name });
      return toModelReply(reply, toolCalls, name);
    },
  };
}

async function streamReply(
  reply: ScriptedReply,
  toolCalls: readonly ToolCall[],
  options: ModelCallOptions & { readonly name: string },
): Promise<void> {
  if (reply.failedAttempt) {
    for (const word of words(reply.failedAttempt.text)) options.onText?.(word);
    options.onRetry?.({
      attempt: 1,
      error: reply.failedAttempt.error ?? { code: "model_failed", message: "The scripted attempt failed." },
      delayMs: 0,
      nextModel: options.name,
      startedAtMs: 0,
    });
  }
  for (const word of words(reply.reasoning)) options.onReasoning?.(word);
  for (const word of words(reply.text)) options.onText?.(word);
  await (reply.gateAfterText && untilAborted(reply.gateAfterText, options.signal));
  for (const call of toolCalls) options.onToolInput?.(call.id, call.name);
  options.signal.throwIfAborted();
  if (reply.error) throw reply.error;
}

function toModelReply(reply: ScriptedReply, toolCalls: ToolCall[], model: string): ModelReply {
  const streamed = Boolean(reply.text || reply.reasoning || toolCalls.length > 0);
  return {
    content: reply.text ?? "",
    reasoning: reply.reasoning ? [{ text: reply.reasoning }] : [],
    toolCalls,
    finishReason: reply.finishReason ?? (toolCalls.length > 0 ? "tool-calls" : "stop"),
    usage: { ...NO_USAGE, ...reply.usage },
    costUsd: reply.costUsd === undefined ? 0 : reply.costUsd,
    model,
    timeToFirstTokenMs: streamed ? 0 : null,
  };
}

function words(text: string | undefined): string[] {
  return text?.match(/\s*\S+|\s+$/g) ?? [];
}
