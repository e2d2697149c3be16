import type { Database } from "@/lib/server/platform/db/database";
import type { BoardRow } from "@/lib/server/platform/db/queries/dispatch/boards";
import { selectAccounts } from "@/lib/server/platform/db/queries/usage/budgets";

/** The spending of a board against its budget. */
export interface BoardSpending {
  readonly used: { readonly usd: number; readonly tokens: number };
  readonly reserved: { readonly usd: number; readonly tokens: number };
  readonly added: { readonly usd: number; readonly tokens: number };
  /** The budget is used up: no card starts, and runs wait. */
  readonly isReached: boolean;
}

/** The spending of boards with a budget, by board. */
export async function budgetsOfBoards(
  database: Database,
  boards: readonly Pick<BoardRow, "id">[],
): Promise<ReadonlyMap<string, BoardSpending>> {
  const ids = boards.map(({ id }) => id);
  const rows = await database.budget.findMany({ where: { scope: "board", scopeId: { in: ids } } });
  if (rows.length === 0) return new Map();
  const accounts = new Map(
    (
      await selectAccounts(
        database,
        rows.map(({ id }) => accountOf(id)),
      )
    ).map((account) => [account.id, account]),
  );
  const waiting = await database.run.findMany({
    where: { status: "waiting", waitingFor: { contains: "budget" }, thread: { boardId: { in: ids } } },
    select: { thread: { select: { boardId: true } } },
  });
  const asking = new Set(waiting.map(({ thread }) => thread.boardId));
  return new Map(
    rows.map(({ id, scopeId, usd, tokens }) => {
      const {
        usedUsd = 0,
        usedTokens = 0,
        reservedUsd = 0,
        reservedTokens = 0,
        addedUsd = 0,
        addedTokens = 0,
      } = accounts.get(accountOf(id)) ?? {};
      const isFull = (cap: number | null, spent: number) => cap !== null && spent >= cap;
      return [
        scopeId ?? "",
        {
          used: { usd: usedUsd, tokens: usedTokens },
          reserved: { usd: Math.max(0, reservedUsd), tokens: reservedTokens },
          added: { usd: addedUsd, tokens: addedTokens },
          isReached:
            asking.has(scopeId) ||
            isFull(usd === null ? null : usd + addedUsd, usedUsd) ||
            isFull(tokens === null ? null : tokens + addedTokens, usedTokens),
        },
      ] as const;
    }),
  );
}

export async function isBudgetReached(database: Database, board: BoardRow): Promise<boolean> {
  if (board.budgetUsd === null && board.budgetTokens === null) return false;
  return (await budgetsOfBoards(database, [board])).get(board.id)?.isReached ?? false;
}

function accountOf(budgetId: string): string {
  return `${budgetId}:total`;
}
