import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { UndoneRun, UndoPreview } from "@/lib/schema/traces/undo";
import type { Viewer } from "@/lib/schema/users/user";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { finishUndo, performTakingBack, performUndo, workspacesOf } from "./journal";
import { planUndo, type UndoPlan } from "./plan-undo";
import { UNDO_PREFIX, UndoTargets } from "./undo-targets";
import { requireRunToUndo } from "./who-may-undo";
import { requireNobodyWorks } from "./working-runs";

/** What undoing the run would do. Throws as `planUndo`. */
export async function previewUndo(services: Services, runId: string, viewer: Viewer): Promise<UndoPreview> {
  await finishEarlier(services, runId, viewer);
  return (await planUndo(services.database, runId, viewer)).preview;
}

/**
 * Undoes the run with its subagents' runs: everything that was shown, or nothing. Throws as `planUndo`, and `conflict`
 * if something has changed since it was shown, if there is nothing to undo, and while a run works on the same files.
 */
export async function undoRun(services: Services, runId: string, token: string, viewer: Viewer): Promise<UndoneRun> {
  await finishEarlier(services, runId, viewer);
  const plan = await planUndo(services.database, runId, viewer);
  requireAsShown(plan, token);
  const { targets, found, preview } = plan;
  if (!preview.canUndo) {
    throw new AppError("conflict", "Nothing of this run can be undone.");
  }
  const id = createId(UNDO_PREFIX.slice(0, -1));
  const { threadId } = found.run;
  await performUndo(services, { id, runId, threadId, actorId: viewer.id, targets }, () =>
    requireNobodyWorks(services.database, { workspaceIds: workspacesOf(targets), threadId }),
  );
  return describe(services.database, id);
}

/**
 * Brings back what an undo took, while nothing that it touched has changed since. Throws `not_found` for whoever may
 * not undo the run, and `conflict` otherwise.
 */
export async function takeBackUndo(services: Services, runId: string, viewer: Viewer): Promise<UndoneRun> {
  const { database } = services;
  await finishEarlier(services, runId, viewer);
  const { run, isOwn } = await requireRunToUndo(database, runId, viewer);
  const undo = await database.undo.findFirst({ where: { runId, state: "done" } });
  if (!undo) throw new AppError("conflict", "This run is not undone, so there is nothing to take back.");
  const targets = UndoTargets.parse(JSON.parse(undo.targets));
  if (!isOwn && undo.actorId !== viewer.id) {
    throw new AppError("conflict", "Only who undid it, or whose run it is, takes it back.");
  }
  await requirePlanAsLeft(database, targets, runId);
  const check = () => requireNobodyWorks(database, { workspaceIds: workspacesOf(targets), threadId: run.threadId });
  await performTakingBack(services, undo, { actorId: viewer.id, check });
  return describe(database, undo.id);
}

/** Finishes an undo of the run that another process has left, before anything else is decided about it. */
async function finishEarlier(services: Services, runId: string, viewer: Viewer): Promise<void> {
  await requireRunToUndo(services.database, runId, viewer);
  const open = await services.database.undo.findFirst({ where: { runId, endedAt: null }, select: { id: true } });
  if (open) await finishUndo(services, open.id);
}

function requireAsShown({ preview }: UndoPlan, token: string): void {
  if (preview.token === token) return;
  throw new AppError("conflict", "Something of it has changed since. Look again.");
}

async function requirePlanAsLeft(database: Database, { todos }: UndoTargets, runId: string): Promise<void> {
  if (todos === null) return;
  const run = await database.run.findUnique({ where: { id: runId }, select: { todos: true } });
  if (run?.todos !== todos.to) throw new AppError("conflict", "The plan has changed. Look again.");
}

async function describe(database: Database, id: string): Promise<UndoneRun> {
  const undo = await database.undo.findUniqueOrThrow({ where: { id } });
  const { words, backWords } = UndoTargets.parse(JSON.parse(undo.targets));
  const isBack = undo.state === "taken_back";
  const at = (undo.endedAt ?? undo.startedAt).toISOString();
  return { runId: undo.runId, state: isBack ? "taken_back" : "done", text: isBack ? backWords : words, at };
}
