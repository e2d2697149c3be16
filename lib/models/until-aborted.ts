/** What `work` comes to, or the abort reason when `signal` aborts first; the work itself goes on. */
export function untilAborted<Value>(work: PromiseLike<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).then(() => signal.removeEventListener("abort", abort));
  });
}
