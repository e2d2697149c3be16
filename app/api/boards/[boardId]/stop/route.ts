import { z } from "zod";
import { Board } from "@/lib/schema/boards/board";
import { RowId } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { stopBoard } from "@/lib/server/triggers/boards/boards";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    params: z.object({ boardId: RowId }),
    reply: Board,
    summary: "Stop every run of a board; nothing starts until it is started again",
  },
  async ({ services, params: { boardId }, viewer }) =>
    json(await stopBoard(services, boardId, viewer), { schema: Board }),
);
