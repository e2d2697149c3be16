import { z } from "zod";
import { BoardCard, ReviewBody } from "@/lib/schema/boards/board";
import { RowId } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { reviewCard } from "@/lib/server/triggers/boards/cards";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ boardId: RowId, taskId: RowId }),
    body: ReviewBody,
    reply: BoardCard,
    summary: "Accept a result, or send it back with a note",
  },
  async ({ services, params, body, viewer }) =>
    json(await reviewCard(services, params, body, viewer), { schema: BoardCard }),
);
