/** About a minute: as long as a server takes to come back. */
const RETRY_DELAYS_MS = [300, 700, 1_500, 3_000, 5_000, 10_000, 20_000, 20_000];

/**
 * Loads a part of the page on first use. While the server restarts or the network is down it retries, so that the page
 * around it does not break; then it throws the last error.
 */
export async function loadWithRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  for (const delayMs of RETRY_DELAYS_MS) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
  return load();
}
