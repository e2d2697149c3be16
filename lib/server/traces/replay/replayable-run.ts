import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { hasEnded, RunStatus } from "@/lib/schema/runs/run";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf, selectReachable } from "@/lib/server/platform/db/queries/agent-access";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import type { Services } from "@/lib/server/platform/services";
import { auditTraceAccess } from "@/lib/server/traces/audit-trace-access";
import { flushSpans } from "@/lib/server/traces/recorder";
import { traceNotFound, visibleTo } from "@/lib/server/traces/trace-access";
import { loadRecordedRun, type RecordedRun, recordedState } from "./recorded-run";

/**
 * The run with this id, or of the trace with this id, if the viewer may see its trace. Throws `not_found`; an
 * administrator's access is audited.
 */
export async function findTracedRun(services: Services, viewer: Viewer, id: string): Promise<RunRow> {
  const { database } = services;
  const found = await database.run.findFirst({ where: { OR: [{ id }, { traceId: id, parentRunId: null }] } });
  const trace =
    found &&
    (await database.trace.findFirst({
      where: { AND: [visibleTo(viewer), { id: found.traceId }] },
      select: { id: true, ownerId: true, threadId: true },
    }));
  if (!found || !trace) throw traceNotFound();
  await auditTraceAccess(services, viewer, trace);
  await flushSpans();
  return found;
}

/** What an ended run did. Throws `conflict` with what a replay lacks. */
export async function requireRecording(db: Database, run: RunRow): Promise<RecordedRun> {
  if (run.parentRunId !== null) throw new AppError("conflict", "A subagent's run is replayed with the run above it.");
  if (!hasEnded(RunStatus.parse(run.status))) {
    throw new AppError("conflict", "This run has not ended. Replay it once it has.");
  }
  if (run.steps === 0)
    throw new AppError("conflict", "This run never called its model, so there is no step to replay.");
  const recorded = await loadRecordedRun(db, run);
  if (recorded) return recorded;
  throw new AppError("conflict", "The messages of this run are gone, or from before their steps were recorded.");
}

/** Throws `not_found` if the agent was deleted, or the viewer may not use it any more. */
export async function requireAgent(db: Database, viewer: Viewer, agentId: string): Promise<void> {
  const [agent] = await selectReachable(db, [agentId], accessOf(viewer));
  if (agent) return;
  const remedy = "If it was deleted, an administrator can restore it under Agents.";
  throw new AppError("not_found", `You can no longer use the agent "${agentId}". ${remedy}`);
}

/** Throws `conflict` if the plan and the summary with which the step began are not known. */
export async function requireState(db: Database, runId: string, step: number): Promise<void> {
  if (await recordedState(db, runId, step)) return;
  throw new AppError("conflict", `What step ${step} began with was not recorded, or is no longer kept.`);
}
