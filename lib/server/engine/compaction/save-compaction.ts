import { z } from "zod";
import type { CompactionData } from "@/lib/schema/runs/compaction";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { LeaseLost } from "@/lib/server/engine/lease-lost";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound, isNothingChanged, NothingChanged } from "@/lib/server/platform/db/errors";
import { atOnce, retry } from "@/lib/server/platform/retry";

interface Save {
  /** The run before the marker: the last of its path when the compaction began. */
  readonly run: ClaimedRun;
  /** The holder of the thread's lock; without the lock nothing is saved. */
  readonly lockOwner: string;
  /** The last message covered by the summary. */
  readonly cutId: string;
  readonly data: CompactionData;
}

/** How often to retry while subagents change their cards in the same message. */
const MAX_RETRIES = 20;

const Parts = z.array(z.looseObject({ type: z.string() }));

/**
 * Stores a compaction in one transaction: summary and cut, the thread's counter, the marker in the transcript. Messages
 * are unchanged. Throws LeaseLost if `lockOwner` no longer holds the lock.
 */
export async function saveCompaction(database: Database, save: Save): Promise<void> {
  const { run, data } = save;
  await retry(() => tryToSave(database, save), { when: isNothingChanged, delays: atOnce(MAX_RETRIES) });
  announceToUser(run.ownerId, { type: "thread.compacted", threadId: run.threadId, compactionCount: data.count });
}

async function tryToSave(database: Database, { run, lockOwner, cutId, data }: Save): Promise<void> {
  const where = { id: run.assistantMessageId };
  const readMessage = () => database.transcriptMessage.findUnique({ where, select: { parts: true } });
  const shown = await readMessage();
  const marker = { type: "data-compaction", id: `compaction-${data.count}`, data };
  try {
    await database.$transaction([
      database.thread.update({
        where: { id: run.threadId, compactionOwner: lockOwner },
        data: { compactionCount: { increment: 1 } },
        select: { id: true },
      }),
      database.compaction.create({
        data: {
          id: createId("cmp"),
          threadId: run.threadId,
          afterRunId: run.id,
          cutMessageId: cutId,
          summary: data.summary,
          count: data.count,
        },
        select: { id: true },
      }),
      ...(shown
        ? [
            database.transcriptMessage.update({
              where: { ...where, parts: shown.parts },
              data: { parts: JSON.stringify([...Parts.parse(JSON.parse(shown.parts)), marker]) },
              select: { id: true },
            }),
          ]
        : []),
    ]);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if ((await readMessage())?.parts !== shown?.parts) throw new NothingChanged("The message has changed.");
    throw new LeaseLost();
  }
}
