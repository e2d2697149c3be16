import { AppError } from "@/lib/schema/app-error";
import { type RunRequest, startRun } from "@/lib/server/engine/accept";
import { boardFiles } from "@/lib/server/engine/workspace-scope";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import {
  type BoardRow,
  changeCardOfTurnStatement,
  endTurnStatement,
  type TurnRow,
} from "@/lib/server/platform/db/queries/dispatch/boards";
import { REFUSED, whyPaused } from "@/lib/server/triggers/why-paused";
import { announceBoard } from "./announce-board";
import { wakeStatements } from "./wake-lead";

/** Starts the runs of turns without one. A repeat finds the run already started. */
export async function startTurns(database: Database, board: BoardRow, now: Date): Promise<void> {
  const claimed = await database.boardRun.findMany({
    where: { boardId: board.id, state: "claimed", outcome: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  for (const turn of claimed) await start(database, board, turn, now);
  if (claimed.length > 0) announceBoard(board);
}

async function start(database: Database, board: BoardRow, turn: TurnRow, now: Date): Promise<void> {
  try {
    const started = (await findRun(database, turn)) ?? (await begin(database, board, turn));
    await database.boardRun.updateMany({
      where: { id: turn.id, state: "claimed" },
      data: { state: "started", ...started },
    });
    if (turn.role === "work" && turn.cardId !== null) {
      await database.boardCard.updateMany({ where: { id: turn.cardId, turnId: turn.id }, data: started });
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === "unavailable" || error.code === "busy") throw error;
    await refuse(database, board, turn, { cause: `Not started: ${error.message}`, now });
  }
}

/** The run started by an earlier attempt. */
async function findRun(database: Database, { id, threadId }: TurnRow) {
  if (threadId === null) return null;
  const key = { threadId, idempotencyKey: keyOf(id) };
  const run = await database.run.findUnique({ where: { threadId_idempotencyKey: key }, select: { id: true } });
  return run && { runId: run.id, threadId };
}

function keyOf(turnId: string): string {
  return `turn:${turnId}`;
}

async function begin(database: Database, board: BoardRow, turn: TurnRow) {
  const { id: turnId, cardId, agentId, prompt } = turn;
  const { id: boardId, ownerId } = board;
  const role = turn.role === "work" || turn.role === "review" ? turn.role : "lead";
  const threadId = await threadOf(database, board, turn);
  // Recorded first: if this attempt dies before recording the run, the next one finds the run in this thread.
  await database.boardRun.updateMany({ where: { id: turnId, threadId: null }, data: { threadId } });
  const card = cardId === null ? {} : { cardId };
  const made = cardId === null ? null : await database.boardCard.findUnique({ where: { id: cardId } });
  const apiKeyId = made?.apiKeyId ?? board.apiKeyId;
  const paused = await whyPaused(database, { ownerId, agentId, apiKeyId });
  if (paused !== null) throw new AppError("conflict", REFUSED[paused]);
  const request: RunRequest = {
    ownerId,
    agentId,
    threadId,
    ...(apiKeyId === null ? {} : { apiKeyId }),
    messages: [{ role: "user", content: prompt }],
    idempotencyKey: keyOf(turnId),
    origin: "board",
    attended: false,
    trigger: { details: { boardId, ...card } },
    turn: { role, turnId, ...card },
  };
  const { runId } = await startRun(database, request);
  return { runId, threadId };
}

/** A member has one thread per card, so that it knows its earlier work; each review gets a new one. */
async function threadOf(database: Database, board: BoardRow, turn: TurnRow): Promise<string> {
  const { id: boardId, ownerId } = board;
  const clientId = clientIdOf(boardId, turn);
  const card = turn.cardId === null ? null : await database.boardCard.findUnique({ where: { id: turn.cardId } });
  const title = turn.role === "lead" || card === null ? board.name : `${card.number}. ${card.title}`;
  const { id } = await database.thread.upsert({
    where: { ownerId_agentId_clientId: { ownerId, agentId: turn.agentId, clientId } },
    create: {
      id: createId("th"),
      ownerId,
      agentId: turn.agentId,
      clientId,
      title,
      titled: true,
      boardId,
      fileScope: board.workspace === "shared" ? boardFiles(boardId) : null,
    },
    update: { deletedAt: null },
    select: { id: true },
  });
  return id;
}

function clientIdOf(boardId: string, { id, role, cardId }: Pick<TurnRow, "id" | "role" | "cardId">): string {
  if (role === "lead") return leadClientId(boardId);
  return role === "review" ? `review:${id}` : `card:${cardId}`;
}

/** The client id of the lead's thread. */
export function leadClientId(boardId: string): string {
  return `board:${boardId}`;
}

interface Refusal {
  readonly cause: string;
  readonly now: Date;
}

/** The agent is gone, or the board's owner can't reach it any more. */
async function refuse(database: Database, board: BoardRow, turn: TurnRow, { cause, now }: Refusal): Promise<void> {
  const card = turn.cardId === null ? null : await database.boardCard.findUnique({ where: { id: turn.cardId } });
  const isWork = turn.role === "work" && card !== null && card.turnId === turn.id;
  const noReviewer =
    turn.role === "review" && card !== null ? [countLostReview(card.id, turn.id, card.lostReviews)] : [];
  try {
    await database.runAll([
      endTurnStatement(turn.id, "refused"),
      ...(isWork
        ? [changeCardOfTurnStatement({ id: card.id, turnId: turn.id }, { status: "failed", cause })]
        : noReviewer),
      ...(isWork ? wakeStatements(board, "failure", { card, text: cause, now }) : []),
    ]);
  } catch (error) {
    if (!isNothingChanged(error)) throw error;
  }
  if (turn.role === "lead") {
    await database.board.updateMany({
      where: { id: board.id, stoppedAt: null },
      data: { stoppedAt: now, stoppedReason: `Its lead could not be started. ${cause}` },
    });
  }
}

function countLostReview(id: string, turnId: string, lostReviews: number) {
  return changeCardOfTurnStatement({ id, turnId }, { lostReviews: lostReviews + 1 });
}
