import "server-only";
import { createHash } from "node:crypto";
import { AppError } from "@/lib/schema/app-error";
import { hasEnded, RunStatus } from "@/lib/schema/runs/run";
import type { UndoPreview } from "@/lib/schema/traces/undo";
import type { Viewer } from "@/lib/schema/users/user";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { Database } from "@/lib/server/platform/db/database";
import { isOnPath, selectThreadEnd, selectTodos } from "@/lib/server/platform/db/queries/paths";
import { maskText } from "@/lib/server/platform/masking";
import { firstLineOf } from "@/lib/server/traces/open-trace";
import { flushSpans } from "@/lib/server/traces/recorder";
import { userNames } from "@/lib/server/users/user-names";
import { type PlannedFile, planFiles } from "./plan-files";
import { reachedOutside } from "./reached-outside";
import { requireVersionsKept } from "./swept-versions";
import { planSentence, undoneText } from "./undo-sentences";
import type { UndoTargets } from "./undo-targets";
import { type RunToUndo, requireRunToUndo } from "./who-may-undo";

/** What undoing a run would do, as the viewer sees it and as it is stored. */
export interface UndoPlan {
  readonly preview: UndoPreview;
  readonly targets: UndoTargets;
  readonly found: RunToUndo;
}

/**
 * Throws `not_found` for whoever may not, and `conflict` while the run or a subagent goes on, once it was undone, and
 * where an earlier text that is needed, or a version from during the run, was cleaned up.
 */
export async function planUndo(database: Database, runId: string, viewer: Viewer): Promise<UndoPlan> {
  const found = await requireRunToUndo(database, runId, viewer);
  const { run, tree, isOwn } = found;
  const open = tree.find(({ status }) => !hasEnded(RunStatus.parse(status)));
  if (open) throw new AppError("conflict", `The run ${open.id} is still going on. Stop it first.`);
  await requireNotUndone(database, runId);
  await flushSpans();
  const reach = isOwn ? null : await workspacesOfProject(database, run.projectId);
  await requireVersionsKept(database, found, reach);
  const end = await selectThreadEnd(database, run.threadId);
  const lineRunId = end.leafRunId !== null && (await isOnPath(database, runId, end.leafRunId)) ? end.leafRunId : runId;
  const [planned, reached, todos] = await Promise.all([
    planFiles(database, tree, reach),
    reachedOutside(
      database,
      tree.map(({ id }) => id),
    ),
    isOwn ? planTodos(database, found, lineRunId) : null,
  ]);
  const shown = planned.map(shownFile);
  const calls = isOwn ? reached.calls : reached.calls.map((call) => ({ ...call, gist: null }));
  const parts = {
    files: shown.filter((_, index) => planned[index]?.isMemory === false),
    memory: shown.filter((_, index) => planned[index]?.isMemory === true),
    todos: todos !== null,
    cannotUndo: [...calls],
    callsKnown: reached.areKnown,
  };
  const files = planned.flatMap(({ target }) => target ?? []);
  const told = planned.map(({ path, action, target }) => ({
    path: maskText(path),
    action,
    hasTarget: target !== null,
  }));
  const outcome = { todos: parts.todos, cannotUndo: parts.cannotUndo };
  const targets = { files, todos, lineRunId, ...undoneText({ firstLine: firstLineOf(run), files: told, ...outcome }) };
  const token = tokenOf([runId, files, todos, parts]);
  const changed = planned.filter(({ target }) => target !== null);
  const sentence = planSentence({
    files: changed.filter(({ isMemory }) => !isMemory).length,
    memory: changed.filter(({ isMemory }) => isMemory).length,
    todos: todos !== null,
    left: planned.filter(({ action }) => action === "leave").length,
    leftOut: reached.filesLeftOut,
  });
  const canUndo = files.length > 0 || todos !== null;
  return { found, targets, preview: { token, sentence, canUndo, ...parts } };
}

/** Throws `conflict` with who undid the run, and when. */
async function requireNotUndone(database: Database, runId: string): Promise<void> {
  const undo = await database.undo.findFirst({ where: { runId, state: { not: "taken_back" } } });
  if (undo === null) return;
  const name = (await userNames(database, [undo.actorId])).get(undo.actorId) ?? "Somebody";
  const when = (undo.endedAt ?? undo.startedAt).toISOString();
  const message = undo.endedAt === null ? `${name} is undoing this run now.` : `${name} has undone this run already.`;
  throw new AppError("conflict", message, { details: { undoneBy: name, undoneAt: when } });
}

function shownFile({ path, action, reason, agentId }: PlannedFile) {
  return {
    path: maskText(path),
    action,
    ...(reason === undefined ? {} : { reason: maskText(reason) }),
    ...(agentId === undefined ? {} : { agentId }),
  };
}

/** Of the files that all members of the project share. */
async function workspacesOfProject(database: Database, projectId: string | null): Promise<ReadonlySet<string>> {
  const shared = await database.workspace.findMany({ where: { projectId: projectId ?? "" }, select: { id: true } });
  return new Set(shared.map(({ id }) => id));
}

const NO_TODOS = "[]";

/** Null if the run changed no plan, or a later one has changed it again. */
async function planTodos(database: Database, { run }: RunToUndo, leaf: string): Promise<UndoTargets["todos"]> {
  if (run.todos === null || (await selectTodos(database, { threadId: run.threadId, leaf })) !== run.todos) return null;
  const to = (await todosBefore(database, run)) ?? NO_TODOS;
  return to === run.todos ? null : { from: run.todos, to };
}

/** The plan that the run found: of the last run with one that it followed; null if there was none. */
async function todosBefore(database: Database, { threadId, position, afterRunId }: ClaimedRun): Promise<string | null> {
  const earlier = await database.run.findMany({
    where: { threadId, parentRunId: null, todos: { not: null }, position: { lt: position } },
    orderBy: { position: "desc" },
    select: { id: true, todos: true },
  });
  for (const { id, todos } of earlier) if (await isOnPath(database, id, afterRunId)) return todos;
  return null;
}

function tokenOf(plan: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(plan)).digest("base64url");
}
