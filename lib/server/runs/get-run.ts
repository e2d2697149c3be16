import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { type Run, RunStatus } from "@/lib/schema/run";
import type { Viewer } from "@/lib/schema/user";
import { database } from "../db";
import type { ProjectedRun } from "./project-wick";
import { toRun } from "./run-row";
import { shownStatuses } from "./shown-status";

/** A run as its owner or an admin sees it; anybody else's is `not_found`, the same as an absent one. */
export async function getRun(runId: string, viewer: Viewer): Promise<Run> {
  const row = await database().run.findFirst({
    where: { id: runId, ...(viewer.role === "admin" ? {} : { ownerId: viewer.id }) },
    include: { agentVersion: { select: { number: true } } },
  });
  if (!row) throw runNotFound();
  const statuses = await shownStatuses(database(), [row]);
  return { ...toRun(row), status: statuses.get(row.id) ?? RunStatus.parse(row.status) };
}

/** What a stream of the viewer's own run needs; a deleted thread's runs and those of others are `not_found`. */
export async function requireOwnRun(runId: string, ownerId: string): Promise<ProjectedRun> {
  const row = await database().run.findFirst({
    where: { id: runId, ownerId, thread: { deletedAt: null } },
    select: { traceId: true, thread: { select: { clientId: true } } },
  });
  if (!row) throw runNotFound();
  return { runId, traceId: row.traceId, clientThreadId: row.thread.clientId };
}

export function runNotFound(): AppError {
  return new AppError("not_found", "There is no such run.");
}
