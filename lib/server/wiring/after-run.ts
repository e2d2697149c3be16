import { USAGE_LOG_HOOK } from "@/lib/hooks/usage-log";
import type { HookEntry } from "@/lib/schema/agents/agent-config-rules";
import { hasEnded, OriginDetails, RunStatus } from "@/lib/schema/runs/run";
import { showUsage } from "@/lib/schema/runs/usage";
import { loadVersionOrNull } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { compactAfterRun } from "@/lib/server/engine/compaction/compact-after-run";
import type { CompactionDependencies } from "@/lib/server/engine/compaction/compact-history";
import { usageOfRow } from "@/lib/server/engine/run-row";
import type { Database } from "@/lib/server/platform/db/database";
import { selectRun } from "@/lib/server/platform/db/queries/runs";
import { selectTraceModel } from "@/lib/server/platform/db/queries/traces";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";

/**
 * The steps after an ended run (S4 phase 7): its usage in the log, then the compaction of its thread. Does nothing if
 * the run continues (it waits, or another process has it). Aborts with `signal`.
 */
export async function afterRun(
  services: Services,
  dependencies: CompactionDependencies,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const run = await selectRun(database, runId);
  if (!run || !hasEnded(RunStatus.parse(run.status))) return;
  if (!(await hasLoggedItself(database, run))) logRunUsage(run, await selectTraceModel(database, run.traceId));
  if (run.originDetails !== null) await settleOrigin(services, run.originDetails);
  await compactAfterRun(dependencies, run, signal);
}

/** Loaded only after a run started by a trigger or a board. */
async function settleOrigin(services: Services, originDetails: string): Promise<void> {
  const { triggerId, boardId } = OriginDetails.parse(JSON.parse(originDetails));
  if (boardId !== undefined) {
    const { tickBoard } = await import("@/lib/server/triggers/boards/tick-board");
    await tickBoard(services, boardId);
  }
  if (triggerId === undefined) return;
  const { settleTrigger } = await import("@/lib/server/triggers/settle-firing");
  await settleTrigger(services, triggerId);
}

/**
 * Whether the hook `usage-log` has already written the line, as it does if the run reached its loop: one line per run
 * is enough.
 */
async function hasLoggedItself(database: Database, { agentVersionId, steps }: ClaimedRun): Promise<boolean> {
  if (steps === 0) return false;
  const version = await loadVersionOrNull(database, agentVersionId);
  return (version?.config.hooks ?? []).some((entry) => isUsageLog(entry));
}

function isUsageLog(entry: HookEntry): boolean {
  return typeof entry === "string" ? entry === USAGE_LOG_HOOK : entry.name === USAGE_LOG_HOOK && entry.enabled;
}

/** S2's usage logger: one line per ended run, whatever its status. */
function logRunUsage(run: ClaimedRun, model: string | null): void {
  const { reasoningTokens: _, cachedWriteTokens: __, ...usage } = showUsage(usageOfRow(run));
  logger().info(
    {
      runId: run.id,
      threadId: run.threadId,
      agentId: run.agentId,
      status: run.status,
      steps: run.steps,
      model,
      ...usage,
      costUsd: run.costUsd,
      durationMs: run.startedAt && run.endedAt ? Math.max(0, run.endedAt.getTime() - run.startedAt.getTime()) : null,
    },
    "run usage",
  );
}
