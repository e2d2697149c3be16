import { type SqlBool, sql } from "kysely";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";

/** A run that has ended, as the charts count it. */
interface EndedRun {
  readonly runId: string;
  readonly traceId: string;
  readonly ownerId: string;
  readonly agentId: string;
  readonly status: string;
  readonly endedAt: Date;
  /** Null if it is unknown. */
  readonly costUsd: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly workedMs: number;
  readonly waitedMs: number;
}

const HOUR_MS = 3_600_000;

const SUMS = ["runs", "unpricedRuns", "costUsd", "inputTokens", "outputTokens", "workedMs", "waitedMs"] as const;
/** The columns that identify a row. */
export const HOURS_KEY = ["hour", "ownerId", "agentId", "status", "bucket"] as const;

interface Counted extends Omit<EndedRun, "endedAt"> {
  readonly hour: Date;
  readonly bucket: number;
  readonly unpricedRuns: number;
  readonly costUsd: number;
}

const counted = hotStatement((value: PlaceFor<Counted>) => {
  const runs = sql.lit(1);
  const given = [...HOURS_KEY, ...SUMS].map((name) =>
    (name === "runs" ? runs : sql`${value(name as keyof Counted)}`).as(name),
  );
  const listed = build
    .selectFrom("trace as r")
    .innerJoin("thread as t", "t.id", "r.threadId")
    .select(given)
    .where("r.id", "=", value("traceId"))
    .where("r.runId", "=", value("runId"))
    .where(sql<SqlBool>`not "t"."isTest"`);
  return build
    .insertInto("trace_hour")
    .columns([...HOURS_KEY, ...SUMS])
    .expression(listed)
    .onConflict((conflict) =>
      conflict
        .columns([...HOURS_KEY])
        .doUpdateSet(
          Object.fromEntries(
            SUMS.map((name) => [name, sql`${sql.ref(`trace_hour.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
          ),
        ),
    );
});

/** Adds a run to its hour if the list has its trace: not a subagent's, and not one of a test thread. */
export function countEndedStatement({ endedAt, costUsd, ...run }: EndedRun): SqlStatement {
  const { runId, traceId, ownerId, agentId, status, inputTokens, outputTokens, workedMs, waitedMs } = run;
  return counted({
    ...{ runId, traceId, ownerId, agentId, status, inputTokens, outputTokens, workedMs, waitedMs },
    hour: new Date(Math.floor(endedAt.getTime() / HOUR_MS) * HOUR_MS),
    bucket: bucketOf(workedMs),
    unpricedRuns: costUsd === null ? 1 : 0,
    costUsd: costUsd ?? 0,
  });
}

/** 0 for no time at all; otherwise the times from 2^(bucket - 1) ms to below 2^bucket ms are in one bucket. */
function bucketOf(workedMs: number): number {
  return workedMs < 1 ? 0 : Math.floor(Math.log2(workedMs)) + 1;
}
