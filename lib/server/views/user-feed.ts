import "server-only";
import { type FeedEvent, feedEvents, feedRevision, whenFeedIsHeard } from "@/lib/server/engine/log/signals";
import { eventStreamResponse, type ServerSentEvent } from "@/lib/server/http/event-stream";
import { database } from "@/lib/server/platform/db/database";

/**
 * Changes of the user's threads, runs and files, as they happen: invalidations, not data. `ready` comes first, and
 * again whenever changes may have been missed: the page then reads everything again, unless it knows the `revision`.
 * Every change has the revision after it as its id. Changes by a subagent, in its own thread, are reported for the
 * thread that people see.
 */
export function streamUserFeed(userId: string, signal: AbortSignal): Response {
  return eventStreamResponse((stop) => userEvents(userId, stop), { signal });
}

async function* userEvents(userId: string, signal: AbortSignal): AsyncGenerator<readonly ServerSentEvent[]> {
  // Subscribes before the page is notified to read, so that changes during the read are reported afterwards.
  const changes = feedEvents(userId, signal);
  const shownThread = shownThreads();
  await whenFeedIsHeard(userId);
  yield [ready(userId)];
  try {
    for await (const [change, revision] of changes) {
      const event = change === null ? ready(userId) : await toServerSentEvent(change, shownThread);
      yield [revision === null ? event : { ...event, id: revision }];
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function ready(userId: string): ServerSentEvent {
  return { event: "ready", data: { revision: feedRevision(userId) } };
}

type FindThread = (threadId: string) => Promise<string>;

async function toServerSentEvent(change: FeedEvent, shownThread: FindThread): Promise<ServerSentEvent> {
  if (change.type === "board.changed") return { event: change.type, data: { boardId: change.boardId } };
  if (change.type === "project.changed") return { event: change.type, data: { projectId: change.projectId } };
  if (change.type === "note.changed") return { event: change.type, data: {} };
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
