import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { logger } from "@/lib/server/platform/logger";

/** S2's usage logger: one line for every run that has ended, whatever its status. */
export function logRunUsage(run: ClaimedRun, model: string | null): void {
  logger().info(
    {
      runId: run.id,
      threadId: run.threadId,
      agentId: run.agentId,
      status: run.status,
      steps: run.steps,
      model,
      inputTokens: run.inputTokens,
      outputTokens: run.outputTokens,
      cachedReadTokens: run.cachedReadTokens,
      costUsd: run.costUsd,
      durationMs: run.startedAt && run.endedAt ? Math.max(0, run.endedAt.getTime() - run.startedAt.getTime()) : null,
    },
    "run usage",
  );
}
