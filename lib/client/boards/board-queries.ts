import { queryOptions } from "@tanstack/react-query";
import type { z } from "zod";
import { callApi, callJson } from "@/lib/client/http/api";
import { BOARDS_KEY } from "@/lib/client/http/query-keys";
import {
  Board,
  BoardCard,
  BoardList,
  type CreateBoardBody,
  type CreateCardBody,
  type ReopenBody,
  type ReviewBody,
  type UpdateBoardBody,
  type UpdateCardBody,
} from "@/lib/schema/boards/board";

const pathOf = (id: string) => `/api/boards/${encodeURIComponent(id)}`;
const cardPath = (boardId: string, id: string) => `${pathOf(boardId)}/tasks/${encodeURIComponent(id)}`;

/** Refetched when the feed reports a change. */
export const boardsQuery = queryOptions({
  queryKey: [...BOARDS_KEY, "list"],
  queryFn: async ({ signal }) => (await callJson(BoardList, "/api/boards?limit=200", { signal })).boards,
});

export function boardQuery(id: string) {
  return queryOptions({
    queryKey: [...BOARDS_KEY, "one", id],
    queryFn: ({ signal }) => callJson(Board, pathOf(id), { signal }),
  });
}

export function createBoard(body: z.input<typeof CreateBoardBody>): Promise<Board> {
  return callJson(Board, "/api/boards", { method: "POST", body });
}

export function updateBoard(id: string, body: z.input<typeof UpdateBoardBody>): Promise<Board> {
  return callJson(Board, pathOf(id), { method: "PATCH", body });
}

export function stopBoard(id: string): Promise<Board> {
  return callJson(Board, `${pathOf(id)}/stop`, { method: "POST" });
}

export async function deleteBoard(id: string): Promise<void> {
  await callApi(pathOf(id), { method: "DELETE" });
}

export function createCard(boardId: string, body: z.input<typeof CreateCardBody>): Promise<BoardCard> {
  return callJson(BoardCard, `${pathOf(boardId)}/tasks`, { method: "POST", body });
}

export function updateCard(boardId: string, id: string, body: z.input<typeof UpdateCardBody>): Promise<BoardCard> {
  return callJson(BoardCard, cardPath(boardId, id), { method: "PATCH", body });
}

export async function removeCard(boardId: string, id: string): Promise<void> {
  await callApi(cardPath(boardId, id), { method: "DELETE" });
}

export function claimCard(boardId: string, id: string, assignee: string): Promise<BoardCard> {
  return callJson(BoardCard, `${cardPath(boardId, id)}/claim`, { method: "POST", body: { assignee } });
}

export function claimCardMyself(boardId: string, id: string): Promise<BoardCard> {
  return callJson(BoardCard, `${cardPath(boardId, id)}/claim`, { method: "POST", body: { person: true } });
}

export function handInCard(boardId: string, id: string, result: string): Promise<BoardCard> {
  return callJson(BoardCard, `${cardPath(boardId, id)}/result`, { method: "POST", body: { result } });
}

export function reviewCard(boardId: string, id: string, body: ReviewBody): Promise<BoardCard> {
  return callJson(BoardCard, `${cardPath(boardId, id)}/review`, { method: "POST", body });
}

export function reopenCard(boardId: string, id: string, body: z.input<typeof ReopenBody>): Promise<BoardCard> {
  return callJson(BoardCard, `${cardPath(boardId, id)}/reopen`, { method: "POST", body });
}
