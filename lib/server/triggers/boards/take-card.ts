import { AppError } from "@/lib/schema/app-error";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { type BoardRow, type CardRow, takeStatements } from "@/lib/server/platform/db/queries/dispatch/boards";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { announceBoard } from "./announce-board";
import { reviewPrompt, workPrompt } from "./board-prompts";
import { dependenciesOf, EvidenceState, evidenceOf } from "./read-board";

interface Taking {
  readonly board: BoardRow;
  readonly card: CardRow;
  readonly agentId: string;
  readonly now: Date;
  /** The audit log entry, if a person has chosen the member. */
  readonly entry?: SqlStatement;
}

/** False if another member was faster, or this one may not claim the card now. */
export async function takeCard(database: Database, taking: Taking): Promise<boolean> {
  const { board, card } = taking;
  const before = await database.boardCard.findMany({
    where: { boardId: board.id, id: { in: dependenciesOf(card) } },
    orderBy: { number: "asc" },
  });
  if (before.some(({ status }) => status !== "done")) return false;
  const prompt = workPrompt({ board, card, evidence: evidenceOf(card), before });
  return take(database, taking, "work", prompt);
}

export async function takeReview(database: Database, taking: Taking): Promise<boolean> {
  const { board, card } = taking;
  const checked = card.evidenceState === null ? null : EvidenceState.parse(JSON.parse(card.evidenceState));
  return take(database, taking, "review", reviewPrompt(board, card, checked && `Evidence: ${checked.text}`));
}

async function take(
  database: Database,
  { board, card, agentId, now, entry }: Taking,
  role: "work" | "review",
  prompt: string,
): Promise<boolean> {
  const turn = { id: createId("turn"), agentId, prompt, role };
  try {
    await database.runAll([...takeStatements({ board, card, turn, now }), ...(entry ? [entry] : [])]);
  } catch (error) {
    if (isNothingChanged(error)) return false;
    throw error;
  }
  announceBoard(board);
  return true;
}

/** Why a member could not claim the card, in words, for the error of a refused claim. */
export async function whyNotTaken(
  database: Database,
  board: BoardRow,
  cardId: string,
  agentId: string,
): Promise<AppError> {
  const [now, card, turns] = await Promise.all([
    database.board.findUnique({ where: { id: board.id } }),
    database.boardCard.findUnique({ where: { id: cardId } }),
    database.boardRun.findMany({
      where: { boardId: board.id, outcome: null, role: { not: "lead" } },
      select: { agentId: true },
    }),
  ]);
  if (!now || !card) return new AppError("not_found", "There is no such card.");
  if (now.stoppedAt !== null) return new AppError("conflict", "The board is stopped. Start it again first.");
  if (card.status !== "todo") {
    const who = card.worker === null ? "" : `${card.worker} has taken it. `;
    return new AppError(
      "conflict",
      `${who}Card ${card.number} is not free: it is ${STATUS_LABELS[card.status] ?? card.status}.`,
    );
  }
  if (card.assignee !== null && card.assignee !== agentId) {
    return new AppError("conflict", `Card ${card.number} is for ${card.assignee}. Change its assignee first.`);
  }
  if (turns.some((turn) => turn.agentId === agentId)) {
    return new AppError(
      "conflict",
      `${agentId} works on another card. Wait until that is done, or choose another member.`,
    );
  }
  if (turns.length >= now.maxParallel) {
    return new AppError(
      "conflict",
      `${turns.length} members are at work, which is the board's limit. Try again when one is done.`,
    );
  }
  return new AppError("conflict", `Card ${card.number} waits for other cards that are not done.`);
}

const STATUS_LABELS: Readonly<Record<string, string>> = {
  working: "being worked on",
  needs_you: "waiting for an answer",
  review: "in review",
  done: "done",
  failed: "failed; try it again or give it back",
};
