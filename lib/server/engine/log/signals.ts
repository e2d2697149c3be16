import type { StoredRunEvent } from "@/lib/schema/run-event";
import { processState } from "@/lib/server/platform/process-state";
import type { FeedEvent, Hint } from "./hint";

type RowListener = (rows: readonly StoredRunEvent[]) => void;

/** A run was queued, or one whose end frees its thread has ended: hosts look for work. */
const queueListeners = processState("run-queue-listeners", () => new Set<() => void>());
/** Somebody asked for the end of a run, which the host that runs it acts on at once. */
const cancelListeners = processState("run-cancel-listeners", () => new Set<(runId: string, by: string) => void>());
const lifecycle = processState("run-lifecycle", () => ({ shuttingDown: false }));

type FeedListener = (event: FeedEvent) => void;

const rowListeners = processState("run-row-listeners", () => new Map<string, Set<RowListener>>());
const feedListeners = processState("feed-listeners", () => new Map<string, Set<FeedListener>>());
const gapListeners = processState("feed-gap-listeners", () => new Set<() => void>());
/** How the other processes on the same database are told; null while there are none to tell. */
const remote = processState("run-remote", () => ({ tell: null as ((hint: Hint) => void) | null }));

/** From now on `tell` gets what this process announces; null: nobody does. */
export function setRemote(tell: ((hint: Hint) => void) | null): void {
  remote.tell = tell;
}

/** Acts on what another process has told. */
export function receiveHint(hint: Hint): void {
  if (hint.type === "rows") tellReaders(hint.runId, []);
  else if (hint.type === "cancel") tellHosts(hint.runId, hint.by);
  else tellPages(hint.userId, hint.event);
}

/** Hints of other processes may have been missed: every reader and page of this one looks anew. */
export function lookAgain(): void {
  for (const runId of rowListeners.keys()) tellReaders(runId, []);
  for (const listener of gapListeners) listener();
}

function listen<Listener>(all: Map<string, Set<Listener>>, key: string, listener: Listener): () => void {
  const listeners = all.get(key) ?? new Set();
  all.set(key, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && all.get(key) === listeners) all.delete(key);
  };
}

/**
 * Calls `listener` with rows of the run that have just been stored by this process, in order; with none when another
 * process says that it has stored some. Returns the way to stop.
 */
export function onStoredRows(runId: string, listener: RowListener): () => void {
  return listen(rowListeners, runId, listener);
}

export function announceRows(runId: string, rows: readonly StoredRunEvent[]): void {
  tellReaders(runId, rows);
  remote.tell?.({ type: "rows", runId });
}

function tellReaders(runId: string, rows: readonly StoredRunEvent[]): void {
  for (const listener of rowListeners.get(runId) ?? []) listener(rows);
}

/** The changes of what `userId` owns, made by any process. Returns the way to stop. */
export function onFeedEvent(userId: string, listener: FeedListener): () => void {
  return listen(feedListeners, userId, listener);
}

/** Calls `listener` when changes may have gone by untold. Returns the way to stop. */
export function onFeedGap(listener: () => void): () => void {
  gapListeners.add(listener);
  return () => gapListeners.delete(listener);
}

export function announceToUser(userId: string, event: FeedEvent): void {
  tellPages(userId, event);
  remote.tell?.({ type: "feed", userId, event });
}

/** The run's status has changed, and with it what it asks of its owner. */
export function announceRunWithAsks(
  { id: runId, ownerId, threadId }: { readonly id: string; readonly ownerId: string; readonly threadId: string },
  status: string,
): void {
  announceToUser(ownerId, { type: "run.changed", threadId, runId, status });
  announceToUser(ownerId, { type: "approval.changed", threadId, runId });
}

function tellPages(userId: string, event: FeedEvent): void {
  for (const listener of feedListeners.get(userId) ?? []) listener(event);
}

export function onQueued(listener: () => void): () => void {
  queueListeners.add(listener);
  return () => queueListeners.delete(listener);
}

export function announceQueued(): void {
  for (const listener of queueListeners) listener();
}

export function onCancelRequest(listener: (runId: string, by: string) => void): () => void {
  cancelListeners.add(listener);
  return () => cancelListeners.delete(listener);
}

export function announceCancelRequest(runId: string, by: string): void {
  tellHosts(runId, by);
  remote.tell?.({ type: "cancel", runId, by });
}

function tellHosts(runId: string, by: string): void {
  for (const listener of cancelListeners) listener(runId, by);
}

/** True once the process has been told to end: nothing new is accepted. */
export function isShuttingDown(): boolean {
  return lifecycle.shuttingDown;
}

export function setShuttingDown(shuttingDown: boolean): void {
  lifecycle.shuttingDown = shuttingDown;
}

/** What a caller reads whom the shutting down server leaves: the run is a row and outlives this process. */
export function restartNotice(runId: string): string {
  return `The server is restarting. The run goes on after that: follow it at /api/runs/${runId}/events.`;
}
