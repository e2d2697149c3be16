import "server-only";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import type { Board, BoardList, CreateBoardBody, UpdateBoardBody } from "@/lib/schema/boards/board";
import type { PageQuery } from "@/lib/schema/page-query";
import type { Reader, Viewer } from "@/lib/schema/users/user";
import { loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { resumeRunsOfBudget } from "@/lib/server/engine/asks/resume-budget-asks";
import { budgetsChanged } from "@/lib/server/engine/budgets/budget-rows";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { boardFilesKey, boardFolder } from "@/lib/server/files/workspace-row";
import { auditColumns, changedFields } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { pageOfRows, timeCursors } from "@/lib/server/platform/db/page-of-rows";
import type { AgentAccess } from "@/lib/server/platform/db/queries/agent-access";
import { auditStatement } from "@/lib/server/platform/db/queries/audit";
import {
  type BoardRow,
  insertBoardStatement,
  updateBoardStatement,
} from "@/lib/server/platform/db/queries/dispatch/boards";
import {
  changeBudgetStatement,
  deleteBudgetsOfStatement,
  insertBudgetStatement,
} from "@/lib/server/platform/db/queries/usage/budgets";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { isTeamInReach } from "@/lib/server/platform/within-reach";
import { keyAfterChange, type Maker } from "@/lib/server/triggers/made-by-key";
import { announceBoard } from "./announce-board";
import { describeBoard, summarizeBoards } from "./describe-board";
import { membersOf } from "./read-board";
import { tickBoard } from "./tick-board";
import { beginStatements } from "./wake-lead";

/** The viewer's boards, newest first. */
export async function listBoards(
  database: Database,
  { limit, cursor }: PageQuery,
  viewer: Reader,
): Promise<z.infer<typeof BoardList>> {
  const rows = await database.board.findMany({
    where: {
      ownerId: viewer.id,
      ...(await idsInReach(database, viewer)),
      ...timeCursors.behind(cursor, "createdAt", "descending"),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
  });
  const { page, nextCursor } = pageOfRows(rows, limit, ({ createdAt, id }) => timeCursors.write(createdAt, id));
  return { boards: await summarizeBoards(database, page), nextCursor };
}

/** For a key that is limited to some agents, the boards whose agents are all among them. */
async function idsInReach(db: Database, viewer: Reader) {
  if (!viewer.reach) return {};
  const own = await db.board.findMany({
    where: { ownerId: viewer.id },
    select: { id: true, leadAgentId: true, members: true },
  });
  return { id: { in: own.filter((board) => isTeamInReach(viewer, board)).map(({ id }) => id) } };
}

/** Throws `not_found`, also for another person's board. */
export async function getBoard(services: Services, id: string, viewer: Reader): Promise<Board> {
  return describeBoard(services.database, await requireBoard(services.database, id, viewer));
}

/** Throws `not_found`. */
export async function requireBoard(db: Database, id: string, viewer: Reader): Promise<BoardRow> {
  const row = await db.board.findFirst({ where: { id, ownerId: viewer.id } });
  if (!row || !isTeamInReach(viewer, row)) throw new AppError("not_found", "There is no such board.");
  return row;
}

/** Creates a board; an agent as lead starts at once. Throws `not_found` for an agent the viewer can't reach. */
export async function createBoard(
  services: Services,
  { lead, members, max_parallel: maxParallel, budget, ...fields }: CreateBoardBody,
  viewer: Maker,
  access: AgentAccess,
): Promise<Board> {
  const { database } = services;
  await requireAgents(database, lead === null ? members : [lead, ...members], access);
  const id = createId("brd");
  const limits = { budgetUsd: budget.usd, budgetTokens: budget.tokens, apiKeyId: viewer.keyId ?? null };
  const data = { ...fields, id, ownerId: viewer.id, leadAgentId: lead, members: JSON.stringify(members), maxParallel };
  const after = { name: fields.name, lead, members, review: fields.review, budget };
  const now = new Date();
  await database.runAll([
    insertBoardStatement({ ...data, ...limits, createdAt: now, updatedAt: now }),
    ...budgetStatements({ id, ownerId: viewer.id }, limits),
    auditStatement({ actorId: viewer.id, action: "board.created", target: `board:${id}`, after }),
    ...beginStatements({ id, leadAgentId: lead, name: fields.name, goal: fields.goal }, now),
  ]);
  budgetsChanged();
  announceBoard({ id, ownerId: viewer.id });
  await tickBoard(services, id);
  return getBoard(services, id, viewer);
}

/** Who changes a board, and which agents they can reach. */
interface BoardEditor {
  readonly viewer: Maker & Pick<Viewer, "name">;
  readonly access: AgentAccess;
}

/** Omitted fields keep their values; `stopped: false` restarts a stopped board. Throws `not_found`, `invalid_input`. */
export async function updateBoard(
  services: Services,
  id: string,
  { stopped, ...fields }: UpdateBoardBody,
  { viewer, access }: BoardEditor,
): Promise<Board> {
  const { database } = services;
  const row = await requireBoard(database, id, viewer);
  const { members = membersOf(row), review = row.review, max_parallel: maxParallel = row.maxParallel } = fields;
  if (fields.members) await requireAgents(database, fields.members, access);
  if (review === "other_member" && members.length < 2) throw needsReviewer();
  const { name = row.name, goal = row.goal, budget } = fields;
  const limits = budget === undefined ? null : { budgetUsd: budget.usd, budgetTokens: budget.tokens };
  const data = { ...pickFields(row), name, goal, review, maxParallel, members: JSON.stringify(members), ...limits };
  const audited = ({ goal: text, ...others }: typeof data) => ({ ...others, goalChars: text.length });
  const changes = changedFields(audited(pickFields(row)), audited(data));
  const isChanged = Object.values(fields).some((value) => value !== undefined);
  const key = await keyAfterChange(database, row, viewer, { isChanged, isSwitchedOn: stopped === false });
  const known = limits === null ? null : await database.budget.findFirst({ where: budgetOf(id) });
  const restarted = stopped === false ? { stoppedAt: null, stoppedReason: null } : {};
  await database.runAll([
    updateBoardStatement(id, { ...data, ...key, ...restarted, updatedAt: new Date() }),
    ...(limits === null ? [] : budgetStatements(row, limits, known?.id)),
    auditStatement({
      actorId: viewer.id,
      action: stopped === false && row.stoppedAt !== null ? "board.started" : "board.changed",
      target: `board:${id}`,
      ...changes,
    }),
  ]);
  if (limits !== null) {
    budgetsChanged();
    if (known) await resumeRunsOfBudget(database, known.id, { id: viewer.id, name: viewer.name, via: "page" });
  }
  announceBoard(row);
  await tickBoard(services, id);
  return getBoard(services, id, viewer);
}

/** The fields of a board that can be changed. */
function pickFields({ name, goal, review, maxParallel, members, budgetUsd, budgetTokens }: BoardRow) {
  return { name, goal, review, maxParallel, members, budgetUsd, budgetTokens };
}

/**
 * Stops every run of the board; nothing starts until the board is restarted. Finished work stays. Throws `not_found`.
 */
export async function stopBoard(services: Services, id: string, viewer: Reader): Promise<Board> {
  const { database } = services;
  const row = await requireBoard(database, id, viewer);
  const now = new Date();
  await database.$transaction([
    database.board.updateMany({ where: { id, stoppedAt: null }, data: { stoppedAt: now, stoppedReason: null } }),
    auditOf(database, { actorId: viewer.id, action: "board.stopped", target: `board:${id}` }),
  ]);
  await cancelRuns(database, id, viewer.id);
  await withdrawClaimed(database, id);
  await tickBoard(services, id);
  announceBoard(row);
  return getBoard(services, id, viewer);
}

/** Deletes the board. Its runs stay counted; its threads and files are deleted. Throws `not_found`. */
export async function deleteBoard(database: Database, id: string, viewer: Reader): Promise<void> {
  const row = await requireBoard(database, id, viewer);
  const now = new Date();
  await database.board.updateMany({ where: { id, stoppedAt: null }, data: { stoppedAt: now } });
  await cancelRuns(database, id, viewer.id);
  const before = { name: row.name, members: membersOf(row) };
  await database.$transaction([
    database.thread.updateMany({ where: { boardId: id }, data: { deletedAt: now } }),
    database.workspace.deleteMany({ where: { scopeKey: boardFilesKey(id) } }),
    database.budget.deleteMany({ where: budgetOf(id) }),
    database.board.delete({ where: { id }, select: { id: true } }),
    auditOf(database, { actorId: viewer.id, action: "board.deleted", target: `board:${id}`, before }),
  ]);
  budgetsChanged();
  announceBoard(row);
  await rm(path.join(env().dataDirectory, "workspaces", boardFolder(id)), { recursive: true, force: true });
}

async function cancelRuns(db: Database, boardId: string, by: string): Promise<void> {
  const open = await db.run.findMany({
    where: { thread: { boardId }, parentRunId: null, endedAt: null },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { id: true },
  });
  for (const { id } of open) await cancelRun(db, id, by);
}

/** Frees cards that were claimed but have no run yet. */
async function withdrawClaimed(db: Database, boardId: string): Promise<void> {
  const claimed = await db.boardRun.findMany({
    where: { boardId, state: "claimed", outcome: null, role: { not: "lead" } },
    orderBy: { id: "asc" },
  });
  for (const { id, role } of claimed) {
    const ended = await db.boardRun.updateMany({
      where: { id, state: "claimed", outcome: null },
      data: { outcome: "withdrawn" },
    });
    if (ended.count === 0 || role !== "work") continue;
    await db.boardCard.updateMany({ where: { turnId: id, status: "working" }, data: { status: "todo", worker: null } });
  }
}

function budgetOf(boardId: string) {
  return { scope: "board", scopeId: boardId };
}

interface Limits {
  readonly budgetUsd: number | null;
  readonly budgetTokens: number | null;
}

function budgetStatements(
  { id, ownerId }: Pick<BoardRow, "id" | "ownerId">,
  { budgetUsd: usd, budgetTokens: tokens }: Limits,
  knownId?: string,
): SqlStatement[] {
  if (usd === null && tokens === null) return [deleteBudgetsOfStatement(budgetOf(id))];
  const now = new Date();
  if (knownId !== undefined) return [changeBudgetStatement(knownId, { usd, tokens, updatedAt: now })];
  const data = { ...budgetOf(id), period: "total", usd, tokens, onReach: "wait", createdById: ownerId };
  return [insertBudgetStatement({ id: createId("bud"), ...data, createdAt: now, updatedAt: now })];
}

async function requireAgents(db: Database, ids: readonly string[], access: AgentAccess): Promise<void> {
  for (const id of new Set(ids)) await loadCurrentVersion(db, id, access);
}

function needsReviewer(): AppError {
  const message = "Reviews by another member need two members: add one, or choose another kind of review.";
  return new AppError("invalid_input", `members: ${message}`, { details: [{ path: "members", message }] });
}

function auditOf(db: Database, record: Parameters<typeof auditColumns>[0]) {
  return db.auditEntry.create({ data: auditColumns(record), select: { id: true } });
}
