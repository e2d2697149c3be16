import "server-only";
import { AppError } from "@/lib/schema/app-error";
import { announceToUser } from "@/lib/server/engine/log/signals";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { isNotFound, isTaken } from "@/lib/server/platform/db/errors";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { changeFiles } from "./change-files";
import { storeLine } from "./thread-line";
import { reversed, UndoTargets } from "./undo-targets";

type UndoRow = NonNullable<Awaited<ReturnType<Database["undo"]["findFirst"]>>>;

interface NewUndo extends Pick<UndoRow, "id" | "runId" | "threadId" | "actorId"> {
  readonly targets: UndoTargets;
}

export function workspacesOf({ files }: Pick<UndoTargets, "files">): string[] {
  return [...new Set(files.map(({ workspaceId }) => workspaceId))];
}

/**
 * Undoes what is to be undone: written down, and the workspaces marked, before `check` looks whether somebody works
 * there, so that runs that begin wait. Throws what `check` throws, and `conflict` if the run is being undone or was,
 * another undo works in one of the workspaces, or a file has changed; nothing is undone then.
 */
export async function performUndo(
  services: Services,
  { targets, ...undo }: NewUndo,
  check: () => Promise<void>,
): Promise<void> {
  const { database } = services;
  const row = { ...undo, state: "checking", targets: JSON.stringify(targets), startedAt: new Date() };
  const create = database.undo.create({ data: row, select: { id: true } });
  const begin = () => storeWithMarks(database, undo.id, workspacesOf(targets), create);
  await perform(services, undo.id, { begin, check });
}

/** The same for taking back one that is done. */
export async function performTakingBack(
  services: Services,
  undo: UndoRow,
  { actorId, check }: { readonly actorId: string; readonly check: () => Promise<void> },
): Promise<void> {
  const { database } = services;
  const targets = UndoTargets.parse(JSON.parse(undo.targets));
  const data = { state: "checking_back", endedAt: null, takenBackById: actorId, startedAt: new Date() };
  const update = database.undo.update({ where: { id: undo.id, state: "done" }, data, select: { id: true } });
  const begin = () => storeWithMarks(database, undo.id, workspacesOf(targets), update);
  await perform(services, undo.id, { begin, check });
}

interface Steps {
  readonly begin: () => Promise<void>;
  readonly check: () => Promise<void>;
}

async function perform(services: Services, undoId: string, { begin, check }: Steps): Promise<void> {
  const { database } = services;
  await database.exclusive(`undo ${undoId}`, async () => {
    await begin();
    try {
      await check();
    } catch (error) {
      await withdraw(database, undoId);
      throw error;
    }
    for (const [from, to] of [
      ["checking", "working"],
      ["checking_back", "taking_back"],
    ] as const)
      await database.undo.updateMany({ where: { id: undoId, state: from }, data: { state: to } });
    await carryOut(services, undoId);
  });
}

type Statement = Parameters<Database["$transaction"]>[0][number];

async function storeWithMarks(
  database: Database,
  undoId: string,
  workspaceIds: readonly string[],
  statement: Statement,
): Promise<void> {
  const marks = workspaceIds.map((id) =>
    database.workspace.update({ where: { id, undoId: null }, data: { undoId }, select: { id: true } }),
  );
  try {
    await database.$transaction([statement, ...marks]);
  } catch (error) {
    if (isNotFound(error))
      throw new AppError("conflict", "Another undo works on the same files. Try again in a moment.");
    if (isTaken(error)) throw new AppError("conflict", "This run is being undone, or was already.");
    throw error;
  }
}

/** Withdraws what was written down; the files are as they were before. */
async function withdraw(database: Database, undoId: string): Promise<void> {
  const unmark = database.workspace.updateMany({ where: { undoId }, data: { undoId: null } });
  const undo = await database.undo.findUnique({ where: { id: undoId }, select: { state: true } });
  const forget =
    undo?.state === "taking_back" || undo?.state === "checking_back"
      ? database.undo.updateMany({
          where: { id: undoId },
          data: { state: "done", endedAt: new Date(), takenBackById: null },
        })
      : database.undo.deleteMany({ where: { id: undoId, state: { in: ["checking", "working"] } } });
  await database.$transaction([unmark, forget]);
}

/**
 * Waits for an undo that goes on. One whose process was killed is finished, or rolled back if a file has changed
 * meanwhile, which throws `conflict`. Nothing for one that has ended.
 */
export async function finishUndo(services: Services, undoId: string): Promise<void> {
  await services.database.exclusive(`undo ${undoId}`, () => carryOut(services, undoId));
}

/** The caller holds the undo's lock; within it only those of single files are requested. */
async function carryOut(services: Services, undoId: string): Promise<void> {
  const { database } = services;
  const undo = await database.undo.findUnique({ where: { id: undoId } });
  // Its process was killed before it knew that nobody works there.
  if (undo?.state.startsWith("checking")) return withdraw(database, undoId);
  if (!undo || undo.endedAt !== null) {
    await database.workspace.updateMany({ where: { undoId }, data: { undoId: null } });
    return;
  }
  const targets = UndoTargets.parse(JSON.parse(undo.targets));
  const isBack = undo.state === "taking_back";
  const actorId = isBack ? (undo.takenBackById ?? undo.actorId) : undo.actorId;
  const by = { actorId, undoId };
  const changes = isBack ? reversed(targets.files) : targets.files;
  try {
    await changeFiles(services, changes, by);
  } catch (error) {
    // What only this process can't reach, or not now, is left for a later attempt.
    if (error instanceof AppError && error.code === "conflict") await rollBack(services, { changes, by, undoId });
    throw error;
  }
  await store(database, undo, targets, actorId);
}

interface BrokenOff {
  readonly changes: UndoTargets["files"];
  readonly by: { readonly actorId: string; readonly undoId: string };
  readonly undoId: string;
}

async function rollBack(services: Services, { changes, by, undoId }: BrokenOff): Promise<void> {
  for (const change of reversed(changes)) {
    await changeFiles(services, [change], by).catch((error: unknown) => {
      // Somebody has changed this file meanwhile: theirs stays.
      if (!(error instanceof AppError && error.code === "conflict")) throw error;
    });
  }
  await withdraw(services.database, undoId);
}

async function store(database: Database, undo: UndoRow, targets: UndoTargets, actorId: string): Promise<void> {
  const { id, runId, threadId } = undo;
  const isBack = undo.state === "taking_back";
  const now = new Date();
  const ended = isBack ? { state: "taken_back", takenBackAt: now } : { state: "done" };
  const plan = targets.todos;
  const [from, to] = isBack ? [plan?.to, plan?.from] : [plan?.from, plan?.to];
  const details = { runId, threadId, files: targets.files.length, plan: plan !== null };
  const action = isBack ? "run.undo_taken_back" : "run.undone";
  await storeLine(database, { undo, targets, actorId, isBack, at: now }, () => [
    database.undo.update({
      where: { id, state: undo.state, endedAt: null },
      data: { ...ended, endedAt: now },
      select: { id: true },
    }),
    database.workspace.updateMany({ where: { undoId: id }, data: { undoId: null } }),
    ...(to === undefined || from === undefined
      ? []
      : [database.run.updateMany({ where: { id: runId, todos: from }, data: { todos: to } })]),
    database.auditEntry.create({
      data: auditColumns({ actorId, action, target: `run:${runId}`, details }),
      select: { id: true },
    }),
  ]);
  await tellReaders(database, threadId);
}

/** Makes the open pages of everybody who reads the thread load it again. */
async function tellReaders(database: Database, threadId: string): Promise<void> {
  const thread = await database.thread.findUnique({
    where: { id: threadId },
    select: { ownerId: true, projectId: true },
  });
  if (!thread) return;
  const { ownerId, projectId } = thread;
  const where = { projectId: projectId ?? "" };
  const members = projectId === null ? [] : await database.projectMember.findMany({ where, select: { userId: true } });
  for (const userId of new Set([ownerId, ...members.map((member) => member.userId)]))
    announceToUser(userId, { type: "thread.changed", threadId });
}

/** Finishes, or rolls back, what processes left that were killed. */
export async function finishLeftUndos(services: Services): Promise<void> {
  for (const { id } of await services.database.undo.findMany({ where: { endedAt: null }, select: { id: true } })) {
    await finishUndo(services, id).catch((error: unknown) => {
      logger().warn({ err: error, undoId: id }, "an undo that was left could not be finished");
    });
  }
}
