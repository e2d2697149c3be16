import type { Database } from "@/lib/server/platform/db/database";
import { readRows } from "@/lib/server/platform/db/rows";

/** A root run as a report counts it; its figures contain those of its subagents. */
export interface PeriodRun {
  readonly id: string;
  readonly createdAt: Date;
  readonly ownerId: string;
  readonly agentId: string;
  readonly versionNumber: number;
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
  /** The last run of the page before. */
  readonly after: Pick<PeriodRun, "id" | "createdAt"> | null;
  readonly limit: number;
}

/** Up to `limit` of the runs of published versions that began in the period, in their order; through `run_root_created_idx`. */
export async function selectPeriodRuns(database: Database, place: Place): Promise<PeriodRun[]> {
  const { from, to, after, limit } = place;
  const rows = await database.raw(`${PERIOD_RUNS} limit ${Math.floor(limit)}`, [
    after?.createdAt ?? from,
    after?.id ?? "",
    to,
  ]);
  return readRows<PeriodRun>(rows, { dates: ["createdAt", "startedAt", "endedAt"], flags: ["isUsagePartial"] });
}

export const PERIOD_RUNS = `select r."id", r."createdAt", r."ownerId", r."agentId", v."number" as "versionNumber", r."model",
    r."apiKeyId", r."status", r."inputTokens", r."cachedReadTokens", r."cachedWriteTokens", r."outputTokens",
    r."reasoningTokens", r."isUsagePartial", r."costUsd", r."startedAt", r."endedAt", r."waitedMs"
  from "run" r join "agent_version" v on v."id" = r."agentVersionId"
  where r."depth" = 0 and v."number" is not null and (r."createdAt", r."id") > ($1, $2) and r."createdAt" < $3
  order by r."createdAt", r."id"`;
