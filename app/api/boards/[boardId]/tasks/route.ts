import { z } from "zod";
import { BoardCard, CardList, CreateCardBody } from "@/lib/schema/boards/board";
import { RowId } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { createCard, listCards } from "@/lib/server/triggers/boards/cards";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ boardId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: CardList, summary: "The cards of a board by their number" },
  async ({ services, params: { boardId }, viewer }) =>
    json({ tasks: await listCards(services.database, boardId, viewer), nextCursor: null }, { schema: CardList }),
);

export const POST = defineRoute(
  { access: "chat", params, body: CreateCardBody, reply: BoardCard, status: 201, summary: "Add a card to a board" },
  async ({ services, params: { boardId }, body, viewer }) =>
    json(await createCard(services, boardId, body, viewer), { status: 201, schema: BoardCard }),
);
