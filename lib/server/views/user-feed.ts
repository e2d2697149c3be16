import "server-only";
import type { Reader } from "@/lib/schema/users/user";
import { type FeedEvent, feedEvents, feedRevision, whenFeedIsHeard } from "@/lib/server/engine/log/signals";
import { eventStreamResponse, type ServerSentEvent } from "@/lib/server/http/event-stream";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { homeInReach, isTeamInReach } from "@/lib/server/platform/within-reach";

/**
 * Changes of the user's threads, runs and files, as they happen: invalidations, not data. `ready` comes first, and
 * again whenever changes may have been missed: the page then reads everything again, unless it knows the `revision`.
 * Every change has the revision after it as its id. Changes by a subagent, in its own thread, are reported for the
 * thread that people see.
 */
export function streamUserFeed(services: Services, viewer: Reader, signal: AbortSignal): Response {
  return eventStreamResponse(services, (stop) => userEvents(services.database, viewer, stop), { signal });
}

async function* userEvents(
  database: Database,
  viewer: Reader,
  signal: AbortSignal,
): AsyncGenerator<readonly ServerSentEvent[]> {
  // Subscribes before the page is notified to read, so that changes during the read are reported afterwards.
  const changes = feedEvents(viewer.id, signal);
  const shownThread = shownThreads(database, viewer);
  await whenFeedIsHeard(viewer.id);
  yield [ready(viewer)];
  try {
    for await (const [change, revision] of changes) {
      const event =
        change === null ? ready(viewer) : await toServerSentEvent(database, change, { viewer, shownThread });
      if (event !== null) yield [revision === null ? event : { ...event, id: revision }];
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function ready(viewer: Reader): ServerSentEvent {
  return { event: "ready", data: { revision: feedRevision(viewer.id) } };
}

/** Null for a thread that the reader's key does not reach. */
type FindThread = (threadId: string) => Promise<string | null>;

interface Audience {
  readonly viewer: Reader;
  readonly shownThread: FindThread;
}

async function toServerSentEvent(
  database: Database,
  change: FeedEvent,
  { viewer, shownThread }: Audience,
): Promise<ServerSentEvent | null> {
  if (change.type === "board.changed") {
    const { boardId } = change;
    return (await isBoardInReach(database, boardId, viewer)) ? { event: change.type, data: { boardId } } : null;
  }
  if (change.type === "project.changed") return { event: change.type, data: { projectId: change.projectId } };
  if (change.type === "note.changed") return viewer.reach ? null : { event: change.type, data: {} };
  const { type, ...data } = change;
  const threadId = await shownThread(data.threadId);
  return threadId === null ? null : { event: type, data: { ...data, threadId } };
}

async function isBoardInReach(database: Database, boardId: string, viewer: Reader): Promise<boolean> {
  if (!viewer.reach) return true;
  const board = await database.board.findUnique({
    where: { id: boardId },
    select: { leadAgentId: true, members: true },
  });
  return board !== null && isTeamInReach(viewer, board);
}

/** Finds the listed thread: a subagent's thread belongs to another one. Each is looked up once. */
function shownThreads(database: Database, viewer: Reader): FindThread {
  const known = new Map<string, Promise<string | null>>();
  return (threadId) => {
    const shown = known.get(threadId) ?? findShownThread(database, threadId, viewer);
    known.set(threadId, shown);
    return shown;
  };
}

async function findShownThread(database: Database, threadId: string, viewer: Reader): Promise<string | null> {
  const thread = await database.thread.findFirst({
    where: { id: threadId, ...homeInReach(viewer) },
    select: { parentThreadId: true },
  });
  if (thread === null && viewer.reach) return null;
  return thread?.parentThreadId ?? threadId;
}
