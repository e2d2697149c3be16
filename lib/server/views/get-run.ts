import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { type Run, RunStatus } from "@/lib/schema/runs/run";
import type { Reader } from "@/lib/schema/users/user";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { decodeOrUnknown } from "@/lib/server/engine/log/event-row";
import { toRun } from "@/lib/server/engine/run-row";
import { shownTraceId } from "@/lib/server/engine/trace-id";
import type { Database } from "@/lib/server/platform/db/database";
import { selectFirstEvent } from "@/lib/server/platform/db/queries/run-events";
import { runInReach } from "@/lib/server/platform/within-reach";
import type { ProjectedRun } from "./project-agents-api";
import { readableBy } from "./readable-by";
import { shownStatuses } from "./shown-status";

/** A run as its owner or an admin sees it; another person's is `not_found`, like an absent one. */
export async function getRun(database: Database, runId: string, viewer: Viewer): Promise<Run> {
  const row = await database.run.findFirst({
    where: { id: runId, ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }), ...runInReach(viewer) },
    include: { agentVersion: { select: { number: true } } },
  });
  if (!row) throw runNotFound();
  const [statuses, promptSections] = await Promise.all([
    shownStatuses(database, [row]),
    loadPromptSections(database, row.id),
  ]);
  const status = statuses.get(row.id) ?? RunStatus.parse(row.status);
  return { ...toRun(row), status, ...(promptSections ? { promptSections } : {}) };
}

/** Kept with the run's first model call (S4 §2); undefined before it. */
async function loadPromptSections(database: Database, runId: string) {
  const data = await selectFirstEvent(database, runId, "model.started");
  const event = data === null ? null : decodeOrUnknown(data);
  return event?.type === "model.started" ? event.sections : undefined;
}

/**
 * What a stream needs of a run that the viewer can read with its thread; a deleted thread's runs and those of others
 * are `not_found`.
 */
export async function requireReadableRun(
  database: Database,
  runId: string,
  viewer: Reader,
): Promise<ProjectedRun & { readonly ownerId: string }> {
  const row = await database.run.findFirst({
    where: { id: runId, thread: { deletedAt: null, ...readableBy(viewer) } },
    select: { ownerId: true, traceId: true, thread: { select: { clientId: true } } },
  });
  if (!row) throw runNotFound();
  const { ownerId, traceId, thread } = row;
  return { runId, ownerId, traceId: shownTraceId(traceId), clientThreadId: thread.clientId };
}

export function runNotFound(): AppError {
  return new AppError("not_found", "There is no such run.");
}
