import { setTimeout } from "node:timers/promises";

export interface RetryOptions {
  /** Whether the failure may be temporary; any other is thrown at once. */
  readonly when: (error: unknown) => boolean;
  /** The wait before each further attempt, in ms; when they run out, the last failure is thrown. */
  readonly delays: Iterable<number>;
  /** Ends a wait early by throwing the abort reason. */
  readonly signal?: AbortSignal;
  /** Replaced in tests. */
  readonly wait?: (delayMs: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/** Repeats `work` while it fails with a temporary error. A delay of 0 means no wait at all. */
export async function retry<Result>(
  work: () => Promise<Result>,
  { when, delays, signal, wait = pause }: RetryOptions,
): Promise<Result> {
  for (const delayMs of delays) {
    try {
      return await work();
    } catch (error) {
      if (!when(error)) throw error;
    }
    if (delayMs > 0) await wait(delayMs, signal);
  }
  return work();
}

/** A process that is ending does not wait for the next attempt. */
async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(delayMs, undefined, { signal, ref: false }).catch(() => signal?.throwIfAborted());
}

/** For conflicts lost to another writer: this many further attempts, without a wait. */
export function atOnce(times: number): readonly number[] {
  return Array.from({ length: times }, () => 0);
}

/** For work that must not be given up: endless waits that double from `firstMs` up to `longestMs`. */
export function* doubling(firstMs: number, longestMs: number): Generator<number, never> {
  for (let delayMs = firstMs; ; delayMs = Math.min(2 * delayMs, longestMs)) yield Math.min(delayMs, longestMs);
}
