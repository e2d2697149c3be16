import { AppError, type ErrorCode } from "@/lib/schema/app-error";

interface FailureOptions {
  readonly cause?: unknown;
  /** Another attempt at the same model may succeed (D-48). */
  readonly retryable: boolean;
  /** How long the provider asks clients to wait. */
  readonly retryAfterMs?: number;
  /** What the provider said when it refused the request, without keys. */
  readonly words?: string;
}

/** A failed attempt at a model, with the cause described for people and the facts that a retry needs. */
export class ProviderFailure extends AppError {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly words: string;

  constructor(code: Extract<ErrorCode, "model_failed" | "timeout">, message: string, options: FailureOptions) {
    super(code, message, { cause: options.cause });
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.words = options.words ?? "";
  }
}
