import { hasEnded, RunStatus } from "@/lib/schema/run";
import { compactAfterRun } from "../compaction/compact-after-run";
import type { CompactionDependencies } from "../compaction/compact-history";
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
  const run = await database.run.findUnique({ where: { id: runId } });
  if (!run || !hasEnded(RunStatus.parse(run.status))) return;
  const trace = await database.trace.findUnique({ where: { id: run.traceId }, select: { model: true } });
  logRunUsage(run, trace?.model ?? null);
  await compactAfterRun(dependencies, run, signal);
}
