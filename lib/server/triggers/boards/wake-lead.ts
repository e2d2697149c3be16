import { createId } from "@/lib/server/platform/create-id";
import { type BoardRow, type CardRow, insertTurnStatement } from "@/lib/server/platform/db/queries/dispatch/boards";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { beginPrompt, type News, newsPrompt } from "./board-prompts";

/** For the transaction that stores the news: gives the lead one turn. Empty if a person leads. */
export function wakeStatements(
  board: Pick<BoardRow, "id" | "leadAgentId">,
  news: Exclude<News, "begin">,
  { card, text, now }: { readonly card: CardRow; readonly text: string; readonly now: Date },
): SqlStatement[] {
  return turnOfLead(board, { news, prompt: newsPrompt(news, card, text), cardId: card.id, now });
}

export function beginStatements(
  board: Pick<BoardRow, "id" | "leadAgentId" | "name" | "goal">,
  now: Date,
): SqlStatement[] {
  return turnOfLead(board, { news: "begin", prompt: beginPrompt(board), cardId: null, now });
}

interface LeadTurn {
  readonly news: News;
  readonly prompt: string;
  readonly cardId: string | null;
  readonly now: Date;
}

function turnOfLead(
  { id: boardId, leadAgentId: agentId }: Pick<BoardRow, "id" | "leadAgentId">,
  { news, prompt, cardId, now }: LeadTurn,
): SqlStatement[] {
  if (agentId === null) return [];
  const id = createId("turn");
  return [insertTurnStatement({ id, boardId, cardId, agentId, role: "lead", prompt, news, createdAt: now })];
}
