import { loadWithRetry } from "./load-with-retry";

/**
 * Loads a part of the page after `pieces`, modules that it imports, with a pause before each. Evaluated all at once, or
 * in the same task as the render that needs them, they would block a phone while somebody is typing.
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
