import { randomUUID } from "node:crypto";
import { EventEmitter, on } from "node:events";
import { z } from "zod";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { processState } from "@/lib/server/platform/process-state";
import { countMemoryChange } from "./memory-revision";

const thread = { threadId: z.string() };
const run = { ...thread, runId: z.string() };

/** A change, sent to every open page of one user; the page reads the details itself. */
export const FeedEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("thread.changed"), ...thread }),
  /** From now on the model reads a summary of the thread's earlier messages; the thread has changed too. */
  z.object({ type: z.literal("thread.compacted"), ...thread, compactionCount: z.number() }),
  /** A queued message was added, edited, moved, removed or read. */
  z.object({ type: z.literal("queue.changed"), ...thread }),
  z.object({ type: z.literal("run.changed"), ...run, status: z.string() }),
  /** Something started or stopped waiting for the user. */
  z.object({ type: z.literal("approval.changed"), ...run }),
  /** A note on the run's trace was written, changed or deleted. */
  z.object({ type: z.literal("trace_note.changed"), ...run }),
  z.object({ type: z.literal("file.changed"), ...run, path: z.string() }),
  /** A notification to show the user in an open page. */
  z.object({ type: z.literal("notification"), ...run, title: z.string(), body: z.string() }),
  /** Something to know came up, or the person is done with it. */
  z.object({ type: z.literal("note.changed") }),
  /** A card of the board, a run working on it, or the board itself. */
  z.object({ type: z.literal("board.changed"), boardId: z.string() }),
  /** The project, its members, its list of threads, or their titles. */
  z.object({ type: z.literal("project.changed"), projectId: z.string() }),
]);
export type FeedEvent = z.infer<typeof FeedEvent>;

/** A message from one process to the others on the same database: never the current state, only where to look. */
export const Notification = z.discriminatedUnion("type", [
  z.object({ type: z.literal("rows"), runId: z.string() }),
  /** There may be work: a run was queued, or its turn has come. */
  z.object({ type: z.literal("queued") }),
  z.object({ type: z.literal("cancel"), runId: z.string(), by: z.string() }),
  /** A message for an active run has arrived. */
  z.object({ type: z.literal("steer"), runId: z.string() }),
  /** Extensions must be reloaded. */
  z.object({ type: z.literal("extensions") }),
  /** A budget was changed. */
  z.object({ type: z.literal("budgets") }),
  /** A person changed a memory document. */
  z.object({ type: z.literal("memory") }),
  /** A model provider was changed. */
  z.object({ type: z.literal("providers") }),
  /** The settings of the installation were changed. */
  z.object({ type: z.literal("settings") }),
  /** A person or a key lost access: open streams check their readers. */
  z.object({ type: z.literal("access") }),
  z.object({ type: z.literal("feed"), userId: z.string(), event: FeedEvent }),
]);
export type Notification = z.infer<typeof Notification>;

interface Signals {
  /** A run was queued, or a run whose end frees its thread has ended: hosts check for work. */
  queued: [hint?: QueueHint];
  /** A run was cancelled; the host that executes it acts at once. */
  cancel: [runId: string, by: string];
  /** Something was written to an active run: the host that executes it looks before the next model call. */
  steer: [runId: string];
  /** Another process has reloaded the extensions, or may have. */
  extensions: [];
  /** Another process has changed a provider, or may have. */
  providers: [];
  /** Another process has changed a setting, or may have. */
  settings: [];
  /** Another process has revoked access, or may have. */
  access: [];
  /** Budgets must be read again. */
  budgets: [];
  /** A message for the other processes. */
  notification: [Notification];
  [rowsOfRun: `rows ${string}`]: [rows: readonly StoredRunEvent[]];
  [feedOfUser: `feed ${string}`]: [event: FeedEvent | null, revision: string | null];
}

const signals = processState("run-signals", () => new EventEmitter<Signals>().setMaxListeners(0));
const lifecycle = processState("run-lifecycle", () => ({ shuttingDown: false }));

const rowsOf = (runId: string) => `rows ${runId}` as const;
const feedOf = (userId: string) => `feed ${userId}` as const;

/**
 * Calls `listener` with rows of the run that this process has just stored, in order; with none if another process has
 * stored some, or may have, so that it is time to check. Call the result to stop.
 */
export function onStoredRows(runId: string, listener: (rows: readonly StoredRunEvent[]) => void): () => void {
  signals.on(rowsOf(runId), listener);
  return () => void signals.off(rowsOf(runId), listener);
}

/** The same rows as batches from now on; throws once `signal` aborts. */
export function storedRows(runId: string, signal: AbortSignal): AsyncIterableIterator<[readonly StoredRunEvent[]]> {
  return on(signals, rowsOf(runId), { signal }) as AsyncIterableIterator<[readonly StoredRunEvent[]]>;
}

export function announceRows(runId: string, rows: readonly StoredRunEvent[]): void {
  signals.emit(rowsOf(runId), rows);
  signals.emit("notification", { type: "rows", runId });
}

/**
 * Calls `listener` with changes, made by any process, to what `userId` owns; with null if changes may have been missed.
 * Call the result to stop.
 */
export function onFeedEvent(userId: string, listener: (event: FeedEvent | null) => void): () => void {
  signals.on(feedOf(userId), listener);
  return () => void signals.off(feedOf(userId), listener);
}

/** The same events one by one from now on, each with the revision after it; throws once `signal` aborts. */
export function feedEvents(
  userId: string,
  signal: AbortSignal,
): AsyncIterableIterator<[event: FeedEvent | null, revision: string | null]> {
  return on(signals, feedOf(userId), { signal }) as AsyncIterableIterator<[FeedEvent | null, string | null]>;
}

/** How many changes this process has announced to each user. */
const announced = processState("feed-revisions", () => ({
  process: randomUUID(),
  counts: new Map<string, number>(),
  isAlone: true,
}));

/**
 * Names the state of what `userId` owns: as long as it is the same, nothing that a page shows has changed. Null where
 * other processes work on the same database, because their changes are not counted here.
 */
export function feedRevision(userId: string): string | null {
  const { process, counts, isAlone } = announced;
  return isAlone ? `${process}.${counts.get(userId) ?? 0}` : null;
}

export function announceToUser(userId: string, event: FeedEvent): void {
  announced.counts.set(userId, (announced.counts.get(userId) ?? 0) + 1);
  signals.emit(feedOf(userId), event, feedRevision(userId));
  signals.emit("notification", { type: "feed", userId, event });
}

/** Announces that the run's status has changed, and with it the run's asks to its owner. */
export function announceRunWithAsks(
  { id: runId, ownerId, threadId }: { readonly id: string; readonly ownerId: string; readonly threadId: string },
  status: string,
): void {
  announceToUser(ownerId, { type: "run.changed", threadId, runId, status });
  announceToUser(ownerId, { type: "approval.changed", threadId, runId });
}

/** A newly queued run, for the process that may execute it at once. */
export interface FreshRun {
  readonly runId: string;
  readonly ownerId: string;
}

/**
 * `run-ended`: nothing was queued, but work waiting for the end of a run may begin now. `timers-due`: no run was
 * queued, but timers were stored that are already due.
 */
export type QueueHint = FreshRun | "run-ended" | "timers-due";

/** Called without a hint if it is not known which run may begin now. */
export function onQueued(listener: (hint?: QueueHint) => void): () => void {
  signals.on("queued", listener);
  return () => void signals.off("queued", listener);
}

export function announceQueued(hint?: QueueHint): void {
  signals.emit("queued", hint);
  signals.emit("notification", { type: "queued" });
}

export function onCancelRequest(listener: (runId: string, by: string) => void): () => void {
  signals.on("cancel", listener);
  return () => void signals.off("cancel", listener);
}

export function announceCancelRequest(runId: string, by: string): void {
  signals.emit("cancel", runId, by);
  signals.emit("notification", { type: "cancel", runId, by });
}

export function onSteer(listener: (runId: string) => void): () => void {
  signals.on("steer", listener);
  return () => void signals.off("steer", listener);
}

export function announceSteer(runId: string): void {
  signals.emit("steer", runId);
  signals.emit("notification", { type: "steer", runId });
}

/** Calls `listener` with messages for the other processes on the same database. Call the result to stop. */
export function onNotification(listener: (notification: Notification) => void): () => void {
  signals.on("notification", listener);
  return () => void signals.off("notification", listener);
}

/** Acts on a message from another process. */
export function receiveNotification(notification: Notification): void {
  if (notification.type === "rows") signals.emit(rowsOf(notification.runId), []);
  else if (notification.type === "queued") signals.emit("queued");
  else if (notification.type === "cancel") signals.emit("cancel", notification.runId, notification.by);
  else if (notification.type === "steer") signals.emit("steer", notification.runId);
  else if (notification.type === "extensions") signals.emit("extensions");
  else if (notification.type === "budgets") signals.emit("budgets");
  else if (notification.type === "memory") countMemoryChange();
  else if (notification.type === "providers" || notification.type === "settings" || notification.type === "access")
    signals.emit(notification.type);
  else signals.emit(feedOf(notification.userId), notification.event, null);
}

/** The topic of a notification meant only for listeners to this run or user. */
export function topicOf(notification: Notification): string | undefined {
  if (notification.type === "rows") return rowsOf(notification.runId);
  return notification.type === "feed" ? feedOf(notification.userId) : undefined;
}

interface TopicFollower {
  /** Resolves when this process receives notifications of the topic. */
  begin(topic: string): Promise<void>;
  end(topic: string): void;
}

const hearing = processState("heard-topics", () => new Map<string, Promise<void>>());

/** Resolves when this process receives what other processes announce to the user's pages. */
export function whenFeedIsHeard(userId: string): Promise<void> {
  return hearing.get(feedOf(userId)) ?? Promise.resolve();
}

/** Reports, now and from now on, which runs and users this process listens to. Call the result to stop. */
export function followTopics(follower: TopicFollower): () => void {
  announced.isAlone = false;
  const begin = (topic: string) => void hearing.set(topic, follower.begin(topic));
  const end = (topic: string) => {
    hearing.delete(topic);
    follower.end(topic);
  };
  const emitter: EventEmitter = signals;
  const isFirst = (name: string | symbol) => (isRows(name) || isFeed(name)) && emitter.listenerCount(name) === 0;
  const onNew = (name: string | symbol) => {
    if (isFirst(name)) begin(String(name));
  };
  const onRemoved = (name: string | symbol) => {
    if (isFirst(name)) end(String(name));
  };
  for (const name of emitter.eventNames()) if (isRows(name) || isFeed(name)) begin(name);
  emitter.on("newListener", onNew).on("removeListener", onRemoved);
  return () => {
    emitter.off("newListener", onNew).off("removeListener", onRemoved);
    Object.assign(announced, { isAlone: true, process: randomUUID() });
  };
}

/** This process only now receives the run's notifications: its readers check what they may have missed. */
export function resyncTopic(topic: string): void {
  if (isRows(topic)) signals.emit(topic, []);
}

/** Notifications from other processes may have been missed: every reader and page of this process checks again. */
export function resync(): void {
  for (const name of signals.eventNames()) {
    if (isRows(name)) signals.emit(name, []);
    else if (isFeed(name)) signals.emit(name, null, null);
  }
  signals.emit("budgets");
  signals.emit("extensions");
  signals.emit("providers");
  signals.emit("settings");
  signals.emit("access");
  signals.emit("queued");
  countMemoryChange();
}

function isRows(name: string | symbol): name is ReturnType<typeof rowsOf> {
  return typeof name === "string" && name.startsWith("rows ");
}

function isFeed(name: string | symbol): name is ReturnType<typeof feedOf> {
  return typeof name === "string" && name.startsWith("feed ");
}

/** Calls `listener` when another process has reloaded the extensions, or may have. Call the result to stop. */
export function onExtensionsElsewhere(listener: () => void): () => void {
  signals.on("extensions", listener);
  return () => void signals.off("extensions", listener);
}

/** Makes every other process reload the extensions. */
export function announceExtensions(): void {
  signals.emit("notification", { type: "extensions" });
}

/** Makes every run, in any process, read its memory documents again before its next model call. */
export function announceMemoryChange(): void {
  countMemoryChange();
  signals.emit("notification", { type: "memory" });
}

/** Calls `listener` when another process has changed a provider, or may have. Call the result to stop. */
export function onProvidersElsewhere(listener: () => void): () => void {
  signals.on("providers", listener);
  return () => void signals.off("providers", listener);
}

/** Makes every other process load the providers again. */
export function announceProviders(): void {
  signals.emit("notification", { type: "providers" });
}

/** Calls `listener` when another process has changed a setting, or may have. Call the result to stop. */
export function onSettingsElsewhere(listener: () => void): () => void {
  signals.on("settings", listener);
  return () => void signals.off("settings", listener);
}

/** Makes every other process load the settings again. */
export function announceSettings(): void {
  signals.emit("notification", { type: "settings" });
}

/** Makes every process, this one too, load people's settings: somebody has joined. */
export function announcePerson(): void {
  signals.emit("settings");
  announceSettings();
}

/** Calls `listener` when another process has revoked access, or may have. */
export function onAccessElsewhere(listener: () => void): void {
  signals.on("access", listener);
}

/** Makes every other process check who may still read its streams. */
export function announceAccess(): void {
  signals.emit("notification", { type: "access" });
}

/** Calls `listener` when a process has changed a budget, or may have. */
export function onBudgetsChanged(listener: () => void): void {
  signals.on("budgets", listener);
}

/** Makes every process read the budgets again. */
export function announceBudgets(): void {
  signals.emit("budgets");
  signals.emit("notification", { type: "budgets" });
}

/** True once the process has been asked to end: nothing new is accepted. */
export function isShuttingDown(): boolean {
  return lifecycle.shuttingDown;
}

export function setShuttingDown(shuttingDown: boolean): void {
  lifecycle.shuttingDown = shuttingDown;
}

/** The caller's notice when the server shuts down during a request: the run is a row and outlives this process. */
export function restartNotice(runId: string): string {
  return `The server is restarting. The run continues afterwards: follow it at /api/runs/${runId}/events.`;
}
