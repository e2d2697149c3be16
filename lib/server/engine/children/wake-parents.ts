import { requeueColumns } from "@/lib/server/engine/claimed-run";
import { dispatchStatements } from "@/lib/server/engine/dispatch/dispatcher-of";
import { announceQueued } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { requeueParentStatement, selectParentsToWake } from "@/lib/server/platform/db/queries/runs";

/**
 * Queues the next segment of every run that was waiting only for child runs and whose children have all ended. Called
 * whenever a child ends or a parent pauses, and periodically by the host: a crash in between only delays a parent.
 */
export async function wakeParents(database: Database): Promise<void> {
  await eachAlone(await selectParentsToWake(database), "waking a parent", (id) => wakeParent(database, id));
}

async function wakeParent(database: Database, id: string): Promise<void> {
  const run = await database.run.findUnique({ where: { id } });
  if (!run) return;
  const next = requeueColumns(run);
  try {
    await database.runAll([
      requeueParentStatement(run, next),
      ...(await dispatchStatements(database, { id, ownerId: run.ownerId, segment: next.segment })),
    ]);
    announceQueued();
  } catch (error) {
    if (!isNothingChanged(error)) throw error;
  }
}
