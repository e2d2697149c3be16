import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { BoardCard } from "@/lib/schema/boards/board";
import type { Viewer } from "@/lib/schema/users/user";
import { isNothingChanged } from "@/lib/server/platform/db/errors";
import { changeCardStatement } from "@/lib/server/platform/db/queries/dispatch/boards";
import type { Services } from "@/lib/server/platform/services";
import { type CardPlace, changed, entryOf, movedOn, requireCard } from "./cards";
import { dependenciesOf } from "./read-board";
import { accepted } from "./settle-turns";
import { wakeStatements } from "./wake-lead";

type Owner = Pick<Viewer, "id">;

/** The person claims a free card: no run starts, and no member gets it. Throws `conflict` if it is not free. */
export async function claimForPerson(services: Services, place: CardPlace, owner: Owner): Promise<BoardCard> {
  const { database } = services;
  const { board, card } = await requireCard(database, place, owner);
  const before = await database.boardCard.findMany({
    where: { boardId: board.id, id: { in: dependenciesOf(card) } },
    select: { status: true },
    orderBy: { number: "asc" },
  });
  if (card.status !== "todo") throw refused(`Card ${card.number} is not free. Give it back first.`);
  if (card.assignee !== null && card.assignee !== owner.id)
    throw refused(`Card ${card.number} is for ${card.assignee}. Change its assignee first.`);
  if (before.some(({ status }) => status !== "done"))
    throw refused(`Card ${card.number} waits for other cards that are not done.`);
  const now = new Date();
  const columns = {
    status: "working",
    worker: owner.id,
    attempts: card.attempts + 1,
    lostReviews: 0,
    runId: null,
    threadId: null,
    turnId: null,
    cause: null,
    question: null,
    evidenceState: null,
    updatedAt: now,
  };
  const details = { card: card.number, by: "person" };
  const entry = entryOf(board, { actorId: owner.id, action: "board.card_claimed", details }, now);
  try {
    await database.runAll([changeCardStatement(card, columns), entry]);
  } catch (error) {
    if (isNothingChanged(error)) throw movedOn(card);
    throw error;
  }
  return changed(services, board, place, owner);
}

/**
 * Submits what the person has done. Another member reviews it if the board requires that; otherwise the card is done,
 * because only the person could accept it. Throws `conflict` for a card the person has not claimed.
 */
export async function handInCard(
  services: Services,
  place: CardPlace,
  result: string,
  owner: Owner,
): Promise<BoardCard> {
  const { database } = services;
  const { board, card } = await requireCard(database, place, owner);
  if (card.status !== "working" || card.worker !== owner.id)
    throw refused(`You do not work on card ${card.number}. Take it first.`);
  const now = new Date();
  const done = { ...card, result };
  const move =
    board.review === "other_member"
      ? { columns: { status: "review" } }
      : accepted(done, { by: owner.id, note: "", at: now });
  const details = { card: card.number, characters: result.length };
  const statements = [
    changeCardStatement(card, { ...move.columns, result, partial: null, updatedAt: now }),
    entryOf(board, { actorId: owner.id, action: "board.card_handed_in", details }, now),
    ...("news" in move && move.news ? wakeStatements(board, move.news.kind, { card: done, text: result, now }) : []),
  ];
  try {
    await database.runAll(statements);
  } catch (error) {
    if (isNothingChanged(error)) throw movedOn(card);
    throw error;
  }
  return changed(services, board, place, owner);
}

function refused(message: string): AppError {
  return new AppError("conflict", message);
}
