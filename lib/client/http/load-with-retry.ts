import { askHealth } from "./ask-health";

/** About a minute: as long as a server takes to come back. */
const RETRY_DELAYS_MS = [300, 700, 1_500, 3_000, 5_000, 10_000, 20_000, 20_000];

/** How often in a row a part fails while the server works before it counts as gone: once may be the network's fault. */
const FAILURES_OF_GONE = 2;

/** The server works and does not have that part: it was updated since the page was loaded. The message is for people. */
export class PartGone extends Error {
  override readonly name = "PartGone";

  constructor(cause: unknown) {
    super("Ringmaster was updated. Reload the page.", { cause });
  }
}

/**
 * Loads a part of the page on first use. While the server restarts or the network is down it retries, so that the page
 * around it does not break; then it throws the last error. Throws PartGone as soon as it is known that waiting is no use.
 */
export async function loadWithRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  let failures = 0;
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await load();
    } catch (error) {
      // A proxy in front of a server that is away also answers, but with an error.
      const works = (await askHealth())?.ok === true;
      failures = works ? failures + 1 : 0;
      if (failures === FAILURES_OF_GONE) throw new PartGone(error);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return load();
}
