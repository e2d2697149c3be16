import type { Database } from "@/lib/server/platform/db/database";
import { selectAccounts } from "@/lib/server/platform/db/queries/usage/budgets";
import { budgetRows } from "./budget-rows";
import { type Cap, capsOf, type RunChain } from "./caps";
import { UNUSED } from "./describe-reached";

/** The first limit with nothing left for a run with this chain; null if all have something left. */
export async function findUsedUp(database: Database, chain: RunChain, now: Date): Promise<Cap | null> {
  const caps = capsOf(chain, await budgetRows(database), now).filter(({ onReach }) => onReach !== "warn");
  if (caps.length === 0) return null;
  const accounts = await selectAccounts(
    database,
    caps.map(({ account }) => account),
  );
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const isUsedUp = ({ account, usd, tokens }: Cap) => {
    const used = byId.get(account) ?? UNUSED;
    if (usd !== null && used.usedUsd >= usd + used.addedUsd) return true;
    return tokens !== null && used.usedTokens >= tokens + used.addedTokens;
  };
  return caps.find(isUsedUp) ?? null;
}
