/** How long work may continue after it was asked to stop before it is abandoned. */
const GRACE_MS = 2_000;

/** Work that did not end within its time. */
export class TimeLimitReached extends Error {
  override readonly name = "TimeLimitReached";
}

/**
 * Runs `work` with a signal that aborts with `signal` or after `timeoutMs` (null: never). What settles within two
 * seconds of that still counts, so that a command can hand over its output; then the abort reason is thrown.
 */
export async function withTimeLimit<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
  timeoutMs: number | null,
): Promise<Result> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  signal.addEventListener("abort", forward, { once: true });
  const timers: ReturnType<typeof setTimeout>[] = [];
  if (timeoutMs !== null) {
    const reached = () => controller.abort(new TimeLimitReached(`no result within ${timeoutMs} ms`));
    timers.push(setTimeout(reached, timeoutMs));
  }
  const abandoned = new Promise<never>((_, reject) => {
    const giveUp = () => timers.push(setTimeout(() => reject(controller.signal.reason), GRACE_MS));
    controller.signal.addEventListener("abort", giveUp, { once: true });
  });
  try {
    return await Promise.race([work(controller.signal), abandoned]);
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    signal.removeEventListener("abort", forward);
    timers.forEach(clearTimeout);
  }
}
