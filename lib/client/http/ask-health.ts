/** A running server answers this at once, whatever its state. */
const ANSWER_MS = 3_000;

/** What the server answers to whether it works; null if it does not answer. */
export function askHealth(): Promise<Response | null> {
  return fetch("/health", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) }).catch(() => null);
}
