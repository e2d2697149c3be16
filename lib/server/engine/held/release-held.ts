import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import { makeRoom, requireRoom } from "@/lib/server/engine/ending/make-room";
import { announceQueued, announceToUser } from "@/lib/server/engine/log/signals";
import { inQueue } from "@/lib/server/engine/queue/change-queue";
import { loadHeld } from "@/lib/server/engine/queue/queue-order";
import type { Database } from "@/lib/server/platform/db/database";
import { releaseStatement } from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { selectThreadEnd } from "@/lib/server/platform/db/queries/paths";
import { updateThreadStatement } from "@/lib/server/platform/db/queries/threads";
import { logger } from "@/lib/server/platform/logger";

interface OwnHeld {
  readonly threadId: string;
  readonly ownerId: string;
  /** The messages or their runs; default: all that the person has held there. */
  readonly only?: readonly string[] | undefined;
}

/**
 * Sends a person's held messages in the order in which they were written, as messages that are sent now: the first
 * begins at once if nothing else is under way (D-96). Returns how many there were. Throws like `startRun`.
 */
export async function releaseHeld(database: Database, { threadId, ownerId, only }: OwnHeld): Promise<number> {
  let sent: readonly string[] = [];
  await inQueue(database, threadId, async () => {
    const messages = (await loadHeld(database, threadId)).filter(
      ({ row, message }) =>
        row.ownerId === ownerId && (only === undefined || only.includes(row.id) || only.includes(message.id)),
    );
    sent = messages.map(({ row }) => row.id);
    const [first] = messages;
    if (!first) return;
    await requireRoom(database);
    const end = await selectThreadEnd(database, threadId);
    const { projectId, fileScope } = end;
    const placeOf = ({ row, input }: (typeof messages)[number], leaf: string | null) =>
      input.beginsBranch ? row.afterRunId : leaf;
    const afterRunId = placeOf(first, end.leafRunId);
    const isBranched = end.isBranched || messages.some(({ input }) => input.beginsBranch);
    const version = await loadAgentVersion(database, first.row.agentVersionId);
    await makeRoom(database, { threadId, ownerId }, version, { afterRunId, isBranched });
    let { leafRunId } = end;
    const statements = messages.map((message, index) => {
      const { id } = message.row;
      const place = { afterRunId: placeOf(message, leafRunId), position: end.position + index };
      leafRunId = id;
      return releaseStatement({ id, ...place, projectId, fileScope });
    });
    await database.runAll([
      ...statements,
      updateThreadStatement(threadId, { leafRunId, isBranched, updatedAt: new Date() }),
    ]);
  });
  const [first] = sent;
  if (first === undefined) return 0;
  for (const runId of sent) announceToUser(ownerId, { type: "run.changed", threadId, runId, status: "queued" });
  // A failure here only delays the first: what may begin is also looked for every minute.
  await dispatcherOf(database)
    .dispatchNext(first)
    .catch((error: unknown) => logger().warn({ err: error, runId: first }, "could not dispatch a message just sent"));
  announceQueued();
  return sent.length;
}
