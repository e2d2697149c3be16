import type { RunOriginKind } from "@/lib/schema/runs/run";
import type { Database } from "@/lib/server/platform/db/database";
import { readRows } from "@/lib/server/platform/db/rows";

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

/**
 * Up to `limit` of the runs of published versions that began in the period, in order; through `run_root_created_idx`,
 * or the index of the purged ones.
 */
export async function selectPeriodRuns(database: Database, source: RunSource, place: Place): Promise<PeriodRun[]> {
  const { from, to, after, limit } = place;
  const rows = await database.raw(`${PERIOD_RUNS[source]} limit ${Math.floor(limit)}`, [
    after?.createdAt ?? from,
    after?.id ?? "",
    to,
  ]);
  return readRows<PeriodRun>(rows, { dates: ["createdAt", "startedAt", "endedAt"], flags: ["isUsagePartial"] });
}

const FIGURES = `r."origin", r."model", r."apiKeyId", r."status", r."inputTokens", r."cachedReadTokens", r."cachedWriteTokens",
    r."outputTokens", r."reasoningTokens", r."isUsagePartial", r."costUsd", r."createdAt", r."startedAt", r."endedAt",
    r."waitedMs"`;

const ROOT_RUNS = `"run" r join "agent_version" v on v."id" = r."agentVersionId"
  where r."depth" = 0 and v."number" is not null`;

const IN_PERIOD = `(r."createdAt", r."id") > ($1, $2) and r."createdAt" < $3 order by r."createdAt", r."id"`;

export const PERIOD_RUNS: Readonly<Record<RunSource, string>> = {
  run: `select r."id", r."ownerId", r."agentId", v."number" as "versionNumber", ${FIGURES} from ${ROOT_RUNS} and ${IN_PERIOD}`,
  purged_run: `select r."id", r."ownerId", r."agentId", r."versionNumber", ${FIGURES} from "purged_run" r where ${IN_PERIOD}`,
};

/** Keeps the usage of the thread's runs before they are deleted. Idempotent. */
export async function keepUsageOfThread(database: Database, threadId: string): Promise<void> {
  await database.raw(
    `insert into "purged_run" ("id", "ownerId", "agentId", "versionNumber", ${FIGURES.replaceAll("r.", "")})
      select r."id", r."ownerId", r."agentId", v."number", ${FIGURES} from ${ROOT_RUNS} and r."threadId" = $1
      on conflict ("id") do nothing`,
    [threadId],
  );
}
