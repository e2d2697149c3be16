import "server-only";
import { z } from "zod";
import { onFeedEvent, onFeedGap } from "@/lib/server/engine/log/signals";
import { eventStreamResponse, type ServerSentEvent } from "@/lib/server/http/event-stream";
import { database } from "@/lib/server/platform/db/database";

/**
 * What changes of the user's threads, runs and files, as it changes: invalidations, not data. `ready` comes first, and
 * again whenever changes may have gone by untold: the page then reads everything anew. What a subagent does in the thread
 * that only it has is told of the thread that people see.
 */
export function streamUserFeed(userId: string, signal: AbortSignal): Response {
  return eventStreamResponse((stop) => feedEvents(userId, stop), { signal });
}

async function* feedEvents(userId: string, signal: AbortSignal): AsyncGenerator<readonly ServerSentEvent[]> {
  let queue = [READY];
  let wake: () => void = () => {};
  const add = (event: ServerSentEvent) => {
    queue.push(event);
    wake();
  };
  const shownThread = shownThreads();
  const stops = [onFeedEvent(userId, ({ type, ...data }) => add({ event: type, data })), onFeedGap(() => add(READY))];
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  try {
    while (!signal.aborted) {
      if (queue.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const events = queue;
      queue = [];
      if (events.length > 0) yield await Promise.all(events.map((event) => inShownThread(event, shownThread)));
    }
  } finally {
    for (const stop of stops) stop();
    signal.removeEventListener("abort", onAbort);
  }
}

const READY: ServerSentEvent = { event: "ready", data: {} };

type FindThread = (threadId: string) => Promise<string>;

async function inShownThread(event: ServerSentEvent, shownThread: FindThread): Promise<ServerSentEvent> {
  const named = NamesThread.safeParse(event.data);
  if (!named.success) return event;
  return { ...event, data: { ...named.data, threadId: await shownThread(named.data.threadId) } };
}

const NamesThread = z.looseObject({ threadId: z.string() });

/** The thread that is listed for it: a subagent's belongs to another. Each is looked up once. */
function shownThreads(): FindThread {
  const known = new Map<string, Promise<string>>();
  return (threadId) => {
    const shown = known.get(threadId) ?? findShownThread(threadId);
    known.set(threadId, shown);
    return shown;
  };
}

async function findShownThread(threadId: string): Promise<string> {
  const thread = await database().thread.findUnique({ where: { id: threadId }, select: { parentThreadId: true } });
  return thread?.parentThreadId ?? threadId;
}
