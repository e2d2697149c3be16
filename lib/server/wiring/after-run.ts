import { hasEnded, RunStatus } from "@/lib/schema/run";
import { compactAfterRun } from "@/lib/server/engine/compaction/compact-after-run";
import type { CompactionDependencies } from "@/lib/server/engine/compaction/compact-history";
import { loadRun } from "@/lib/server/engine/queue";
import { logRunUsage } from "./log-run-usage";

/**
 * What follows a run that has ended (S4 phase 7): its usage in the log, then the compaction of its thread. Nothing
 * happens when the run goes on (it waits, or another process has it). Aborts with `signal`.
 */
export async function afterRun(
  dependencies: CompactionDependencies,
  runId: string,
  signal: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const run = await loadRun(database, runId);
  if (!run || !hasEnded(RunStatus.parse(run.status))) return;
  const traced = `select "model" from "trace" where "id" = $1`;
  const [trace] = await database.raw<{ model: string | null }>(traced, [run.traceId]);
  logRunUsage(run, trace?.model ?? null);
  await compactAfterRun(dependencies, run, signal);
}
