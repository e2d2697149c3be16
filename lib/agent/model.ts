import type { Effort } from "@/lib/schema/agents/choices";
import type { Message } from "@/lib/schema/messages/message";
import type { RunError } from "@/lib/schema/runs/run";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import type { ToolSchema } from "@/lib/schema/tools/tool";

/** A named section of the system prompt; the sections are joined in order by a blank line. */
export interface PromptSection {
  readonly name: string;
  readonly text: string;
  /** Number of items that the text names, of those that there are: skills, documents. */
  readonly items?: { readonly named: number; readonly all: number };
}

/** One model call as hooks see and change it. `messages` never contains a system message; those go into `system`. */
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

/** A failed attempt that is about to be retried. */
export interface ModelRetry {
  readonly attempt: number;
  readonly error: RunError;
  readonly delayMs: number;
  /** `provider:model` of the next attempt. */
  readonly nextModel: string;
  readonly startedAtMs: number;
}

/**
 * What a provider is sent otherwise than the request says, as names and counts, under `left_out` and `rewritten`. Empty
 * lists and zeros stand for nothing. Each part of the way to the provider tells its own.
 */
export type SentChanges = Readonly<Record<"left_out" | "rewritten", Readonly<Record<string, SentChange>>>>;

type SentChange = number | string | null | readonly string[];

/** Callbacks that watch a reply as it arrives. They are called synchronously and must not throw. */
export interface ModelCallOptions {
  readonly signal: AbortSignal;
  onText?(delta: string): void;
  onReasoning?(delta: string): void;
  /** All text so far was thought, not answer; `reasoning` is all reasoning so far, with that text. */
  onTakeBack?(reasoning: string): void;
  /** The model has started to write the arguments of a call. */
  onToolInput?(toolCallId: string, name: string): void;
  /** The next characters of these arguments (JSON); the reply contains them in full. */
  onToolInputDelta?(toolCallId: string, delta: string): void;
  /** Before an attempt is sent, or as soon as it is known. */
  onSent?(changes: SentChanges): void;
  /** Anything streamed since the call started is void; the next attempt starts after `delayMs`. */
  onRetry?(retry: ModelRetry): void;
}

/**
 * The only path to a language model: one streaming call, including the agent's retries and fallbacks. Throws AppError
 * (`model_failed`, `timeout`) with a message for people; rethrows the abort reason on abort.
 */
export interface ModelPort {
  /** `provider:model` of the first choice. */
  readonly name: string;
  call(request: ModelRequest, options: ModelCallOptions): Promise<ModelReply>;
  /** Whether the first choice accepts images, according to its provider or the catalogue. */
  readonly canSee?: boolean;
  /**
   * The most that a call with this many tokens can cost, in US dollars, given the most expensive model that may answer
   * it; null if no price is known. Absent: unknown.
   */
  worstCostUsd?(tokens: { readonly input: number; readonly output: number }): number | null;
}
