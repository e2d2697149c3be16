import { cleanText } from "@/lib/agent/messages/clean-text";
import { AppError } from "@/lib/schema/app-error";
import type { QueuePatch } from "@/lib/schema/threads/queue";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { guardInput, logFinding } from "@/lib/server/engine/guard-input";
import { notifyQueueChanged } from "@/lib/server/engine/log/notify-members";
import { announceSteer } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { isBusy, isNothingChanged } from "@/lib/server/platform/db/errors";
import {
  changeQueuedStatement,
  countSteerStatement,
  deleteQueuedStatement,
  type QueuedMessageRow,
  type SteerableRun,
  selectSteerable,
  setLeafStatement,
  skipQueuedStatements,
} from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { selectThreadEnd } from "@/lib/server/platform/db/queries/paths";
import { atOnce, retry } from "@/lib/server/platform/retry";
import { loadWaiting, orderStatements, relink } from "./queue-order";
import type { QueuedMessage } from "./queued-message";

/** A thread that the caller writes in. */
interface OwnQueue {
  readonly threadId: string;
  readonly ownerId: string;
}

const MAX_RETRIES = 5;

/**
 * Edits a message that no run has begun, moves it, or turns it into a steer or back; `id` is that of the message or of
 * its run. Of a held message only the text changes. Throws `conflict` once the agent has it, `not_found`,
 * `invalid_input`, `input_blocked`.
 */
export async function changeQueued(database: Database, queue: OwnQueue, id: string, patch: QueuePatch): Promise<void> {
  const { threadId, ownerId } = queue;
  let steered: string | null = null;
  await inQueue(database, threadId, async () => {
    const { queue: messages, held } = await loadWaiting(database, threadId);
    const one = await findQueued(database, [...messages, ...held], threadId, id);
    requireOwnMessage(one, ownerId);
    if (one.row.heldAt !== null) return changeHeld(database, ownerId, one, patch);
    const [target, end] = await Promise.all([selectSteerable(database, threadId), selectThreadEnd(database, threadId)]);
    const next = await edited(database, ownerId, one, patch.content);
    const steers = steersAfter(one, target, patch.mode);
    const order = orderAfter(
      messages,
      one,
      { steers: steers !== null, wasSteer: isSteer(one, target), ...patch },
      target,
    );
    const before = messages.map(({ row }) => row);
    const after = order.map(({ row }) => row);
    const links = relink(before, after, end.leafRunId);
    requireOrder(after, links.after);
    const was = one.row.steersRunId;
    const isChanged = next.input !== undefined || steers !== was;
    await database.runAll([
      ...(steers !== null && steers !== was ? [countSteerStatement(steers, 1)] : []),
      ...(was !== null && steers !== was ? [countSteerStatement(was, -1)] : []),
      ...orderStatements(after, {
        places: before.map(({ position }) => position),
        links,
        changes: new Map(isChanged ? [[one.row.id, { ...next, steersRunId: steers }]] : []),
      }),
      ...(links.leafRunId === end.leafRunId ? [] : [setLeafStatement(threadId, links.leafRunId)]),
    ]);
    steered = steers;
  });
  if (steered !== null) announceSteer(steered);
}

/** A new version of a reply answers what that reply answered: nothing of its branch can come before it. */
function requireOrder(rows: readonly QueuedMessageRow[], after: ReadonlyMap<string, string | null>): void {
  const isMoved = rows.some(
    ({ id, regeneratesRunId, afterRunId }) => regeneratesRunId !== null && after.get(id) !== afterRunId,
  );
  if (isMoved) throw new AppError("conflict", "A new version of a reply keeps its place before what follows it.");
}

/** Removes a message from the queue as if it had never been sent; throws like `changeQueued`. */
export async function removeQueued(database: Database, queue: OwnQueue, id: string): Promise<void> {
  await inQueue(database, queue.threadId, async () => {
    const { queue: messages, held } = await loadWaiting(database, queue.threadId);
    const one = await findQueued(database, [...messages, ...held], queue.threadId, id);
    requireOwnMessage(one, queue.ownerId);
    const { row } = one;
    await database.runAll([
      ...(row.steersRunId === null ? [] : [countSteerStatement(row.steersRunId, -1)]),
      deleteQueuedStatement(row),
      ...skipQueuedStatements(queue.threadId, row),
    ]);
  });
}

async function changeHeld(database: Database, ownerId: string, one: QueuedMessage, patch: QueuePatch): Promise<void> {
  if (patch.mode !== undefined || patch.position !== undefined) {
    throw new AppError("conflict", "This message is held. Send it first; then it can be moved.");
  }
  const next = await edited(database, ownerId, one, patch.content);
  if (next.input !== undefined) await database.runAll([changeQueuedStatement(one.row, next)]);
}

/** Repeats `work` on the current queue if another change came first, and notifies every device. */
export async function inQueue(database: Database, threadId: string, work: () => Promise<void>): Promise<void> {
  const isLost = (error: unknown) => isNothingChanged(error) || isBusy(error);
  await database.exclusive(`thread ${threadId}`, () =>
    retry(work, { when: isLost, delays: atOnce(MAX_RETRIES) }).catch((error: unknown) => {
      throw isNothingChanged(error) ? new AppError("conflict", BEGUN) : error;
    }),
  );
  await notifyQueueChanged(database, threadId);
}

const BEGUN = "The agent already has this message, so it can no longer be changed.";

/** In a project's thread, other members' messages wait too. */
function requireOwnMessage({ row }: QueuedMessage, ownerId: string): void {
  if (row.ownerId !== ownerId)
    throw new AppError("forbidden", "Another member sent this message. Only they can change it.");
}

async function findQueued(
  database: Database,
  messages: readonly QueuedMessage[],
  threadId: string,
  id: string,
): Promise<QueuedMessage> {
  const found = messages.find(({ row, message }) => row.id === id || message.id === id);
  if (found) return found;
  const [run, message] = await Promise.all([
    database.run.count({ where: { id, threadId } }),
    database.transcriptMessage.count({ where: { id, threadId } }),
  ]);
  if (run + message > 0) throw new AppError("conflict", BEGUN);
  throw new AppError("not_found", "This message is not in the queue.");
}

/** The input with the new text, scanned like any message. */
async function edited(
  database: Database,
  ownerId: string,
  { row, input, message }: QueuedMessage,
  content: string | undefined,
): Promise<{ readonly input?: string }> {
  if (content === undefined) return {};
  const text = cleanText(content);
  if (text.trim() === "") {
    const problem = "The message must not be empty.";
    throw new AppError("invalid_input", problem, { details: [{ path: "content", message: problem }] });
  }
  if (text === message.content) return {};
  const version = await loadAgentVersion(database, row.agentVersionId);
  const guarded = { ownerId, version, messages: [{ role: "user" as const, content: text }] };
  const finding = await guardInput(database, guarded);
  if (finding) logFinding(guarded, row.id, finding);
  const messages = input.messages.map((one) => (one.id === message.id ? { ...one, content: text } : one));
  const sent = input.sent ?? input.messages.map((one) => one.content);
  return { input: JSON.stringify({ ...input, messages, sent }) };
}

function isSteer({ row }: QueuedMessage, target: SteerableRun | null): boolean {
  return target !== null && row.steersRunId === target.id;
}

/** The run that the message then steers; null if it waits for the end of the run. */
function steersAfter(one: QueuedMessage, target: SteerableRun | null, mode: QueuePatch["mode"]): string | null {
  if (mode === "queue") return null;
  if (mode === undefined) return isSteer(one, target) ? one.row.steersRunId : null;
  if (target?.ownerId === one.row.ownerId) return target.id;
  if (target)
    throw new AppError("conflict", "Another member's run is going on. The message is sent when it has ended.");
  throw new AppError("conflict", "No run is going on that could read this message. It is sent when its turn comes.");
}

interface Move {
  readonly steers: boolean;
  readonly wasSteer: boolean;
  readonly position?: number | undefined;
}

/** Steers come first: a new one goes behind the others; a former one becomes the next message. */
function orderAfter(
  messages: readonly QueuedMessage[],
  one: QueuedMessage,
  { steers, wasSteer, position }: Move,
  target: SteerableRun | null,
): QueuedMessage[] {
  const others = messages.filter((other) => other !== one);
  const steering = others.filter((other) => isSteer(other, target)).length;
  const [from, to] = steers ? [0, steering] : [steering, others.length];
  const kept = steers === wasSteer ? messages.indexOf(one) : steering;
  const wanted = position === undefined ? kept : position - 1;
  return others.toSpliced(Math.min(to, Math.max(from, wanted)), 0, one);
}
