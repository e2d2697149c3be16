import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { ENDED_STATUSES } from "@/lib/schema/runs/run";
import type { Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { selectLastChangeOf } from "@/lib/server/platform/db/queries/workspaces/files-then";
import type { Services } from "@/lib/server/platform/services";
import { auditTraceAccess } from "@/lib/server/traces/audit-trace-access";
import { flushSpans } from "@/lib/server/traces/recorder";
import { traceNotFound, visibleTo } from "@/lib/server/traces/trace-access";

type StepRow = NonNullable<Awaited<ReturnType<Database["runStep"]["findFirst"]>>>;
type RunRow = NonNullable<Awaited<ReturnType<Database["run"]["findFirst"]>>>;

/** A step of a run that the viewer may see. */
export interface FoundStep {
  readonly run: RunRow;
  /** The run's model calls. */
  readonly steps: number;
  /** Rows of the run's steps up to this one, in order; empty for a run from before they were recorded. */
  readonly rows: readonly StepRow[];
  /** The row of this very step; null if none was recorded. */
  readonly row: StepRow | null;
  readonly isEnd: boolean;
  /** Its files and the last change of them that counts; null if neither is known. */
  readonly moment: { readonly workspaceId: string; readonly seq: number } | null;
}

/**
 * Throws `not_found` for a run whose trace the viewer may not see, and `invalid_input` for a step that the run does not
 * have; the step after the last one exists once the run has ended. An administrator's access is audited.
 */
export async function findStep(
  services: Services,
  viewer: Viewer,
  { runId, step }: { runId: string; step: number },
): Promise<FoundStep> {
  const { database } = services;
  const run = await database.run.findUnique({ where: { id: runId } });
  const trace =
    run &&
    (await database.trace.findFirst({
      where: { AND: [visibleTo(viewer), { id: run.traceId }] },
      select: { id: true, ownerId: true, threadId: true },
    }));
  if (!trace) throw traceNotFound();
  await auditTraceAccess(services, viewer, trace);
  await flushSpans();
  const all = await database.runStep.findMany({ where: { runId }, orderBy: { step: "asc" } });
  const hasEnded = ENDED_STATUSES.some((status) => status === run.status);
  const steps = hasEnded ? run.steps : Math.max(run.steps, ...all.map((row) => row.step));
  const last = hasEnded ? steps + 1 : steps;
  if (step > last) throw new AppError("invalid_input", noSuchStep(last, hasEnded));
  const rows = all.filter((row) => row.step <= step);
  const row = rows.find((one) => one.step === step) ?? null;
  const isEnd = hasEnded && step === last;
  return { run, steps, rows, row, isEnd, moment: momentOf(row) ?? (isEnd ? await leftAt(database, rows) : null) };
}

function noSuchStep(last: number, hasEnded: boolean): string {
  if (last === 0) return "step: the run has not called its model yet.";
  return hasEnded ? `step: is 1 to ${last}, the end of the run.` : `step: is 1 to ${last} so far.`;
}

function momentOf(row: StepRow | null): FoundStep["moment"] {
  const { workspaceId = null, readSeq = null } = row ?? {};
  return workspaceId === null || readSeq === null ? null : { workspaceId, seq: readSeq };
}

/** A run that was ended from outside has no row of its end: its own last change counts. */
async function leftAt(db: Database, rows: readonly StepRow[]): Promise<FoundStep["moment"]> {
  const latest = rows.at(-1);
  const moment = momentOf(latest ?? null);
  if (!latest || !moment) return null;
  const own = await selectLastChangeOf(db, { workspaceId: moment.workspaceId, runId: latest.runId });
  return { ...moment, seq: Math.max(moment.seq, own) };
}
