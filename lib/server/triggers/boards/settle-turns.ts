import { failureText } from "@/lib/schema/runs/failure-text";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { BoardIsGone } from "@/lib/server/files/workspace-row";
import type { Database } from "@/lib/server/platform/db/database";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import {
  type BoardRow,
  type CardChanges,
  type CardRow,
  changeCardOfTurnStatement,
  endTurnStatement,
  selectEndedTurns,
  type TurnRow,
} from "@/lib/server/platform/db/queries/dispatch/boards";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { announceBoard } from "./announce-board";
import type { News } from "./board-prompts";
import { checkEvidence } from "./check-evidence";
import { evidenceOf, Verdict } from "./read-board";
import { wakeStatements } from "./wake-lead";

/** A card interrupted by dying processes this often goes to a person. */
const MOST_INTERRUPTIONS = 3;
/** A card that members send back this often goes to a person. */
const MOST_SENT_BACK = 3;

/**
 * Records how turns have ended and moves their cards. Each turn is recorded once, together with its consequences. Safe
 * to repeat.
 */
export async function settleTurns(database: Database, board: BoardRow, now: Date): Promise<void> {
  const ended = await selectEndedTurns(database, board.id);
  try {
    for (const turn of ended) await settle(database, board, turn, now);
  } catch (error) {
    // Its turns have gone with it.
    if (error instanceof BoardIsGone) return;
    throw error;
  }
  if (ended.length > 0) announceBoard(board);
}

async function settle(database: Database, board: BoardRow, turn: TurnRow, now: Date): Promise<void> {
  const [run, card] = await Promise.all([
    turn.runId === null ? null : database.run.findUnique({ where: { id: turn.runId } }),
    turn.cardId === null ? null : database.boardCard.findUnique({ where: { id: turn.cardId } }),
  ]);
  const has = card !== null && card.turnId === turn.id ? card : null;
  const move = has === null || turn.role === "lead" ? null : await moveOf(database, board, { turn, run, card: has });
  const statements: SqlStatement[] = [endTurnStatement(turn.id, run?.status ?? "gone")];
  if (has !== null && move !== null) {
    statements.push(changeCardOfTurnStatement({ id: has.id, turnId: turn.id }, { ...move.columns, updatedAt: now }));
    const isQuiet = board.stoppedAt !== null && run?.status === "cancelled";
    if (move.news !== undefined && !isQuiet) {
      statements.push(...wakeStatements(board, move.news.kind, { card: has, text: move.news.text, now }));
    }
  }
  try {
    await database.runAll(statements);
  } catch (error) {
    if (!isNothingChanged(error)) throw error;
  }
}

/** The card's new state, and what its lead is told. */
interface Move {
  readonly columns: CardChanges;
  readonly news?: { readonly kind: Exclude<News, "begin">; readonly text: string };
}

interface Ended {
  readonly turn: TurnRow;
  readonly run: ClaimedRun | null;
  readonly card: CardRow;
}

async function moveOf(database: Database, board: BoardRow, ended: Ended): Promise<Move | null> {
  const { turn, run, card } = ended;
  if (turn.role === "review") return card.status === "review" ? reviewed(card, turn) : null;
  if (card.status !== "working") return null;
  if (run === null) return failed(card, { cause: "Its run is gone.", said: "" });
  const said = await finalText(database, run);
  switch (run.status) {
    case "completed":
      return card.question === null
        ? finished(database, board, { card, run, said })
        : {
            columns: { status: "needs_you", note: null, ...keep(said) },
            news: { kind: "question", text: card.question },
          };
    case "interrupted":
      return interrupted(card, said);
    case "cancelled":
      return failed(card, { cause: "It was stopped.", said });
    default:
      return failed(card, { cause: failureText(run.errorMessage ?? run.notice ?? "Its run did not finish."), said });
  }
}

function keep(said: string) {
  return said === "" ? {} : { partial: said };
}

function failed(card: CardRow, { cause, said }: { readonly cause: string; readonly said: string }): Move {
  const words = card.attempts > 1 ? `${cause} (attempt ${card.attempts})` : cause;
  return { columns: { status: "failed", cause: words, ...keep(said) }, news: { kind: "failure", text: words } };
}

/** A member that dies gives its card back, with what it had said so far. */
function interrupted(card: CardRow, said: string): Move {
  const interruptions = card.interruptions + 1;
  if (interruptions >= MOST_INTERRUPTIONS) {
    return failed(card, { cause: `It was interrupted ${interruptions} times.`, said });
  }
  return { columns: { status: "todo", worker: null, interruptions, ...keep(said) } };
}

async function finished(
  database: Database,
  board: BoardRow,
  { card, run, said }: { readonly card: CardRow; readonly run: ClaimedRun; readonly said: string },
): Promise<Move> {
  const evidence = evidenceOf(card);
  const state = evidence === null ? null : await checkEvidence(database, run, evidence);
  const evidenceState = state === null ? null : JSON.stringify(state);
  if (state?.ok === false) {
    const move = failed(card, { cause: `Its evidence is missing: ${state.text}`, said });
    return { ...move, columns: { ...move.columns, evidenceState } };
  }
  if (said === "") return failed(card, { cause: "Its run ended without a result.", said });
  const columns = { result: said, partial: null, evidenceState };
  if (board.review !== "none") return { columns: { ...columns, status: "review" } };
  return { columns: { ...columns, status: "done", doneAt: run.endedAt }, news: { kind: "result", text: said } };
}

function reviewed(card: CardRow, turn: TurnRow): Move {
  if (turn.verdict === null) return { columns: { lostReviews: card.lostReviews + 1 } };
  const { accept, note } = Verdict.parse(JSON.parse(turn.verdict));
  if (accept) return accepted(card, { by: turn.agentId, note });
  const sentBack = card.sentBack + 1;
  if (sentBack >= MOST_SENT_BACK) {
    const cause = `It was sent back ${sentBack} times. The last note: ${note}`;
    return { columns: { status: "failed", cause, note, sentBack }, news: { kind: "failure", text: cause } };
  }
  return { columns: sentBackColumns(card, note) };
}

export function accepted(card: CardRow, { by, note, at = new Date() }: { by: string; note: string; at?: Date }): Move {
  return {
    columns: { status: "done", acceptedBy: by, doneAt: at, ...(note === "" ? {} : { note }) },
    news: { kind: "result", text: card.result ?? "" },
  };
}

/** Returns the card, with the note, to the member that worked on it. */
export function sentBackColumns(card: CardRow, note: string) {
  return { status: "todo", assignee: card.worker, note, sentBack: card.sentBack + 1 };
}

/** The run's last message. */
async function finalText(database: Database, { assistantMessageId: id }: ClaimedRun): Promise<string> {
  const message = await database.transcriptMessage.findUnique({ where: { id }, select: { text: true } });
  return message?.text.trim() ?? "";
}
