/** The result of `work`, or the abort reason if `signal` aborts first; the work itself continues. */
export function untilAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).then(() => signal.removeEventListener("abort", abort));
  });
}
