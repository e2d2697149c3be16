import type { ModelCallOptions, ModelPort, ModelRequest } from "@/lib/agent/model";
import { AppError } from "@/lib/schema/app-error";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { ProviderFailure } from "./failures/provider-failure";
import { ReplyLimitReached } from "./reply-limits";
import { sleep } from "./sleep";

const FIRST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 30_000;
/** Longer waits are not worth it: the next model is called, or the run fails and says when to retry. */
const LONGEST_RETRY_AFTER_MS = 120_000;
/** The latest date that JavaScript supports. */
const LATEST_DATE_MS = 8.64e15;

/** Time and randomness, injectable for tests. */
export interface RetryClock {
  /** Unix time in ms. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Rejects with the abort reason. */
  sleep(durationMs: number, signal: AbortSignal): Promise<void>;
}

const SYSTEM_CLOCK: RetryClock = { now: Date.now, random: Math.random, sleep };

export interface RetryOptions {
  /** Retries per model after its first attempt. */
  readonly retries: number;
  readonly clock?: RetryClock;
}

type Next =
  | { readonly kind: "again"; readonly model: ModelPort; readonly delayMs: number }
  | { readonly kind: "give up"; readonly error: AppError };

/**
 * Calls the first model, retries failures that may be temporary, then tries the fallbacks in order (D-48). The thrown
 * error names the cause for every model that was called.
 */
export function withRetries(models: readonly [ModelPort, ...ModelPort[]], options: RetryOptions): ModelPort {
  const clock = options.clock ?? SYSTEM_CLOCK;
  return {
    name: models[0].name,
    async call(request, callOptions) {
      const attempts = new Attempts(models, { retries: options.retries, clock });
      for (;;) {
        const startedAtMs = clock.now();
        const outcome = await attempt(attempts.model, request, callOptions);
        if (outcome.reply) return outcome.reply;
        const next = attempts.after(outcome.error);
        if (next.kind === "give up") throw next.error;
        callOptions.onRetry?.({
          attempt: attempts.count,
          error: { code: outcome.error.code, message: outcome.error.message },
          delayMs: next.delayMs,
          nextModel: next.model.name,
          startedAtMs,
        });
        await clock.sleep(next.delayMs, callOptions.signal);
      }
    },
  };
}

async function attempt(
  model: ModelPort,
  request: ModelRequest,
  options: ModelCallOptions,
): Promise<{ reply: ModelReply } | { reply: null; error: AppError }> {
  try {
    return { reply: await model.call(request, options) };
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof AppError) return { reply: null, error };
    throw error;
  }
}

/** The state of one call: the current model, its number of attempts, and the failures so far. */
class Attempts {
  #index = 0;
  #attemptsOfModel = 0;
  readonly #causes: string[] = [];
  count = 0;

  private readonly models: readonly [ModelPort, ...ModelPort[]];
  private readonly options: { readonly retries: number; readonly clock: RetryClock };

  constructor(
    models: readonly [ModelPort, ...ModelPort[]],
    options: { readonly retries: number; readonly clock: RetryClock },
  ) {
    this.models = models;
    this.options = options;
  }

  get model(): ModelPort {
    return this.models[this.#index] ?? this.models[0];
  }

  after(error: AppError): Next {
    this.count++;
    this.#attemptsOfModel++;
    const delayMs = this.#delayOf(error);
    if (delayMs !== null) return { kind: "again", model: this.model, delayMs };
    this.#causes.push(this.#describe(error));
    if (error instanceof ReplyLimitReached) return { kind: "give up", error: this.#failure(error) };
    if (this.#index + 1 >= this.models.length) return { kind: "give up", error: this.#failure(error) };
    this.#index++;
    this.#attemptsOfModel = 0;
    return { kind: "again", model: this.model, delayMs: 0 };
  }

  /** Null: this model is not called again. */
  #delayOf(error: AppError): number | null {
    if (!(error instanceof ProviderFailure) || !error.retryable) return null;
    if (this.#attemptsOfModel > this.options.retries) return null;
    const { retryAfterMs } = error;
    if (retryAfterMs !== undefined) return retryAfterMs > LONGEST_RETRY_AFTER_MS ? null : retryAfterMs;
    const backoffMs = Math.min(FIRST_DELAY_MS * 2 ** (this.#attemptsOfModel - 1), LONGEST_DELAY_MS);
    return Math.round(backoffMs * (0.5 + this.options.clock.random() / 2));
  }

  #describe(error: AppError): string {
    const tried = this.#attemptsOfModel > 1 ? ` (asked ${this.#attemptsOfModel} times)` : "";
    const retryAfterMs = error instanceof ProviderFailure ? error.retryAfterMs : undefined;
    if (retryAfterMs === undefined || retryAfterMs <= LONGEST_RETRY_AFTER_MS) return `${error.message}${tried}`;
    const atMs = this.options.clock.now() + retryAfterMs;
    if (atMs > LATEST_DATE_MS) return error.message;
    const at = new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
    return `${error.message} Try again after ${at} UTC.`;
  }

  #failure(error: AppError): AppError {
    const [first, ...rest] = this.#causes;
    const message = rest.length === 0 ? first : [first, ...rest.map((cause) => `Then: ${cause}`)].join(" ");
    return new AppError(error.code, message ?? error.message, { cause: error, failure: error.options.failure });
  }
}
