import { z } from "zod";
import { BoardCard, HandInBody } from "@/lib/schema/boards/board";
import { RowId } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { handInCard } from "@/lib/server/triggers/boards/person-cards";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ boardId: RowId, taskId: RowId }),
    body: HandInBody,
    reply: BoardCard,
    summary: "Hand in the result of a card that you work on yourself; 409 when you do not have it",
  },
  async ({ services, params, body, viewer }) =>
    json(await handInCard(services, params, body.result, viewer), { schema: BoardCard }),
);
