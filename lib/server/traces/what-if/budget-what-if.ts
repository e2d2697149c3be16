import "server-only";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BudgetWhatIf } from "@/lib/schema/permissions/what-if";
import type { CreateBudgetBody } from "@/lib/schema/usage/budget";
import { periodKey, zoneOfBudget } from "@/lib/server/engine/budgets/caps";
import type { Database } from "@/lib/server/platform/db/database";
import { type SpentRun, type SpentScope, selectSpentRuns } from "@/lib/server/platform/db/queries/calls/spent-runs";
import { maskText } from "@/lib/server/platform/masking";

/** Few enough that a page holds up nobody for long. */
const PER_PAGE = 500;
const MOST_CHANGED = 200;

type Period = Pick<SpentScope, "since" | "reach">;

/**
 * Which runs would have reached the budget, by what they spent and in the order in which they began. A run that began
 * after its period's budget was reached counts as reached, and adds nothing.
 */
export async function whatIfBudget(
  db: Database,
  budget: CreateBudgetBody,
  { since, reach }: Period,
): Promise<BudgetWhatIf> {
  const scope = { since, reach, ...whose(budget) };
  const tally = tallyRuns(budget);
  for (let after: SpentRun | null = null; ; ) {
    const page: SpentRun[] = await selectSpentRuns(db, scope, { after, limit: PER_PAGE });
    await nextTurn();
    page.forEach(tally.add);
    after = page.at(-1) ?? null;
    if (page.length < PER_PAGE) return tally.report();
  }
}

const COLUMNS = { agent: "agentId", user: "ownerId", key: "apiKeyId", project: "projectId" } as const;

function whose({ scope, scopeId = "" }: CreateBudgetBody): Pick<SpentScope, "column" | "groupId"> {
  if (scope === "installation" || scope === "each_user") return {};
  return scope === "group" ? { groupId: scopeId } : { column: { name: COLUMNS[scope], value: scopeId } };
}

function tallyRuns({ scope, scopeId, period, usd, tokens }: CreateBudgetBody) {
  const spent = new Map<string, { usd: number; tokens: number; isReached: boolean }>();
  const counts = { runs: 0, unknown: 0, reached: 0, notStarted: 0 };
  const changed: SpentRun[] = [];
  const accountOf = ({ runId, threadId, ownerId, startedAt }: SpentRun) => {
    const person = scope === "each_user" ? ownerId : (scopeId ?? null);
    const key = periodKey(period, {
      runId,
      threadId,
      now: startedAt,
      timeZone: zoneOfBudget({ scope, scopeId: person }),
    });
    return scope === "each_user" ? `${ownerId} ${key}` : key;
  };
  return {
    add(run: SpentRun): void {
      counts.runs += 1;
      if (run.costUsd === null) counts.unknown += 1;
      const key = accountOf(run);
      const account = spent.get(key) ?? { usd: 0, tokens: 0, isReached: false };
      spent.set(key, account);
      if (account.isReached) counts.notStarted += 1;
      account.usd += run.costUsd ?? 0;
      account.tokens += run.tokens;
      account.isReached ||= isOver(account.usd, usd) || isOver(account.tokens, tokens);
      if (!account.isReached) return;
      counts.reached += 1;
      changed.push(run);
      if (changed.length > MOST_CHANGED) changed.shift();
    },
    report: (): BudgetWhatIf => ({
      ...counts,
      periods: [...spent.values()].filter(({ isReached }) => isReached).length,
      changed: changed.reverse().map(({ id, runId, title, startedAt, costUsd }) => ({
        ...{ runId, traceId: id, costUsd },
        title: title === null ? null : maskText(title),
        startedAt: startedAt.toISOString(),
      })),
    }),
  };
}

function isOver(spent: number, cap: number | null): boolean {
  return cap !== null && spent > cap;
}
