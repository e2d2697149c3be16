import { OriginDetails, type Run, type RunOrigin, RunOriginKind, RunStatus } from "@/lib/schema/runs/run";
import { toRunVersion } from "@/lib/schema/runs/run-version";
import { showUsage, totalTokens, type Usage } from "@/lib/schema/runs/usage";
import { logger } from "@/lib/server/platform/logger";
import { shownTraceId } from "./trace-id";

/** The columns of a run that describe how it went. */
export interface RunRow extends Readonly<Usage> {
  readonly id: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly status: string;
  readonly traceId: string;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly steps: number;
  readonly costUsd: number | null;
  readonly continuesRunId: string | null;
  readonly replayId: string | null;
  readonly replayOf: string | null;
  readonly fromStep: number | null;
  readonly waitingFor: string | null;
  readonly parentRunId: string | null;
  readonly origin: string;
  readonly originDetails: string | null;
  readonly attended: boolean;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  /** Null if the version is gone, as after a restore by hand: the run is still shown. */
  readonly agentVersion: { readonly number: number | null } | null;
}

/** The columns with usage and cost that runs, threads and traces have. */
export const USAGE_COLUMNS = {
  inputTokens: true,
  cachedReadTokens: true,
  cachedWriteTokens: true,
  outputTokens: true,
  reasoningTokens: true,
  isUsagePartial: true,
  isUsageEstimated: true,
  costUsd: true,
} as const;

export function usageOfRow(row: Usage): Usage {
  const { inputTokens, cachedReadTokens, cachedWriteTokens, outputTokens, reasoningTokens } = row;
  const known = { inputTokens, cachedReadTokens, cachedWriteTokens, outputTokens, reasoningTokens };
  return {
    ...known,
    ...(row.isUsagePartial ? { isUsagePartial: true } : {}),
    ...(row.isUsageEstimated ? { isUsageEstimated: true } : {}),
  };
}

/** How the run began, from the columns that both runs and traces have. */
export function startOf({ origin, originDetails, attended }: StartColumns): { origin: RunOrigin; attended: boolean } {
  return { origin: { kind: RunOriginKind.parse(origin), ...originDetailsOf({ originDetails }) }, attended };
}

/** For lists: none where they can't be read. */
export function originDetailsOf({ originDetails }: Pick<StartColumns, "originDetails">): OriginDetails {
  try {
    return originDetails === null ? {} : OriginDetails.parse(JSON.parse(originDetails));
  } catch (error) {
    logger().error({ err: error }, "what started a run can't be read");
    return {};
  }
}

type StartColumns = Pick<RunRow, "origin" | "originDetails" | "attended">;

function replayOfRow({ replayId, replayOf, fromStep }: RunRow): Pick<Run, "replayId" | "replayOf" | "fromStep"> {
  return replayId === null || replayOf === null || fromStep === null ? {} : { replayId, replayOf, fromStep };
}

/** A run as `GET /api/runs/{id}` returns it. */
export function toRun(row: RunRow): Run {
  const usage = usageOfRow(row);
  return {
    id: row.id,
    threadId: row.threadId,
    agentId: row.agentId,
    version: toRunVersion(row.agentVersion?.number ?? null),
    status: RunStatus.parse(row.status),
    traceId: shownTraceId(row.traceId),
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    usage: { ...showUsage(usage), totalTokens: totalTokens(usage), costUsd: row.costUsd },
    steps: row.steps,
    continuesRunId: row.continuesRunId,
    ...replayOfRow(row),
    waitingFor: row.waitingFor,
    parentRunId: row.parentRunId,
    ...startOf(row),
    ...(row.errorCode === null ? {} : { error: { code: row.errorCode, message: row.errorMessage ?? "" } }),
  };
}
