import { requeueColumns } from "@/lib/server/engine/claimed-run";
import { announceQueued } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { selectParentsToWake } from "@/lib/server/platform/db/queries/runs";

/**
 * Queues the next segment of every run that waits only for child runs that have all ended. Called by whoever ends a
 * child or pauses a parent, and periodically by the host: a crash in between only delays a parent.
 */
export async function wakeParents(database: Database): Promise<void> {
  for (const id of await selectParentsToWake(database)) {
    const run = await database.run.findUnique({ where: { id } });
    if (!run) continue;
    const { count } = await database.run.updateMany({
      where: { id, status: "waiting", waitingFor: "child", segment: run.segment },
      data: requeueColumns(run),
    });
    if (count > 0) announceQueued();
  }
}
