import { SharedError } from "@/lib/schema/shared-error";

/** The grace period between asking work to stop and abandoning it. */
const GRACE_MS = 2_000;

/** The error of work that exceeded its time limit. */
export class TimeLimitReached extends SharedError {
  static override readonly kind = "TimeLimitReached";
}

/**
 * Runs `work` with a signal that aborts with `signal` or after `timeoutMs` (null: never). A result within two seconds
 * of the abort still counts, so that a command can hand over its output; after that, throws the abort reason.
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
