import { z } from "zod";
import { BoardCard, UpdateCardBody } from "@/lib/schema/boards/board";
import { RowId } from "@/lib/schema/page-query";
import { json, noContent } from "@/lib/server/http/reply";
import { getCard, removeCard, updateCard } from "@/lib/server/triggers/boards/cards";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ boardId: RowId, taskId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: BoardCard, summary: "One card of a board" },
  async ({ services, params, viewer }) => json(await getCard(services.database, params, viewer), { schema: BoardCard }),
);

export const PATCH = defineRoute(
  { access: "chat", params, body: UpdateCardBody, reply: BoardCard, summary: "Change a card that no member has" },
  async ({ services, params, body, viewer }) =>
    json(await updateCard(services, params, body, viewer), { schema: BoardCard }),
);

export const DELETE = defineRoute(
  { access: "chat", params, status: 204, summary: "Remove a card; a run that works on it is stopped" },
  async ({ services, params, viewer }) => {
    await removeCard(services, params, viewer);
    return noContent();
  },
);
