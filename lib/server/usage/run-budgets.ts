import "server-only";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { roundedUsd } from "@/lib/schema/runs/usage";
import type { RunBudget, RunBudgetList } from "@/lib/schema/usage/budget";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { budgetRows } from "@/lib/server/engine/budgets/budget-rows";
import { type Cap, capsOf, chainOf } from "@/lib/server/engine/budgets/caps";
import { nameOf, UNUSED } from "@/lib/server/engine/budgets/describe-reached";
import { RunInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { type BudgetAccountRow, selectAccounts } from "@/lib/server/platform/db/queries/usage/budgets";
import { runInReach } from "@/lib/server/platform/within-reach";
import { runNotFound } from "@/lib/server/views/get-run";

/**
 * The limits on a run and their usage: for an ended run, what would limit it now. Throws `not_found` for other people's
 * runs.
 */
export async function listRunBudgets(database: Database, runId: string, viewer: Viewer): Promise<RunBudgetList> {
  const run = await database.run.findFirst({
    where: { id: runId, ...(hasAdminScope(viewer) ? {} : { ownerId: viewer.id }), ...runInReach(viewer) },
    select: {
      id: true,
      agentId: true,
      threadId: true,
      isInline: true,
      ownerId: true,
      apiKeyId: true,
      input: true,
      projectId: true,
      agentVersion: { select: { config: true } },
    },
  });
  if (!run) throw runNotFound();
  const config = AgentConfig.parse(JSON.parse(run.agentVersion.config));
  const chain = chainOf(run, config, RunInput.parse(JSON.parse(run.input)));
  const caps = capsOf(chain, await budgetRows(database), new Date());
  if (caps.length === 0) return { budgets: [], nextCursor: null };
  const known = await selectAccounts(
    database,
    caps.map(({ account }) => account),
  );
  const accounts = new Map(known.map((row) => [row.id, row]));
  const budgets = await Promise.all(
    caps.map(async (cap) => describe(cap, await nameOf(database, cap), accounts.get(cap.account))),
  );
  return { budgets, nextCursor: null };
}

function describe(cap: Cap, name: string, account: BudgetAccountRow | undefined): RunBudget {
  const { budgetId, scope, scopeId, period, usd, tokens, onReach, isShare } = cap;
  const { usedUsd, usedTokens, reservedUsd, reservedTokens, addedUsd, addedTokens } = account ?? UNUSED;
  return {
    id: cap.account,
    budgetId,
    scope,
    scopeId,
    name,
    period,
    usd,
    tokens,
    on_reach: onReach,
    ...(isShare ? { isShare } : {}),
    used: { usd: roundedUsd(usedUsd), tokens: usedTokens },
    reserved: { usd: roundedUsd(Math.max(0, reservedUsd)), tokens: Math.max(0, reservedTokens) },
    added: { usd: addedUsd, tokens: addedTokens },
  };
}
