import { once } from "node:events";

/** Lets one caller at a time work, in the order they came. */
export class Turns {
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** Whether nobody works or waits. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves with the function that ends the turn. Rejects with the signal's reason if it aborts first. */
  async take(signal: AbortSignal): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    this.#waiting += 1;
    const end = () => {
      this.#waiting -= 1;
      resolve();
    };
    const waited = new AbortController();
    try {
      signal.throwIfAborted();
      await Promise.race([before, once(signal, "abort", { signal: waited.signal }).catch(() => undefined)]);
      signal.throwIfAborted();
      return end;
    } catch (error) {
      end();
      throw error;
    } finally {
      waited.abort();
    }
  }
}
