export interface CallTimeouts {
  /** The limit for one attempt in total. */
  readonly model_ms: number;
  /** The limit for the time without a byte from the provider. */
  readonly idle_ms: number;
}

export type ExceededLimit = "model_ms" | "idle_ms";

const callsBySignal = new WeakMap<AbortSignal, CallLimits>();

/** Records that bytes have arrived for the request that this signal aborts; called by the `fetch` that makes it. */
export function noteArrival(signal: AbortSignal | null | undefined): void {
  if (signal) callsBySignal.get(signal)?.touch();
}

/**
 * Watches one attempt. `signal` aborts on the caller's abort and on a time limit; `exceeded` says which limit. `touch`
 * is called for every chunk and part, so it only records the time: a single timer runs and re-arms itself.
 */
export class CallLimits {
  readonly #controller = new AbortController();
  readonly #startedAt = performance.now();
  #touchedAt = this.#startedAt;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #exceeded: ExceededLimit | undefined;
  readonly #onAbort = () => this.#controller.abort(this.caller.reason);

  private readonly caller: AbortSignal;
  private readonly timeouts: CallTimeouts;

  constructor(caller: AbortSignal, timeouts: CallTimeouts) {
    this.caller = caller;
    this.timeouts = timeouts;
    callsBySignal.set(this.signal, this);
    if (caller.aborted) this.#onAbort();
    else caller.addEventListener("abort", this.#onAbort, { once: true });
    this.#arm();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get exceeded(): ExceededLimit | undefined {
    return this.#exceeded;
  }

  elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  touch(): void {
    this.#touchedAt = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.caller.removeEventListener("abort", this.#onAbort);
  }

  #arm(): void {
    const now = performance.now();
    const untilTotal = this.#startedAt + this.timeouts.model_ms - now;
    const untilIdle = this.#touchedAt + this.timeouts.idle_ms - now;
    if (untilTotal <= 0) this.#exceed("model_ms");
    else if (untilIdle <= 0) this.#exceed("idle_ms");
    else this.#timer = setTimeout(() => this.#arm(), Math.ceil(Math.min(untilTotal, untilIdle)));
  }

  #exceed(limit: ExceededLimit): void {
    this.#exceeded = limit;
    this.#controller.abort(new DOMException(`The limit ${limit} was reached.`, "TimeoutError"));
  }
}
