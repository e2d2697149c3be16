import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { BoardCard, CreateCardBody, ReopenBody, ReviewBody, UpdateCardBody } from "@/lib/schema/boards/board";
import { cancelRun } from "@/lib/server/engine/ending/cancel";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { insertEntryStatement } from "@/lib/server/platform/db/queries/audit";
import {
  type BoardRow,
  type CardRow,
  changeCardStatement,
  insertCardStatements,
} from "@/lib/server/platform/db/queries/dispatch/boards";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import type { Services } from "@/lib/server/platform/services";
import type { Maker } from "@/lib/server/triggers/made-by-key";
import { announceBoard } from "./announce-board";
import { requireBoard } from "./boards";
import { describeBoard } from "./describe-board";
import { dependenciesOf, membersOf } from "./read-board";
import { accepted, sentBackColumns } from "./settle-turns";
import { takeCard, whyNotTaken } from "./take-card";
import { tickBoard } from "./tick-board";
import { wakeStatements } from "./wake-lead";

const MOST_CARDS = 500;

/** Identifies a card; another person's board is not found. */
export interface CardPlace {
  readonly boardId: string;
  readonly taskId: string;
}

type Owner = Maker;

export async function listCards(database: Database, boardId: string, owner: Owner): Promise<BoardCard[]> {
  return (await describeBoard(database, await requireBoard(database, boardId, owner))).tasks;
}

export async function getCard(database: Database, { boardId, taskId }: CardPlace, owner: Owner): Promise<BoardCard> {
  const card = (await listCards(database, boardId, owner)).find(({ id }) => id === taskId);
  if (!card) throw noCard();
  return card;
}

/** Throws `not_found`, `invalid_input`, `conflict` if the board is full. */
export async function createCard(
  services: Services,
  boardId: string,
  body: CreateCardBody,
  owner: Owner,
): Promise<BoardCard> {
  const { database } = services;
  const board = await requireBoard(database, boardId, owner);
  const cards = await database.boardCard.findMany({ where: { boardId }, select: { id: true, dependsOn: true } });
  if (cards.length >= MOST_CARDS)
    throw new AppError("conflict", `A board has at most ${MOST_CARDS} cards. Remove some first.`);
  requireAssignee(board, body.assignee);
  const id = createId("card");
  requireDependencies(id, body.dependsOn, cards);
  const now = new Date();
  const { title, spec, assignee, evidence, dependsOn } = body;
  const columns = { id, title, spec, assignee, createdAt: now, updatedAt: now, dependsOn: JSON.stringify(dependsOn) };
  const shown = evidence === null ? null : JSON.stringify(evidence);
  await database.runAll([
    ...insertCardStatements(boardId, { ...columns, evidence: shown, apiKeyId: owner.keyId ?? null }, now),
    entryOf(board, { actorId: owner.id, action: "board.card_created", details: { cardId: id, assignee } }, now),
  ]);
  return changed(services, board, { boardId, taskId: id }, owner);
}

/** Changes a card that no member has claimed. Throws `not_found`, `invalid_input`, `conflict`. */
export async function updateCard(
  services: Services,
  place: CardPlace,
  fields: UpdateCardBody,
  owner: Owner,
): Promise<BoardCard> {
  const { database } = services;
  const { board, card } = await requireCard(database, place, owner);
  if (card.status === "working" || card.status === "review" || card.status === "done") {
    throw new AppError(
      "conflict",
      `Card ${card.number} is ${STATUS_LABELS[card.status]}, so it can't be changed. Give it back first.`,
    );
  }
  if (fields.assignee !== undefined) requireAssignee(board, fields.assignee);
  const { dependsOn, evidence, ...others } = fields;
  if (dependsOn !== undefined) {
    const cards = await database.boardCard.findMany({
      where: { boardId: board.id },
      select: { id: true, dependsOn: true },
    });
    requireDependencies(card.id, dependsOn, cards);
  }
  const now = new Date();
  const columns = {
    ...others,
    ...(dependsOn === undefined ? {} : { dependsOn: JSON.stringify(dependsOn) }),
    ...(evidence === undefined ? {} : { evidence: evidence === null ? null : JSON.stringify(evidence) }),
    ...(owner.keyId === undefined ? {} : { apiKeyId: owner.keyId }),
    updatedAt: now,
  };
  const details = { card: card.number, changed: Object.keys(fields) };
  const entry = entryOf(board, { actorId: owner.id, action: "board.card_changed", details }, now);
  await change(database, card, columns, entry);
  return changed(services, board, place, owner);
}

/** Removes a card and stops the run working on it; dependent cards no longer wait for it. Throws `not_found`. */
export async function removeCard(services: Services, place: CardPlace, owner: Owner): Promise<void> {
  const { database } = services;
  const { board, card } = await requireCard(database, place, owner);
  const cards = await database.boardCard.findMany({ where: { boardId: board.id }, orderBy: { number: "asc" } });
  const dependents = cards.filter((other) => dependenciesOf(other).includes(card.id));
  await database.$transaction([
    ...dependents.map((other) =>
      database.boardCard.update({
        where: { id: other.id },
        data: { dependsOn: JSON.stringify(dependenciesOf(other).filter((id) => id !== card.id)) },
        select: { id: true },
      }),
    ),
    database.boardCard.delete({ where: { id: card.id }, select: { id: true } }),
    database.auditEntry.create({
      data: auditColumns({
        actorId: owner.id,
        action: "board.card_removed",
        target: `board:${board.id}`,
        details: { card: card.number },
      }),
      select: { id: true },
    }),
  ]);
  await stopTurns(database, card.id, owner.id);
  announceBoard(board);
  await tickBoard(services, board.id);
}

/** Throws `conflict` if the card is claimed, or that member can't claim it now. */
export async function claimCard(
  services: Services,
  place: CardPlace,
  assignee: string,
  owner: Owner,
): Promise<BoardCard> {
  const { database } = services;
  const { board, card } = await requireCard(database, place, owner);
  if (!membersOf(board).includes(assignee)) throw notMember(assignee);
  const now = new Date();
  const details = { card: card.number, assignee };
  const entry = entryOf(board, { actorId: owner.id, action: "board.card_claimed", details }, now);
  if (card.status !== "todo" || !(await takeCard(database, { board, card, agentId: assignee, now, entry }))) {
    throw await whyNotTaken(database, board, card.id, assignee);
  }
  return changed(services, board, place, owner);
}

interface Reviewer extends Owner {
  /** The id of the agent that decides; default: the owner does. */
  readonly by?: string;
}

/** Throws `conflict` if the card is not in review, `forbidden` for its own author. */
export async function reviewCard(
  services: Services,
  place: CardPlace,
  { accept, note = "" }: ReviewBody,
  reviewer: Reviewer,
): Promise<BoardCard> {
  const { database } = services;
  const { by = reviewer.id, ...owner } = reviewer;
  const { board, card } = await requireCard(database, place, owner);
  if (card.status !== "review") {
    throw new AppError(
      "conflict",
      `Card ${card.number} is ${STATUS_LABELS[card.status] ?? card.status}, so there is nothing to review.`,
    );
  }
  if (by === card.worker)
    throw new AppError("forbidden", "Whoever did the work can't accept it. Leave it to another member.");
  const now = new Date();
  const move = accept ? accepted(card, { by, note, at: now }) : { columns: sentBackColumns(card, note) };
  const details = { card: card.number, accept };
  const statements = [
    changeCardStatement(card, { ...move.columns, updatedAt: now }),
    entryOf(board, { actorId: owner.id, action: "board.reviewed", details }, now),
    ...("news" in move && move.news && by !== board.leadAgentId
      ? wakeStatements(board, move.news.kind, { card, text: move.news.text, now })
      : []),
  ];
  try {
    await database.runAll(statements);
  } catch (error) {
    if (isNothingChanged(error)) throw movedOn(card);
    throw error;
  }
  await stopTurns(database, card.id, owner.id, "review");
  return changed(services, board, place, owner);
}

/** Throws `conflict` for a card that is free or done. */
export async function reopenCard(
  services: Services,
  place: CardPlace,
  { how, note }: ReopenBody,
  owner: Owner,
): Promise<BoardCard> {
  const { database } = services;
  const { board, card } = await requireCard(database, place, owner);
  const mayGoOn = card.status === "failed" || card.status === "needs_you";
  if (how === "again" ? !mayGoOn : card.status === "todo" || card.status === "done") {
    throw new AppError(
      "conflict",
      `Card ${card.number} is ${STATUS_LABELS[card.status] ?? card.status}, so it can't be opened again.`,
    );
  }
  const said = note === undefined || note === "" ? {} : { note };
  const now = new Date();
  const columns = {
    status: "todo",
    assignee: how === "again" ? card.worker : null,
    ...(how === "again" ? said : { ...said, worker: null, question: null, interruptions: 0 }),
    ...(card.status === "failed" ? { cause: null, sentBack: 0 } : {}),
    updatedAt: now,
  };
  const details = { card: card.number, how };
  const entry = entryOf(board, { actorId: owner.id, action: "board.card_reopened", details }, now);
  await change(database, card, columns, entry);
  await stopTurns(database, card.id, owner.id);
  return changed(services, board, place, owner);
}

const STATUS_LABELS: Readonly<Record<string, string>> = {
  todo: "free",
  working: "being worked on",
  needs_you: "waiting for an answer",
  review: "in review",
  done: "done",
  failed: "failed",
};

export async function requireCard(database: Database, { boardId, taskId }: CardPlace, owner: Owner) {
  const board = await requireBoard(database, boardId, owner);
  const card = await database.boardCard.findFirst({ where: { id: taskId, boardId } });
  if (!card) throw noCard();
  return { board, card };
}

type CardRecord = Pick<Parameters<typeof auditColumns>[0], "actorId" | "action" | "details">;

/** Stored in the same transaction as the change it describes. */
export function entryOf({ id }: BoardRow, record: CardRecord, createdAt: Date): SqlStatement {
  return insertEntryStatement({ ...auditColumns({ ...record, target: `board:${id}` }), createdAt });
}

async function change(
  db: Database,
  card: CardRow,
  columns: Parameters<typeof changeCardStatement>[1],
  entry: SqlStatement,
): Promise<void> {
  try {
    await db.runAll([changeCardStatement(card, columns), entry]);
  } catch (error) {
    if (isNothingChanged(error)) throw movedOn(card);
    throw error;
  }
}

export async function changed(services: Services, board: BoardRow, place: CardPlace, owner: Owner): Promise<BoardCard> {
  announceBoard(board);
  await tickBoard(services, board.id);
  return getCard(services.database, place, owner);
}

/** Ends the runs that currently work on the card or review it. */
async function stopTurns(db: Database, cardId: string, by: string, role?: "review"): Promise<void> {
  const open = await db.boardRun.findMany({
    where: { cardId, outcome: null, role: role ?? { not: "lead" } },
    orderBy: { id: "asc" },
  });
  for (const { id, runId } of open) {
    if (runId === null)
      await db.boardRun.updateMany({ where: { id, state: "claimed" }, data: { outcome: "withdrawn" } });
    else await cancelRun(db, runId, by);
  }
}

function requireAssignee(board: BoardRow, assignee: string | null): void {
  if (assignee !== null && !membersOf(board).includes(assignee)) throw notMember(assignee);
}

/** Throws `invalid_input` for missing cards and for cycles. */
function requireDependencies(
  id: string,
  dependsOn: readonly string[],
  cards: readonly Pick<CardRow, "id" | "dependsOn">[],
): void {
  const byId = new Map(cards.map((card) => [card.id, dependenciesOf(card)]));
  const missing = dependsOn.find((other) => !byId.has(other) || other === id);
  if (missing !== undefined) throw invalid("dependsOn", `There is no other card ${missing} on this board.`);
  const reaches = (from: string, seen: Set<string>): boolean => {
    if (from === id) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (byId.get(from) ?? []).some((next) => reaches(next, seen));
  };
  if (dependsOn.some((other) => reaches(other, new Set())))
    throw invalid("dependsOn", "The cards would wait for each other in a circle.");
}

function notMember(assignee: string): AppError {
  return invalid("assignee", `${assignee} is not a member of this board.`);
}

function invalid(field: string, message: string): AppError {
  return new AppError("invalid_input", `${field}: ${message}`, { details: [{ path: field, message }] });
}

function noCard(): AppError {
  return new AppError("not_found", "There is no such card.");
}

export function movedOn({ number }: CardRow): AppError {
  return new AppError("conflict", `Card ${number} has moved in the meantime. Look at it again.`);
}
