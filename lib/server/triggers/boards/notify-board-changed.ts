import type { BoardRow } from "@/lib/server/platform/db/queries/dispatch/boards";
import type { Services } from "@/lib/server/platform/services";
import { tellPerson } from "@/lib/server/triggers/notify/tell-person";

const LOOK_BACK_MS = 24 * 60 * 60_000;

/** Tells a board's owner, once, that all of its cards are done and nobody works on it any more. */
export async function notifyBoardChanged(services: Services, board: BoardRow, now: Date): Promise<void> {
  const { database } = services;
  const cards = await database.boardCard.findMany({
    where: { boardId: board.id },
    select: { status: true, doneAt: true, sentBack: true },
    orderBy: { number: "asc" },
  });
  if (cards.length === 0 || cards.some(({ status }) => status !== "done")) return;
  const doneAt = cards.reduce(
    (latest, card) => (card.doneAt && card.doneAt > latest ? card.doneAt : latest),
    new Date(0),
  );
  if (doneAt.getTime() < now.getTime() - LOOK_BACK_MS) return;
  if ((await database.boardRun.count({ where: { boardId: board.id, outcome: null } })) > 0) return;
  const sentBack = cards.filter((card) => card.sentBack > 0).length;
  const all = cards.length === 1 ? "1 card" : `${cards.length} cards`;
  await tellPerson(
    services,
    {
      ownerId: board.ownerId,
      kind: "board",
      key: `board ${board.id} ${doneAt.toISOString()}`,
      title: `Board finished: ${all}`,
      detail: sentBack === 0 ? "" : `${sentBack === 1 ? "1 was" : `${sentBack} were`} sent back on the way.`,
      source: `board ${board.name}`,
      path: `/automations/boards/${board.id}`,
      at: doneAt,
    },
    now,
  );
}
