import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import {
  type BoardRow,
  type CardRow,
  selectBoardsLeft,
  selectBoardsOfEndedKeys,
} from "@/lib/server/platform/db/queries/dispatch/boards";
import type { Services } from "@/lib/server/platform/services";
import { REFUSED, whyPaused } from "@/lib/server/triggers/why-paused";
import { announceBoard } from "./announce-board";
import { isBudgetReached } from "./board-budget";
import { notifyBoardChanged } from "./notify-board-changed";
import { dependenciesOf, membersOf } from "./read-board";
import { settleTurns } from "./settle-turns";
import { startTurns } from "./start-turns";
import { takeCard, takeReview } from "./take-card";

/**
 * Does everything that is due on a board: records ended turns, assigns free cards to idle members, and starts their
 * runs. Any process may call this at any time, even concurrently: every step is one statement that only one caller
 * completes.
 */
export async function tickBoard(services: Services, boardId: string, now = new Date()): Promise<void> {
  const { database } = services;
  const before = await database.board.findUnique({ where: { id: boardId } });
  if (!before) return;
  await settleTurns(database, before, now);
  const board = await pauseWithoutOwner(database, before, now);
  if (board.stoppedAt !== null) return;
  await giveOut(database, board, now);
  await startTurns(database, board, now);
  await notifyBoardChanged(services, board, now);
}

/** Stops a board whose owner has left, and says so. */
async function pauseWithoutOwner(database: Database, board: BoardRow, now: Date): Promise<BoardRow> {
  if (board.stoppedAt !== null) return board;
  const why = await whyPaused(database, board);
  if (why === null) return board;
  const stopped = { stoppedAt: now, stoppedReason: REFUSED[why] };
  await database.board.updateMany({ where: { id: board.id, stoppedAt: null }, data: stopped });
  announceBoard(board);
  return { ...board, ...stopped };
}

async function giveOut(database: Database, board: BoardRow, now: Date): Promise<void> {
  const [cards, turns] = await Promise.all([
    database.boardCard.findMany({ where: { boardId: board.id }, orderBy: { number: "asc" } }),
    database.boardRun.findMany({
      where: { boardId: board.id, outcome: null, role: { not: "lead" } },
      select: { agentId: true, cardId: true },
    }),
  ]);
  const reviews = cards.filter((card) => needsReviewer(board, card) && !turns.some(({ cardId }) => cardId === card.id));
  const free = cards.filter((card) => isFree(card, cards));
  if (reviews.length + free.length === 0 || turns.length >= board.maxParallel) return;
  if (await isBudgetReached(database, board)) return;
  const busy = new Set(turns.map(({ agentId }) => agentId));
  const idle = membersOf(board).filter((id) => !busy.has(id));
  let room = board.maxParallel - turns.length;
  // Pending reviews take precedence over new work.
  for (const card of [...reviews, ...free]) {
    if (room === 0) return;
    const isReview = card.status === "review";
    const agentId = isReview
      ? idle.find((id) => id !== card.worker)
      : idle.find((id) => card.assignee === null || card.assignee === id);
    if (agentId === undefined) continue;
    const taking = { board, card, agentId, now };
    if (!(isReview ? await takeReview(database, taking) : await takeCard(database, taking))) continue;
    idle.splice(idle.indexOf(agentId), 1);
    room -= 1;
  }
}

/** After this many reviews without a verdict, a person decides. */
const MOST_LOST_REVIEWS = 2;

function needsReviewer(board: BoardRow, { status, lostReviews }: CardRow): boolean {
  return board.review === "other_member" && status === "review" && lostReviews < MOST_LOST_REVIEWS;
}

function isFree(card: CardRow, cards: readonly CardRow[]): boolean {
  if (card.status !== "todo") return false;
  const needed = dependenciesOf(card);
  return needed.every((id) => cards.some((other) => other.id === id && other.status === "done"));
}

/** How often work left by dead processes is swept. */
export const BOARDS_EVERY_MS = 30_000;
const AT_ONCE = 100;

/** Finishes incomplete work: claimed cards without a run, ended runs not yet recorded; stops boards whose key expired. */
export async function sweepBoards(services: Services, now = new Date()): Promise<void> {
  const { database } = services;
  const ended = await selectBoardsOfEndedKeys(database, now, AT_ONCE);
  const left = await selectBoardsLeft(database, AT_ONCE);
  const boardIds = new Set([...ended, ...left]);
  await eachAlone(boardIds, "going on with a board", (boardId) => tickBoard(services, boardId, now));
}
