import "server-only";
import { hasEnded, type RunStatus } from "@/lib/schema/runs/run";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { type ThreadFrameName, type ThreadFrames, threadFrame } from "@/lib/schema/threads/thread-stream";
import type { Reader } from "@/lib/schema/users/user";
import { isTerminal } from "@/lib/server/engine/log/read-events";
import { type FeedEvent, onFeedEvent } from "@/lib/server/engine/log/signals";
import { uiProjection } from "@/lib/server/engine/transcript/project-ui";
import { eventStreamResponse, type ServerSentEvent, UI_MESSAGE_STREAM } from "@/lib/server/http/event-stream";
import { database } from "@/lib/server/platform/db/database";
import { changeWatch } from "./change-watch";
import { type ChildCards, withChildren } from "./follow-children";
import { followRun } from "./follow-run";
import { interleave } from "./interleave";
import { collectNotifications, type Notifications } from "./notifications";
import { readableBy } from "./readable-by";
import { loadRunWithoutEvents, storedChunks } from "./run-without-events";

/** A thread that the viewer can read, as checked by the caller. */
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
 * is one message for `readUIMessageStream`.
 */
export function streamThread(thread: ReadThread, { cursor, signal }: ThreadStreamOptions): Response {
  return eventStreamResponse((stop) => threadEvents(thread, cursor, stop), { signal, headers: UI_MESSAGE_STREAM });
}

type Events = readonly ServerSentEvent[];

async function* threadEvents(thread: ReadThread, cursor: string | null, signal: AbortSignal): AsyncGenerator<Events> {
  const notifications = collectNotifications<FeedEvent>((tell) => listen(thread, tell), signal);
  const look = compactionWatch(thread);
  try {
    const place = cursor === null ? START : await findPlace(thread.threadId, cursor);
    if (place === null) yield [frame("reset", {})];
    let { known, next } = place ?? START;
    while (!signal.aborted) {
      const markers = await look(notifications.take());
      if (markers === null) return;
      if (markers.length > 0) yield markers;
      next ??= await nextPart(thread.threadId, known);
      if (next === null) {
        await notifications.wait(Number.POSITIVE_INFINITY);
        continue;
      }
      const held = new AbortController();
      const { run } = next;
      const lookAlso: Look = async (told) => {
        if (isQueueTold(told) && (await isHeld(run))) held.abort();
        return look(told);
      };
      yield* withCompactions(runEvents(next, AbortSignal.any([signal, held.signal])), notifications, lookAlso);
      // A held message is sent later, at the end of the thread.
      if (!held.signal.aborted) known = run;
      next = null;
    }
  } finally {
    notifications.stop();
  }
}

/** Changes of the thread, except to its files; also sent when notifications may have been missed. */
function listen({ threadId, viewer }: ReadThread, tell: (events: readonly FeedEvent[]) => void): () => void {
  const stopListening = onFeedEvent(viewer.id, (event) => {
    if (event === null) tell([]);
    else if ("threadId" in event && event.threadId === threadId && event.type !== "file.changed") tell([event]);
  });
  const stopWatching = changeWatch(database()).watchThread(threadId, () => tell([]));
  return () => {
    stopListening();
    stopWatching();
  };
}

type Look = (told: readonly FeedEvent[]) => Promise<Events | null>;

/** Checks the thread for compactions and queue changes since the last look; null once the viewer can't read it. */
function compactionWatch({ threadId, viewer }: ReadThread): Look {
  let known: number | null = null;
  return async (told) => {
    const where = { id: threadId, deletedAt: null, ...readableBy(viewer) };
    const row = await database().thread.findFirst({ where, select: { compactionCount: true } });
    if (!row) return null;
    const { compactionCount } = row;
    const isMore = known !== null && compactionCount > known;
    known = compactionCount;
    return [
      ...(isMore ? [frame("thread-compacted", { threadId, compactionCount })] : []),
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

async function isHeld({ id }: ThreadRun): Promise<boolean> {
  return (await database().run.count({ where: { id, heldAt: { not: null } } })) > 0;
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

const RUN_FIELDS = { id: true, position: true, continuesRunId: true, status: true } as const;

interface ThreadRun {
  readonly id: string;
  readonly position: number;
  readonly continuesRunId: string | null;
  readonly status: string;
}

/** A run to send: all of it (null), or the rows after that number. */
interface Part {
  readonly run: ThreadRun;
  readonly after: number | null;
}

interface Place {
  /** The last run that the reader has received completely. */
  readonly known: ThreadRun | null;
  /** What to send first; null: whatever follows `known`. */
  readonly next: Part | null;
}

const START: Place = { known: null, next: null };
const CURSOR = /^([\w-]+)(?::(\d{1,15}))?$/;

/** The place that a cursor points to; null if what follows it can no longer be sent. */
async function findPlace(threadId: string, cursor: string): Promise<Place | null> {
  const [, runId = "", sent] = CURSOR.exec(cursor) ?? [];
  const run = await database().run.findFirst({ where: { id: runId, threadId, parentRunId: null }, select: RUN_FIELDS });
  if (!run) return null;
  const isEnded = hasEnded(run.status as RunStatus);
  if (sent === undefined) return isEnded ? { known: run, next: null } : { known: null, next: { run, after: null } };
  const last = await database().runEvent.findFirst({
    where: { runId },
    orderBy: { seq: "desc" },
    select: { seq: true },
  });
  const after = Number(sent);
  if (!last || last.seq < after) return null;
  return isEnded && last.seq === after ? { known: run, next: null } : { known: null, next: { run, after } };
}

/** The run that follows `known`; without it the current or last one. Null while there is none. */
async function nextPart(threadId: string, known: ThreadRun | null): Promise<Part | null> {
  const ofThread = { threadId, parentRunId: null };
  if (known === null) {
    const begun = await database().run.findFirst({
      where: { ...ofThread, epoch: { gt: 0 } },
      orderBy: { position: "desc" },
      select: RUN_FIELDS,
    });
    if (begun) return { run: begun, after: null };
  }
  const run = await database().run.findFirst({
    where: { ...ofThread, position: { gt: known?.position ?? 0 }, heldAt: null, NOT: WITHDRAWN },
    orderBy: { position: "asc" },
    select: RUN_FIELDS,
  });
  return run && { run, after: null };
}

/** Cancelled before any process claimed it: its message was removed from the queue. */
const WITHDRAWN = { status: "cancelled", epoch: 0 } as const;

/** The rows of a run from first to last, however long it waits in between. */
async function* runEvents({ run, after }: Part, signal: AbortSignal): AsyncGenerator<Events> {
  const project = uiProjection();
  const known = after ?? 0;
  let begin = after === null ? [begins(run)] : [];
  let hasEnd = false;
  const rows = followRun(database(), run.id, 0, signal, "never");
  for await (const batch of withChildren(database(), rows)) {
    if ("cards" in batch) {
      yield cardEvents(run, batch, known);
      continue;
    }
    if (begin.length > 0 && (await wasWithdrawn(run, batch.rows))) return;
    // Rows that the reader already has are projected too: a delta needs the start of its part.
    const sent = batch.rows.map((row) => ({ row, chunks: project(row) })).filter(({ row }) => row.seq > known);
    const events = [...begin, ...sent.flatMap(({ row, chunks }) => rowEvents(run, row, chunks))];
    begin = [];
    hasEnd = batch.rows.some(isTerminal);
    if (events.length > 0) yield events;
  }
  if (!hasEnd && !signal.aborted) yield await storedEvents(run, after);
}

/** A card does not start a row: with the place of the row before it, readers accept it at once. */
function cardEvents(run: ThreadRun, { cards, after }: ChildCards, known: number): Events {
  return cards.map((data) => ({ id: placeId(run, Math.max(after, known)), data }));
}

async function wasWithdrawn(run: ThreadRun, rows: readonly StoredRunEvent[]): Promise<boolean> {
  if (rows.at(-1)?.event.type !== "run.cancelled") return false;
  return (await database().run.count({ where: { id: run.id, ...WITHDRAWN } })) > 0;
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
async function storedEvents(run: ThreadRun, after: number | null): Promise<Events> {
  const stored = after === null ? await loadRunWithoutEvents(database(), run.id) : null;
  if (!stored) return [frame("reset", {})];
  const chunks = storedChunks(stored).map((data) => ({ data }));
  const { status } = await database().run.findUniqueOrThrow({ where: { id: run.id }, select: { status: true } });
  const end = frame("run-end", { status: status as ThreadFrames["run-end"]["status"] });
  return [begins(run), ...chunks, { id: run.id, ...end }];
}

function placeId({ id }: ThreadRun, seq: number): string {
  return `${id}:${seq}`;
}

function frame<Name extends ThreadFrameName>(name: Name, data: ThreadFrames[Name]): ServerSentEvent {
  return { data: threadFrame(name, data) };
}
