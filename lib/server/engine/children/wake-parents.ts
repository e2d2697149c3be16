import { announceQueued } from "@/lib/server/engine/log/signals";
import { requeueColumns } from "@/lib/server/engine/queue";
import type { Database } from "@/lib/server/platform/db/database";

/**
 * Queues the next segment of every run that waits only for child runs that have all ended. Called by whoever ends a
 * child or pauses a parent, and periodically by the host: a crash in between only delays a parent.
 */
export async function wakeParents(database: Database): Promise<void> {
  const ready = await database.raw<{ id: string }>(
    `select p."id" from "run" p where p."status" = 'waiting' and p."waitingFor" = 'child' and not exists (
      select 1 from "run" c where c."parentRunId" = p."id" and c."isBackground" = ${no(database)}
        and c."endedAt" is null)`,
    [],
  );
  for (const { id } of ready) {
    const run = await database.run.findUnique({ where: { id } });
    if (!run) continue;
    const { count } = await database.run.updateMany({
      where: { id, status: "waiting", waitingFor: "child", segment: run.segment },
      data: requeueColumns(run),
    });
    if (count > 0) announceQueued();
  }
}

function no({ dialect }: Database): string {
  return dialect.provider === "sqlite" ? "0" : "false";
}
