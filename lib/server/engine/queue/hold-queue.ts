import type { Database } from "@/lib/server/platform/db/database";
import {
  countSteerStatement,
  holdStatement,
  setLeafStatement,
  skipQueuedStatements,
} from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { selectThreadEnd } from "@/lib/server/platform/db/queries/paths";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { inQueue } from "./change-queue";
import { loadQueue } from "./queue-order";
import type { QueuedMessage } from "./queued-message";

interface WhoseQueue {
  readonly threadId: string;
  /** Only this person's messages; default: everybody's. */
  readonly ownerId?: string | undefined;
}

/**
 * Holds the messages that people have queued in a thread, steers included, until their senders send or drop them
 * (D-96). Returns the ids of their runs.
 */
export async function holdQueued(database: Database, { threadId, ownerId }: WhoseQueue): Promise<readonly string[]> {
  const load = async () =>
    (await loadQueue(database, threadId)).filter(
      ({ row, input }) => input.fromPerson === true && (ownerId === undefined || row.ownerId === ownerId),
    );
  if ((await load()).length === 0) return [];
  let held: readonly string[] = [];
  await inQueue(database, threadId, async () => {
    const messages = await load();
    held = messages.map(({ row }) => row.id);
    if (messages.length > 0) await database.runAll(await holdStatements(database, threadId, messages));
  });
  return held;
}

/** Held messages leave the tree: whatever follows one, and the branch that the thread shows, skips them. */
async function holdStatements(
  database: Database,
  threadId: string,
  messages: readonly QueuedMessage[],
): Promise<SqlStatement[]> {
  const heldAt = new Date();
  const held = new Map<string | null, QueuedMessage>();
  const unheld = (id: string | null): string | null => {
    const message = held.get(id);
    return message ? unheld(message.row.afterRunId) : id;
  };
  const statements = messages.flatMap((message) => {
    const { id, input, steersRunId } = message.row;
    const afterRunId = unheld(message.row.afterRunId);
    held.set(id, message);
    return [
      ...(steersRunId === null ? [] : [countSteerStatement(steersRunId, -1)]),
      holdStatement({ id, input, afterRunId }, heldAt),
      ...skipQueuedStatements(threadId, { id, afterRunId }),
    ];
  });
  const { leafRunId } = await selectThreadEnd(database, threadId);
  for (let one = held.get(leafRunId); one; one = held.get(one.row.afterRunId)) {
    if (!one.input.beginsBranch) continue;
    // Nothing of the shown branch has begun: the thread shows again what it showed before.
    const begun = await database.run.findFirst({
      where: { threadId, parentRunId: null, epoch: { gt: 0 } },
      orderBy: { position: "desc" },
      select: { id: true },
    });
    return [...statements, setLeafStatement(threadId, begun?.id ?? null)];
  }
  return statements;
}
