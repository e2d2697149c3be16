import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import {
  changeQueuedStatement,
  type QueuedMessageRow,
  selectQueuedMessages,
} from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { isInQueue, type QueuedMessage, toQueuedMessage } from "./queued-message";

/** What waits in a thread, in order: the queue, and what is held until its sender sends or drops it (D-96). */
export async function loadWaiting(
  database: Database,
  threadId: string,
): Promise<{ readonly queue: readonly QueuedMessage[]; readonly held: readonly QueuedMessage[] }> {
  const messages = readEach(await selectQueuedMessages(database, threadId), "queued message", toQueuedMessage).filter(
    isInQueue,
  );
  return {
    queue: messages.filter(({ row }) => row.heldAt === null),
    held: messages.filter(({ row }) => row.heldAt !== null),
  };
}

export async function loadQueue(database: Database, threadId: string): Promise<readonly QueuedMessage[]> {
  return (await loadWaiting(database, threadId)).queue;
}

export async function loadHeld(database: Database, threadId: string): Promise<readonly QueuedMessage[]> {
  return (await loadWaiting(database, threadId)).held;
}

/**
 * What determines the order: each message follows the one before it on its branch; the first follows whatever is not
 * queued (D-88).
 */
export type Linked = Pick<QueuedMessageRow, "id" | "afterRunId">;

interface Links {
  /** The run that each message follows, keyed by its id. */
  readonly after: ReadonlyMap<string, string | null>;
  /** The last run of the branch that the thread shows. */
  readonly leafRunId: string | null;
}

/**
 * The links of a queue reordered as `next`, which may lack some of `before`. Messages on one branch stay on it, chained
 * behind the run that the branch's queue began with.
 */
export function relink(before: readonly Linked[], next: readonly Linked[], leafRunId: string | null): Links {
  const known = new Map(before.map((one) => [one.id, one]));
  const headOf = (one: Linked): Linked => {
    const parent = one.afterRunId === null ? undefined : known.get(one.afterRunId);
    return parent ? headOf(parent) : one;
  };
  const after = new Map<string, string | null>();
  const ends = new Map<string, string>();
  for (const one of next) {
    const head = headOf(known.get(one.id) ?? one);
    after.set(one.id, ends.get(head.id) ?? head.afterRunId);
    ends.set(head.id, one.id);
  }
  const leaf = leafRunId === null ? undefined : known.get(leafRunId);
  if (!leaf) return { after, leafRunId };
  const head = headOf(leaf);
  return { after, leafRunId: ends.get(head.id) ?? head.afterRunId };
}

/** Each row's changes besides its place and its link. */
type Changes = ReadonlyMap<string, Partial<Pick<QueuedMessageRow, "input" | "steersRunId">>>;

/** Gives the rows of `next` the `places` in their order, and their links. */
export function orderStatements(
  next: readonly QueuedMessageRow[],
  { places, links, changes = new Map() }: { places: readonly number[]; links: Links; changes?: Changes },
): SqlStatement[] {
  return next.flatMap((row, index) => {
    const position = places[index] ?? row.position;
    const afterRunId = links.after.get(row.id) ?? null;
    const change = changes.get(row.id);
    if (change === undefined && position === row.position && afterRunId === row.afterRunId) return [];
    return [changeQueuedStatement(row, { ...change, position, afterRunId })];
  });
}

interface SteerPlace {
  readonly position: number;
  readonly afterRunId: string | null;
  readonly leafRunId: string | null;
  readonly statements: readonly SqlStatement[];
}

/**
 * The place of a new steer, before every message that waits for the end of the run `target`, and the statements that
 * make room for it. `last` is the first free place of the thread.
 */
export async function steerPlace(
  database: Database,
  threadId: string,
  { runId, target, last, leafRunId }: { runId: string; target: string; last: number; leafRunId: string | null },
): Promise<SteerPlace> {
  const rows = (await loadQueue(database, threadId)).map(({ row }) => row);
  const steers = rows.filter(({ steersRunId }) => steersRunId === target);
  const rest = rows.filter(({ steersRunId }) => steersRunId !== target);
  const isQueuedLeaf = rows.some(({ id }) => id === leafRunId);
  // On the branch that the thread shows, the steer follows the run and the messages queued there follow the steer.
  const behind = steers.at(-1)?.id ?? target;
  const after = new Map<string, string | null>(
    rest.map(({ id, afterRunId }) => [id, afterRunId === behind ? runId : afterRunId]),
  );
  const places = [...rest.map(({ position }) => position), last];
  return {
    position: places[0] ?? last,
    afterRunId: behind,
    leafRunId: isQueuedLeaf && leafRunId !== behind ? leafRunId : runId,
    statements: orderStatements(rest, { places: places.slice(1), links: { after, leafRunId } }),
  };
}
