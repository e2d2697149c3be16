import { RunSuspended } from "@/lib/agent/run-cancelled";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { readInputOrNone } from "@/lib/server/engine/run-input";
import { logger } from "@/lib/server/platform/logger";
import { type CompactionDependencies, compactHistory } from "./compact-history";

/**
 * Compacts the thread of an ended run when it is due. Never throws, because no caller waits for it: a failure is logged
 * and traced, and the next run tries again.
 */
export async function compactAfterRun(
  dependencies: CompactionDependencies,
  run: ClaimedRun,
  signal: AbortSignal,
): Promise<void> {
  // A run that stopped at its limit can be continued, which needs everything it read in full (D-83).
  if (run.parentRunId !== null || run.status === "limit") return;
  if (readInputOrNone(run.input).compact === false) return;
  try {
    const version = await loadAgentVersion(dependencies.database, run.agentVersionId);
    if (!version.config.compaction.enabled) return;
    await compactHistory(dependencies, { run, version, when: "due", signal });
  } catch (error) {
    if (signal.reason instanceof RunSuspended) return;
    logger().warn(
      { err: error, runId: run.id, threadId: run.threadId },
      "could not compact a thread; the next run tries again",
    );
  }
}
