import { Board, BoardList, CreateBoardBody } from "@/lib/schema/boards/board";
import { PageQuery } from "@/lib/schema/page-query";
import { json } from "@/lib/server/http/reply";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { createBoard, listBoards } from "@/lib/server/triggers/boards/boards";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", query: PageQuery, reply: BoardList, summary: "The caller's boards, newest first" },
  async ({ services, query, viewer }) =>
    json(await listBoards(services.database, query, viewer), { schema: BoardList }),
);

export const POST = defineRoute(
  {
    access: "chat",
    body: CreateBoardBody,
    reply: Board,
    status: 201,
    summary: "Create a board with its team; a lead that is an agent begins at once",
  },
  async ({ services, body, viewer }) =>
    json(await createBoard(services, body, viewer, accessOf(viewer)), { status: 201, schema: Board }),
);
