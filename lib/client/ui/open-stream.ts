import { ApiError, callApi } from "./api";

const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 8000;
/** How long a new connection may take to its first answer. */
const OPEN_MS = 10_000;

/** Waits between two attempts; replaced in tests. */
export type WaitForAttempt = (delayMs: number, signal?: AbortSignal) => Promise<void>;

export interface OpenStreamOptions {
  /** The last event that has arrived; what follows is asked for. */
  readonly lastId?: string | null;
  readonly signal?: AbortSignal;
}

/** Opens a `text/event-stream`. Gives up a connection that does not answer: a browser may take a dead one for a new request. */
export async function openEventStream(path: string, { lastId = null, signal }: OpenStreamOptions): Promise<Response> {
  const unanswered = new AbortController();
  const timer = setTimeout(() => unanswered.abort(), OPEN_MS);
  return callApi(path, {
    signal: signal ? AbortSignal.any([signal, unanswered.signal]) : unanswered.signal,
    headers: { accept: "text/event-stream", ...(lastId === null ? {} : { "last-event-id": lastId }) },
  }).finally(() => clearTimeout(timer));
}

const PASSING: readonly number[] = [0, 429, 502, 503, 504];

/** Broken connections, restarts and overload pass; a refusal does not. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return !(error instanceof SyntaxError);
  return PASSING.includes(error.status);
}

/** How long to wait after `failures` attempts since something last arrived. */
export function delayAfter(failures: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
}

export const waitFor: WaitForAttempt = (delayMs, signal) =>
  new Promise((resolve) => {
    const timer = setTimeout(done, delayMs);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
