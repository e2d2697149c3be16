import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { withDates } from "@/lib/server/platform/db/rows";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** An ended run whose spans are to be sent to the OTLP collector. */
export interface TraceExport {
  readonly runId: string;
  readonly traceId: string;
  readonly endedAt: Date;
}

interface NewTraceExport extends TraceExport {
  /** When it is sent at the earliest. */
  readonly dueAt: Date;
}

/** For the transaction in which the run ends. */
export function insertTraceExportStatement({ runId, traceId, endedAt, dueAt }: NewTraceExport): SqlStatement {
  return build
    .insertInto("trace_export")
    .values({ runId, traceId, endedAt: sqlTimestamp(endedAt), dueAt: sqlTimestamp(dueAt) })
    .onConflict((conflict) => conflict.doNothing())
    .compile();
}

/** Whether a run is due. */
export async function hasDueExport(database: Database, now: Date): Promise<boolean> {
  const due = build.selectFrom("trace_export").select("runId").where("dueAt", "<=", sqlTimestamp(now)).limit(1);
  return (await database.execute(due)).length > 0;
}

/**
 * Takes runs that are due, longest first, for as long as it takes to send them: no other process gets them before
 * `until`, and if this one dies they are due again then. In the order of their ends.
 */
export async function claimExports(
  database: Database,
  { now, until, limit }: { readonly now: Date; readonly until: Date; readonly limit: number },
): Promise<TraceExport[]> {
  const due = build
    .selectFrom("trace_export")
    .select("runId")
    .where("dueAt", "<=", sqlTimestamp(now))
    .orderBy("dueAt")
    .limit(limit);
  const claimed = build
    .updateTable("trace_export")
    .set({ dueAt: sqlTimestamp(until) })
    .where("runId", "in", due)
    // Of two processes that have found the same run, the second sees here that it is taken.
    .where("dueAt", "<=", sqlTimestamp(now))
    .returning(["runId", "traceId", "endedAt"]);
  // Postgres returns the rows of an update in any order.
  const taken = withDates(await database.execute(claimed), "endedAt");
  return taken.sort((left, right) => left.endedAt.getTime() - right.endedAt.getTime());
}

/** For runs that were not taken: they are due again in the order of their ends, before those that ended later. */
export async function giveExportsBack(database: Database, runIds: readonly string[]): Promise<void> {
  const given = build
    .updateTable("trace_export")
    .set((eb) => ({ dueAt: eb.ref("endedAt") }))
    .where("runId", "in", [...runIds]);
  await database.execute(given);
}

export async function postponeExports(database: Database, runIds: readonly string[], dueAt: Date): Promise<void> {
  await database.traceExport.updateMany({ where: { runId: { in: [...runIds] } }, data: { dueAt } });
}

export async function deleteExports(database: Database, runIds: readonly string[]): Promise<void> {
  await database.traceExport.deleteMany({ where: { runId: { in: [...runIds] } } });
}
