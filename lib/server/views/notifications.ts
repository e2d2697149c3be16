/** The notifications since the last take. */
export interface Notifications<Item> {
  /** Returns all of them, in order; from now on the next ones are collected. */
  take(): readonly Item[];
  /**
   * Resolves with the next notification, at once when one has come since `take`; also on abort and after `timeoutMs`.
   */
  wait(timeoutMs: number): Promise<void>;
  stop(): void;
}

/**
 * Collects notifications from `subscribe` from now on. Start before the first look into the database, and take before
 * each look: what is stored in between is then either notified or seen.
 */
export function collectNotifications<Item>(
  subscribe: (tell: (items: readonly Item[]) => void) => () => void,
  signal: AbortSignal,
): Notifications<Item> {
  let collected: Item[] = [];
  let isTold = false;
  let wake = (): void => undefined;
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort);
  const unsubscribe = subscribe((items) => {
    collected.push(...items);
    isTold = true;
    wake();
  });
  return {
    take() {
      const taken = collected;
      collected = [];
      isTold = false;
      return taken;
    },
    wait(timeoutMs) {
      if (isTold || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = Number.isFinite(timeoutMs) ? setTimeout(resolve, timeoutMs) : undefined;
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    stop() {
      unsubscribe();
      signal.removeEventListener("abort", onAbort);
      wake();
    },
  };
}
