type Subscribe<Item> = (tell: (items: readonly Item[]) => void) => () => void;

/** The notifications since the last take. */
export interface Notifications<Item> {
  /** Whether there were any, if only one without items. */
  readonly isTold: boolean;
  /** Returns all of them, in order, and starts collecting the next ones. */
  take(): readonly Item[];
  /**
   * Resolves with the next notification, or at once if one has arrived since `take`; also on abort and after
   * `timeoutMs`.
   */
  wait(timeoutMs: number): Promise<void>;
  /** Also collects those of this source. */
  add(subscribe: Subscribe<Item>): void;
  stop(): void;
}

/**
 * Collects notifications from `subscribe` from now on. Start before the first look into the database, and take before
 * each look: anything stored in between is then either notified or seen.
 */
export function collectNotifications<Item>(subscribe: Subscribe<Item>, signal: AbortSignal): Notifications<Item> {
  let collected: Item[] = [];
  let isTold = false;
  let wake = (): void => undefined;
  const onAbort = (): void => wake();
  signal.addEventListener("abort", onAbort);
  const tell = (items: readonly Item[]): void => {
    collected.push(...items);
    isTold = true;
    wake();
  };
  const stops = [subscribe(tell)];
  return {
    get isTold() {
      return isTold;
    },
    add: (source) => void stops.push(source(tell)),
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
      for (const stop of stops.splice(0)) stop();
      signal.removeEventListener("abort", onAbort);
      wake();
    },
  };
}
