import type { EventSourceMessage } from "eventsource-parser";
import { ApiError } from "@/lib/client/ui/api";
import { delayAfter, isPassing, openEventStream, type WaitForAttempt, waitFor } from "@/lib/client/ui/open-stream";
import { readEventStream } from "@/lib/client/ui/read-event-stream";

/** `lost`: several attempts in a row have met nobody. `signed-out`: the server does not know this session any more. */
export type FeedConnection = "connected" | "lost" | "signed-out";

/** After fewer failed attempts nothing is said: a server that restarts is back by then. */
const QUIET_FAILURES = 3;

export interface FollowFeedOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: EventSourceMessage) => void;
  readonly onConnection: (connection: FeedConnection) => void;
  readonly wait?: WaitForAttempt;
}

/**
 * Reads `GET /api/events` until `signal` aborts, over as many connections as it takes: one that breaks or falls silent
 * is opened again. Ends by itself only where the server refuses.
 */
export async function followFeed({ wait = waitFor, ...options }: FollowFeedOptions): Promise<void> {
  const { signal, onConnection } = options;
  let failures = 0;
  const onOpen = () => {
    failures = 0;
    onConnection("connected");
  };
  while (!signal.aborted) {
    const end = await readOnce(options, onOpen);
    if (end === "signed-out") onConnection(end);
    if (end !== "broken" || signal.aborted) return;
    failures += 1;
    if (failures >= QUIET_FAILURES) onConnection("lost");
    await wait(delayAfter(failures - 1), signal);
  }
}

/** One connection, to its end. */
async function readOnce(
  { signal, onEvent }: Pick<FollowFeedOptions, "signal" | "onEvent">,
  onOpen: () => void,
): Promise<"broken" | "refused" | "signed-out"> {
  try {
    const reply = await openEventStream("/api/events", { signal });
    onOpen();
    if (reply.body) for await (const event of readEventStream(reply.body)) onEvent(event);
    return "broken";
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return "signed-out";
    return isPassing(error) || isFault(error) ? "broken" : "refused";
  }
}

/** Nobody could ask for the feed again by hand, so a fault of the server is taken for one that passes. */
function isFault(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 500;
}
