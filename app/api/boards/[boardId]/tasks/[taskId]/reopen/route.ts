import { z } from "zod";
import { BoardCard, ReopenBody } from "@/lib/schema/boards/board";
import { RowId } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { reopenCard } from "@/lib/server/triggers/boards/cards";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ boardId: RowId, taskId: RowId }),
    body: ReopenBody,
    reply: BoardCard,
    summary: "Try a card again, answer its question, or give it back",
  },
  async ({ services, params, body, viewer }) =>
    json(await reopenCard(services, params, body, viewer), { schema: BoardCard }),
);
