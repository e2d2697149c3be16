import type { RefusedLength } from "@/lib/agent/refused-length";
import { AppError, type ErrorCode } from "@/lib/schema/app-error";
import type { FailureCause } from "@/lib/schema/runs/run";
import { statedLength } from "./stated-length";

interface FailureOptions {
  readonly cause?: unknown;
  /** Another attempt at the same model may succeed (D-48). */
  readonly retryable: boolean;
  /** How long the provider asks clients to wait. */
  readonly retryAfterMs?: number;
  /** The refusal, if the provider answered with one. */
  readonly refusal?: ProviderRefusal;
  readonly failure?: FailureCause | undefined;
}

/** What a provider means by an answer that is no reply. */
export type RefusalMeaning = "rate" | "no credit" | "too long" | "other";

export interface ProviderRefusal {
  readonly status: number;
  readonly meaning: RefusalMeaning;
  /** What the provider said, without keys. */
  readonly words: string;
  /** The tool that it names. */
  readonly tool?: string | undefined;
}

/** A failed attempt at a model, with the cause described for people and the facts that a retry needs. */
export class ProviderFailure extends AppError {
  static override readonly kind: string = "ProviderFailure";
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly refusal: ProviderRefusal | null;
  /** Set if the conversation is too long; whoever can shorten it looks for this. */
  readonly refusedLength: RefusedLength | null;

  constructor(code: Extract<ErrorCode, "model_failed" | "timeout">, message: string, options: FailureOptions) {
    super(code, message, { cause: options.cause, failure: options.failure });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.refusal = options.refusal ?? null;
    this.refusedLength = this.refusal?.meaning === "too long" ? statedLength(this.refusal.words) : null;
  }
}
