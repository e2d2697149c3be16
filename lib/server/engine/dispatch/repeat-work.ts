/** Does `work` every `everyMs`, never twice at once. Errors go to `onError`. Does not keep the process alive. */
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
