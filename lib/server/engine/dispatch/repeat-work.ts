/** Does `work` every `everyMs`, never twice at once. What it throws goes to `onError`. The process may end meanwhile. */
export function repeatWork(
  work: () => Promise<void>,
  { everyMs, onError }: { readonly everyMs: number; readonly onError: (error: unknown) => void },
): NodeJS.Timeout {
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    work()
      .catch(onError)
      .finally(() => {
        isBusy = false;
      });
  }, everyMs);
  return timer.unref();
}
