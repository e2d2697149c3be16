import "server-only";
import { type FeedEvent, feedEvents, whenFeedIsHeard } from "@/lib/server/engine/log/signals";
import { eventStreamResponse, type ServerSentEvent } from "@/lib/server/http/event-stream";
import { database } from "@/lib/server/platform/db/database";

/**
 * Changes of the user's threads, runs and files, as they happen: invalidations, not data. `ready` comes first, and
 * again whenever changes may have been missed: the page then reads everything again. Changes by a subagent, in its own
 * thread, are reported for the thread that people see.
 */
export function streamUserFeed(userId: string, signal: AbortSignal): Response {
  return eventStreamResponse((stop) => userEvents(userId, stop), { signal });
}

async function* userEvents(userId: string, signal: AbortSignal): AsyncGenerator<readonly ServerSentEvent[]> {
  // Subscribes before the page is notified to read, so that changes during the read are reported afterwards.
  const changes = feedEvents(userId, signal);
  const shownThread = shownThreads();
  await whenFeedIsHeard(userId);
  yield [READY];
  try {
    for await (const [change] of changes) yield [await toServerSentEvent(change, shownThread)];
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const READY: ServerSentEvent = { event: "ready", data: {} };

type FindThread = (threadId: string) => Promise<string>;

async function toServerSentEvent(change: FeedEvent | null, shownThread: FindThread): Promise<ServerSentEvent> {
  if (change === null) return READY;
  if (change.type === "board.changed") return { event: change.type, data: { boardId: change.boardId } };
  if (change.type === "project.changed") return { event: change.type, data: { projectId: change.projectId } };
  const { type, ...data } = change;
  return { event: type, data: { ...data, threadId: await shownThread(data.threadId) } };
}

/** Finds the listed thread: a subagent's thread belongs to another one. Each is looked up once. */
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
