import { loadWithRetry } from "./load-with-retry";

/**
 * Loads a part of the page after `pieces`, modules that it imports, with a pause before each: evaluated at once, or with
 * the drawing that asks for them, they would keep a phone busy while somebody types.
 */
export async function loadInPieces<Part>(
  pieces: readonly (() => Promise<unknown>)[],
  load: () => Promise<Part>,
): Promise<Part> {
  if (typeof window === "undefined") return load();
  for (const piece of pieces) {
    await nextTask();
    await loadWithRetry(piece);
  }
  await nextTask();
  return loadWithRetry(load);
}

/** Not a timer: browsers delay those of pages in the background. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
