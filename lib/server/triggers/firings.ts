import type { z } from "zod";
import type { PageQuery } from "@/lib/schema/page-query";
import { RunStatus } from "@/lib/schema/runs/run";
import type { Firing, FiringList } from "@/lib/schema/triggers/firing";
import type { Database } from "@/lib/server/platform/db/database";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import type { FiringWithRun } from "@/lib/server/platform/db/queries/dispatch/triggers";

export type FiringWhere = NonNullable<NonNullable<Parameters<Database["firing"]["findMany"]>[0]>["where"]>;

/** The firings of a trigger the caller may read, newest first. */
export async function pageOfFirings(
  database: Database,
  triggerId: string,
  query: PageQuery,
): Promise<z.infer<typeof FiringList>> {
  const { rows, nextCursor } = await pageOfFiringRows(database, { triggerId }, query);
  return { firings: rows.map(toFiring), nextCursor };
}

/** Rows of firings with what is known of their runs, newest first. */
export async function pageOfFiringRows(database: Database, where: FiringWhere, { limit, cursor }: PageQuery) {
  const rows = await database.firing.findMany({
    where: { AND: [where, timeCursors.behind(cursor, "dueAt", "descending")] },
    orderBy: [{ dueAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ dueAt, id: last }) => timeCursors.write(dueAt, last));
  const runs = await database.run.findMany({
    where: { id: { in: page.flatMap(({ runId }) => runId ?? []) } },
    select: { id: true, status: true, costUsd: true, startedAt: true, endedAt: true },
  });
  const runOf = new Map(runs.map((run) => [run.id, run]));
  const withRuns = page.map((row): FiringWithRun => {
    const { status = null, costUsd = null, startedAt = null, endedAt = null } = runOf.get(row.runId ?? "") ?? {};
    return { ...row, status, costUsd, startedAt, endedAt };
  });
  return { rows: withRuns, nextCursor };
}

export function toFiring(row: FiringWithRun): Firing {
  return {
    id: row.id,
    dueAt: row.dueAt.toISOString(),
    ...(row.externalId === null ? {} : { externalId: row.externalId }),
    state: row.state as Firing["state"],
    reason: row.reason,
    runId: row.runId,
    threadId: row.threadId,
    count: row.count,
    status: RunStatus.nullable().catch(null).parse(row.status),
    costUsd: row.costUsd,
    failedCalls: row.failedCalls,
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}
