import "server-only";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { type ThreadFrameName, type ThreadFrames, threadFrame } from "@/lib/schema/threads/thread-stream";
import type { Reader } from "@/lib/schema/users/user";
import { isTerminal } from "@/lib/server/engine/log/read-events";
import { type FeedEvent, onFeedEvent } from "@/lib/server/engine/log/signals";
import { uiProjection } from "@/lib/server/engine/transcript/project-ui";
import { eventStreamResponse, type ServerSentEvent, UI_MESSAGE_STREAM } from "@/lib/server/http/event-stream";
import type { Database } from "@/lib/server/platform/db/database";
import { selectThreadToStream, type ThreadCursor } from "@/lib/server/platform/db/queries/streams/open-thread-stream";
import type { Services } from "@/lib/server/platform/services";
import { changeWatch } from "./change-watch";
import { type ChildCards, withChildren } from "./follow-children";
import { followOpened, followRun } from "./follow-run";
import { interleave } from "./interleave";
import { collectNotifications, type Notifications } from "./notifications";
import { type OpenedRun, watchStoredRuns } from "./opened-run";
import { noThread, readableBy } from "./readable-by";
import { loadRunWithoutEvents, storedChunks } from "./run-without-events";

/** A thread, and who reads it. */
interface ReadThread {
  readonly threadId: string;
  readonly viewer: Reader;
}

interface ThreadStreamOptions {
  /** `<runId>:<seq>`, or `<runId>` for all of that run; null for the current or last run from its start. */
  readonly cursor: string | null;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * A thread's runs one after the other as Server-Sent Events, each between `data-run-start` and `data-run-end`: the
 * events after the cursor, then new ones, for as long as the thread exists. Compactions of the thread, and changes of
 * its queue, are sent as they happen. All are chunks of the AI SDK's UI message stream; what is between two boundaries
 * is one message for `readUIMessageStream`. Throws `not_found` for a thread that the viewer can't read.
 */
export async function streamThread(
  services: Services,
  thread: ReadThread,
  { cursor, signal }: ThreadStreamOptions,
): Promise<Response> {
  const opened = await openThread(services, thread, cursor, signal);
  return eventStreamResponse(services, (stop) => threadEvents(services, thread, opened, stop), {
    signal,
    headers: UI_MESSAGE_STREAM,
  });
}

type Events = readonly ServerSentEvent[];

interface OpenedThread extends Place {
  readonly notifications: Notifications<FeedEvent>;
  readonly compactionCount: number;
  /** Whether the reader has something of which nothing is left. */
  readonly isLost: boolean;
  /** Whether no run follows the first one that is sent. */
  readonly isLast: boolean;
}

/** Reads everything that the stream begins with in one statement, and from before it on collects what changes. */
async function openThread(
  services: Services,
  { threadId, viewer }: ReadThread,
  cursor: string | null,
  signal: AbortSignal,
): Promise<OpenedThread> {
  const notifications = collectNotifications<FeedEvent>((tell) => listen({ threadId, viewer }, tell), signal);
  const stored = watchStoredRuns(signal);
  signal.addEventListener("abort", () => notifications.stop(), { once: true });
  try {
    const at = cursor === null ? null : readCursor(cursor);
    const found = await selectThreadToStream(services.database, threadId, { viewer, cursor: at });
    if (!found) throw noThread();
    const { place, run, compactionCount, hasNext } = found;
    const opening = run?.opening ? stored.opened(run.opening) : undefined;
    if (!opening) stored.stop();
    const first =
      opening?.run ?? (run && (await services.database.run.findUnique({ where: { id: run.id }, select: RUN_FIELDS })));
    notifications.add((tell) => changeWatch(services).watchThread(threadId, () => tell([]), found.mark));
    return {
      notifications,
      compactionCount,
      isLost: cursor !== null && place === null,
      isLast: opening !== undefined && hasEnded(opening.run.status as RunStatus) && !hasNext,
      known: place?.isReceived ? place : null,
      next: first && { run: first, after: place && !place.isReceived ? (at?.seq ?? null) : null, opening },
    };
  } catch (error) {
    notifications.stop();
    stored.stop();
    throw error;
  }
}

async function* threadEvents(
  services: Services,
  thread: ReadThread,
  { notifications, isLost, isLast, compactionCount, ...place }: OpenedThread,
  signal: AbortSignal,
): AsyncGenerator<Events> {
  const wake = () => notifications.stop();
  signal.addEventListener("abort", wake);
  const look = compactionWatch(services.database, thread, compactionCount);
  let { known, next } = place;
  // Nothing is looked for until something has changed since the opening, or its run is sent and another may follow.
  let isAsRead = true;
  try {
    if (isLost) yield [frame("reset", {})];
    while (!signal.aborted) {
      isAsRead &&= !notifications.isTold;
      const markers = isAsRead ? [] : await look(notifications.take());
      if (markers === null) return;
      if (markers.length > 0) yield markers;
      if (!isAsRead) next ??= await nextPart(services.database, thread.threadId, known);
      if (next === null) {
        await notifications.wait(Number.POSITIVE_INFINITY);
        continue;
      }
      const held = new AbortController();
      const { run } = next;
      const lookAlso: Look = async (told) => {
        if (isQueueTold(told) && (await isHeld(services.database, run))) held.abort();
        return look(told);
      };
      yield* withCompactions(
        runEvents(services, next, AbortSignal.any([signal, held.signal])),
        notifications,
        lookAlso,
      );
      // A held message is sent later, at the end of the thread.
      if (!held.signal.aborted) known = run;
      next = null;
      isAsRead &&= isLast;
    }
  } finally {
    signal.removeEventListener("abort", wake);
    notifications.stop();
  }
}

/** Changes of the thread, except to its files; also sent when notifications may have been missed. */
function listen({ threadId, viewer }: ReadThread, tell: (events: readonly FeedEvent[]) => void): () => void {
  return onFeedEvent(viewer.id, (event) => {
    if (event === null) tell([]);
    else if ("threadId" in event && event.threadId === threadId && event.type !== "file.changed") tell([event]);
  });
}

type Look = (told: readonly FeedEvent[]) => Promise<Events | null>;

/** Checks the thread for compactions and queue changes since the last look; null once the viewer can't read it. */
function compactionWatch(database: Database, { threadId, viewer }: ReadThread, compactionCount: number): Look {
  let known = compactionCount;
  return async (told) => {
    const where = { id: threadId, deletedAt: null, ...readableBy(viewer) };
    const row = await database.thread.findFirst({ where, select: { compactionCount: true } });
    if (!row) return null;
    const isMore = row.compactionCount > known;
    known = row.compactionCount;
    return [
      ...(isMore ? [frame("thread-compacted", { threadId, compactionCount: known })] : []),
      ...(told.some(isQueueChange) ? [frame("queue-changed", { threadId })] : []),
    ];
  };
}

function isQueueChange({ type }: FeedEvent): boolean {
  return type === "queue.changed";
}

/** Without events, some may have been missed. */
function isQueueTold(told: readonly FeedEvent[]): boolean {
  return told.length === 0 || told.some(isQueueChange);
}

async function isHeld(database: Database, { id }: ThreadRun): Promise<boolean> {
  return (await database.run.count({ where: { id, heldAt: { not: null } } })) > 0;
}

async function* withCompactions(
  source: AsyncGenerator<Events>,
  notifications: Notifications<FeedEvent>,
  look: Look,
): AsyncGenerator<Events> {
  for await (const events of interleave(source, () => notifications.wait(Number.POSITIVE_INFINITY))) {
    if (events !== null) {
      yield events;
      continue;
    }
    const markers = await look(notifications.take());
    if (markers === null) return;
    if (markers.length > 0) yield markers;
  }
}

const RUN_FIELDS = { id: true, position: true, continuesRunId: true, status: true, epoch: true } as const;

interface ThreadRun {
  readonly id: string;
  readonly position: number;
  readonly continuesRunId: string | null;
  readonly status: string;
  readonly epoch: number;
}

/** A run to send: all of it (null), or the rows after that number. */
interface Part {
  readonly run: ThreadRun;
  readonly after: number | null;
  /** What the opening has read of it. */
  readonly opening?: OpenedRun | undefined;
}

interface Place {
  /** The last run that the reader has received completely. */
  readonly known: Pick<ThreadRun, "id" | "position"> | null;
  /** What to send first; null: whatever follows `known`. */
  readonly next: Part | null;
}

const CURSOR = /^([\w-]+)(?::(\d{1,15}))?$/;

function readCursor(cursor: string): ThreadCursor {
  const [, runId = "", sent] = CURSOR.exec(cursor) ?? [];
  return { runId, seq: sent === undefined ? null : Number(sent) };
}

/** The run that follows `known`; without it the current or last one. Null while there is none. */
async function nextPart(database: Database, threadId: string, known: Place["known"]): Promise<Part | null> {
  const ofThread = { threadId, parentRunId: null };
  if (known === null) {
    const begun = await database.run.findFirst({
      where: { ...ofThread, epoch: { gt: 0 } },
      orderBy: { position: "desc" },
      select: RUN_FIELDS,
    });
    if (begun) return { run: begun, after: null };
  }
  const run = await database.run.findFirst({
    where: { ...ofThread, position: { gt: known?.position ?? 0 }, heldAt: null, NOT: WITHDRAWN },
    orderBy: { position: "asc" },
    select: RUN_FIELDS,
  });
  return run && { run, after: null };
}

/** Cancelled before any process claimed it: its message was removed from the queue. */
const WITHDRAWN = { status: "cancelled", epoch: 0 } as const;

/** The rows of a run from first to last, however long it waits in between. */
async function* runEvents(
  services: Services,
  { run, after, opening }: Part,
  signal: AbortSignal,
): AsyncGenerator<Events> {
  const { database } = services;
  const project = uiProjection();
  const known = after ?? 0;
  let begin = after === null ? [begins(run)] : [];
  let hasEnd = false;
  const rows = opening
    ? followOpened(services, opening, signal, "never")
    : followRun(services, run.id, 0, signal, "never");
  for await (const batch of withChildren(database, rows)) {
    if ("cards" in batch) {
      yield cardEvents(run, batch, known);
      continue;
    }
    if (begin.length > 0 && (await wasWithdrawn(database, run, batch.rows))) return;
    // Rows that the reader already has are projected too: a delta needs the start of its part.
    const sent = batch.rows.map((row) => ({ row, chunks: project(row) })).filter(({ row }) => row.seq > known);
    const events = [...begin, ...sent.flatMap(({ row, chunks }) => rowEvents(run, row, chunks))];
    begin = [];
    hasEnd = batch.rows.some(isTerminal);
    if (events.length > 0) yield events;
  }
  if (!hasEnd && !signal.aborted) yield await storedEvents(database, { run, after, opening });
}

/** A card does not start a row: with the place of the row before it, readers accept it at once. */
function cardEvents(run: ThreadRun, { cards, after }: ChildCards, known: number): Events {
  return cards.map((data) => ({ id: placeId(run, Math.max(after, known)), data }));
}

async function wasWithdrawn(database: Database, run: ThreadRun, rows: readonly StoredRunEvent[]): Promise<boolean> {
  if (rows.at(-1)?.event.type !== "run.cancelled") return false;
  if (run.status === WITHDRAWN.status) return run.epoch === WITHDRAWN.epoch;
  return (await database.run.count({ where: { id: run.id, ...WITHDRAWN } })) > 0;
}

function begins({ id, continuesRunId }: ThreadRun): ServerSentEvent {
  const continues = continuesRunId === null ? {} : { continues: continuesRunId };
  return { id: `${id}:0`, ...frame("run-start", { runId: id, ...continues }) };
}

/** Only the last event of a row carries its place: a client that resumes never sees half a row. */
function rowEvents(run: ThreadRun, { seq, event }: StoredRunEvent, chunks: readonly unknown[]): Events {
  const events: ServerSentEvent[] = chunks.map((data) => ({ data }));
  if (event.type === "run.completed" || event.type === "run.failed") {
    events.push(frame("run-end", { status: event.status }));
  }
  if (event.type === "run.cancelled") events.push(frame("run-end", { status: "cancelled" }));
  return events.map((sent, index) => (index === events.length - 1 ? { id: placeId(run, seq), ...sent } : sent));
}

/** For a run whose events are deleted: its stored message, or `reset` for a reader that already has part of it. */
async function storedEvents(database: Database, { run, after, opening }: Part): Promise<Events> {
  const stored = after === null ? (opening?.withoutEvents() ?? (await loadRunWithoutEvents(database, run.id))) : null;
  if (!stored) return [frame("reset", {})];
  const chunks = storedChunks(stored).map((data) => ({ data }));
  const end = frame("run-end", { status: stored.status as ThreadFrames["run-end"]["status"] });
  return [begins(run), ...chunks, { id: run.id, ...end }];
}

function placeId({ id }: ThreadRun, seq: number): string {
  return `${id}:${seq}`;
}

function frame<Name extends ThreadFrameName>(name: Name, data: ThreadFrames[Name]): ServerSentEvent {
  return { data: threadFrame(name, data) };
}
