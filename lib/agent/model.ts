import type { Effort } from "@/lib/schema/agents/choices";
import type { Message } from "@/lib/schema/messages/message";
import type { RunError } from "@/lib/schema/runs/run";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import type { ToolSchema } from "@/lib/schema/tools/tool";

/** A named part of the system prompt; the parts are joined by a blank line in order. */
export interface PromptSection {
  readonly name: string;
  readonly text: string;
}

/** One model call as hooks see and change it. `messages` never holds a system message; those join `system`. */
export interface ModelRequest {
  readonly system: readonly PromptSection[];
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly maxTokens: number;
  /** Null: the provider's own default. */
  readonly temperature: number | null;
  /** Absent: the provider's own default. */
  readonly effort?: Effort | undefined;
}

/** A failed attempt that is about to be repeated. */
export interface ModelRetry {
  readonly attempt: number;
  readonly error: RunError;
  readonly delayMs: number;
  /** `provider:model` of the next attempt. */
  readonly nextModel: string;
  readonly startedAtMs: number;
}

/** What a caller may watch while a reply arrives. All callbacks are called synchronously and must not throw. */
export interface ModelCallOptions {
  readonly signal: AbortSignal;
  onText?(delta: string): void;
  onReasoning?(delta: string): void;
  /** The model has begun to write the arguments of a call. */
  onToolInput?(toolCallId: string, name: string): void;
  /** The next characters of these arguments, of JSON; the whole comes with the reply. */
  onToolInputDelta?(toolCallId: string, delta: string): void;
  /** Anything streamed since the call began is void; the next attempt starts after `delayMs`. */
  onRetry?(retry: ModelRetry): void;
}

/**
 * The only way to a language model: one streaming call, which includes the agent's retries and fallbacks. Throws
 * AppError (`model_failed`, `timeout`) with a message for people; rethrows the abort reason on abort.
 */
export interface ModelPort {
  /** `provider:model` of the first choice. */
  readonly name: string;
  call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply>;
  /** Whether the first choice reads pictures, as its provider or the catalogue says. */
  readonly canSee?: boolean;
  /**
   * US dollars that a call with so many tokens may cost, by the dearest of the models that may answer it; null where no
   * price is known. Absent: unknown.
   */
  worstCostUsd?(tokens: { readonly input: number; readonly output: number }): number | null;
}
