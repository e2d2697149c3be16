import type { StoredRunEvent } from "@/lib/schema/run-event";
import { processState } from "../process-state";

type RowListener = (rows: readonly StoredRunEvent[]) => void;

/** What changed, told to every open page of one user; the page reads the rest itself. */
export type FeedEvent =
  | { readonly type: "thread.changed"; readonly threadId: string }
  | { readonly type: "run.changed"; readonly threadId: string; readonly runId: string; readonly status: string }
  /** Something waits for the user, or does not any more. */
  | { readonly type: "approval.changed"; readonly threadId: string; readonly runId: string }
  | { readonly type: "file.changed"; readonly threadId: string; readonly runId: string; readonly path: string };

/** A run was queued, or one whose end frees its thread has ended: hosts look for work. */
const queueListeners = processState("run-queue-listeners", () => new Set<() => void>());
/** Somebody asked for the end of a run, which the host that runs it acts on at once. */
const cancelListeners = processState("run-cancel-listeners", () => new Set<(runId: string, by: string) => void>());
const lifecycle = processState("run-lifecycle", () => ({ shuttingDown: false }));

type FeedListener = (event: FeedEvent) => void;

const rowListeners = processState("run-row-listeners", () => new Map<string, Set<RowListener>>());
const feedListeners = processState("feed-listeners", () => new Map<string, Set<FeedListener>>());

function listen<Listener>(all: Map<string, Set<Listener>>, key: string, listener: Listener): () => void {
  const listeners = all.get(key) ?? new Set();
  all.set(key, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0 && all.get(key) === listeners) all.delete(key);
  };
}

/** Calls `listener` with rows of the run that have just been stored by this process, in order. Returns the way to stop. */
export function onStoredRows(runId: string, listener: RowListener): () => void {
  return listen(rowListeners, runId, listener);
}

export function announceRows(runId: string, rows: readonly StoredRunEvent[]): void {
  for (const listener of rowListeners.get(runId) ?? []) listener(rows);
}

/** The changes of what `userId` owns, made by this process. Returns the way to stop. */
export function onFeedEvent(userId: string, listener: FeedListener): () => void {
  return listen(feedListeners, userId, listener);
}

export function announceToUser(userId: string, event: FeedEvent): void {
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
  for (const listener of cancelListeners) listener(runId, by);
}

/** True once the process has been told to end: nothing new is accepted. */
export function isShuttingDown(): boolean {
  return lifecycle.shuttingDown;
}

export function setShuttingDown(shuttingDown: boolean): void {
  lifecycle.shuttingDown = shuttingDown;
}
