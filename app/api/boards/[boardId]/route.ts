import { z } from "zod";
import { Board, UpdateBoardBody } from "@/lib/schema/boards/board";
import { RowId } from "@/lib/schema/page-query";
import { json, noContent } from "@/lib/server/http/reply";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { deleteBoard, getBoard, updateBoard } from "@/lib/server/triggers/boards/boards";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ boardId: RowId });

export const GET = defineRoute(
  { access: "read", params, reply: Board, summary: "One board with its team and cards" },
  async ({ services, params: { boardId }, viewer }) =>
    json(await getBoard(services, boardId, viewer), { schema: Board }),
);

export const PATCH = defineRoute(
  {
    access: "chat",
    params,
    body: UpdateBoardBody,
    reply: Board,
    summary: "Change a board, or start a stopped one again",
  },
  async ({ services, params: { boardId }, body, viewer }) =>
    json(await updateBoard(services, boardId, body, { viewer, access: accessOf(viewer) }), { schema: Board }),
);

export const DELETE = defineRoute(
  {
    access: "chat",
    params,
    status: 204,
    summary: "Delete a board with its threads and shared files; its runs are stopped",
  },
  async ({ services, params: { boardId }, viewer }) => {
    await deleteBoard(services.database, boardId, viewer);
    return noContent();
  },
);
