import { type CompiledQuery, type SqlBool, sql } from "kysely";
import type { RunOriginKind } from "@/lib/schema/runs/run";
import type { Database } from "@/lib/server/platform/db/database";
import { sqlTimestamp } from "@/lib/server/platform/db/dialect";
import { build } from "@/lib/server/platform/db/kysely/build";
import { withDates } from "@/lib/server/platform/db/rows";

/** A root run as a report counts it; its figures include those of its subagents. */
export interface PeriodRun {
  readonly id: string;
  readonly createdAt: Date;
  readonly ownerId: string;
  readonly agentId: string;
  readonly versionNumber: number;
  readonly origin: RunOriginKind;
  readonly model: string | null;
  readonly apiKeyId: string | null;
  readonly status: string;
  readonly inputTokens: number;
  readonly cachedReadTokens: number;
  readonly cachedWriteTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
  readonly isUsagePartial: boolean;
  readonly costUsd: number | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly waitedMs: number;
}

interface Place {
  readonly from: Date;
  readonly to: Date;
  /** The last run of the previous page. */
  readonly after: Pick<PeriodRun, "id" | "createdAt"> | null;
  readonly limit: number;
}

/** The tables of runs: those of threads, and what is kept of runs whose thread was permanently deleted. */
export type RunSource = "run" | "purged_run";

/** Up to `limit` of the runs of published versions that began in the period, in order. */
export async function selectPeriodRuns(database: Database, source: RunSource, place: Place): Promise<PeriodRun[]> {
  return withDates(await database.execute(periodRuns(source, place)), "createdAt", "startedAt", "endedAt");
}

const FIGURES = [
  ...(["origin", "model", "apiKeyId", "status", "inputTokens", "cachedReadTokens", "cachedWriteTokens"] as const),
  ...(["outputTokens", "reasoningTokens", "isUsagePartial", "costUsd", "createdAt", "startedAt", "endedAt"] as const),
  "waitedMs",
] as const;

const OWN = ["id", "ownerId", "agentId", ...FIGURES] as const;
const OWN_COLUMNS = OWN.map((name) => `r.${name}` as const);

function rootRuns() {
  return build
    .selectFrom("run as r")
    .innerJoin("agent_version as v", "v.id", "r.agentVersionId")
    .select(OWN_COLUMNS)
    .select((eb) => eb.ref("v.number").$notNull().as("versionNumber"))
    .where("r.depth", "=", sql.lit(0))
    .where("v.number", "is not", null);
}

type PeriodRunRow = Omit<PeriodRun, "createdAt" | "startedAt" | "endedAt"> & {
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
};

/** Through `run_root_created_idx`, or the index of the purged ones. */
export function periodRuns(source: RunSource, { from, to, after, limit }: Place): CompiledQuery<PeriodRunRow> {
  const runs =
    source === "run" ? rootRuns() : build.selectFrom("purged_run as r").select([...OWN_COLUMNS, "r.versionNumber"]);
  const [time, id] = [sqlTimestamp(after?.createdAt ?? from), after?.id ?? ""];
  const isInPeriod = sql<SqlBool>`(r."createdAt", r."id") > (${time}, ${id}) and r."createdAt" < ${sqlTimestamp(to)}`;
  return (runs as ReturnType<typeof rootRuns>)
    .where(isInPeriod)
    .orderBy("r.createdAt")
    .orderBy("r.id")
    .limit(Math.floor(limit))
    .$narrowType<{ origin: RunOriginKind }>()
    .compile();
}

/** Keeps the usage of the thread's runs before they are deleted. Idempotent. */
export async function keepUsageOfThread(database: Database, threadId: string): Promise<void> {
  await database.execute(
    build
      .insertInto("purged_run")
      .columns([...OWN, "versionNumber"])
      .expression(rootRuns().where("r.threadId", "=", threadId))
      .onConflict((conflict) => conflict.column("id").doNothing()),
  );
}
