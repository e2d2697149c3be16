import "server-only";
import { eventStreamResponse, type ServerSentEvent } from "../event-stream";
import { type FeedEvent, onFeedEvent } from "./run-signal";

/** What changes of the user's threads, runs and files, as it changes: invalidations, not data. */
export function streamUserFeed(userId: string, signal: AbortSignal): Response {
  return eventStreamResponse((stop) => feedEvents(userId, stop), { signal });
}

async function* feedEvents(userId: string, signal: AbortSignal): AsyncGenerator<readonly ServerSentEvent[]> {
  let queue: FeedEvent[] = [];
  let wake: () => void = () => {};
  const unsubscribe = onFeedEvent(userId, (event) => {
    queue.push(event);
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    yield [{ event: "ready", data: {} }];
    while (!signal.aborted) {
      if (queue.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const events = queue;
      queue = [];
      if (events.length > 0) yield events.map(({ type, ...data }) => ({ event: type, data }));
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", onAbort);
  }
}
