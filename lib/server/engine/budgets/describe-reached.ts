import type { BudgetOutcome } from "@/lib/agent/budget";
import { type BudgetAsk, BudgetRefusal, budgetName } from "@/lib/schema/runs/budget-ask";
import { formatUsd } from "@/lib/schema/runs/format-usd";
import type { InterruptDecision } from "@/lib/schema/runs/interrupt";
import { roundedUsd } from "@/lib/schema/runs/usage";
import type { Database } from "@/lib/server/platform/db/database";
import type { BudgetAccountRow } from "@/lib/server/platform/db/queries/usage/budgets";
import type { Cap } from "./caps";

interface Reached {
  readonly cap: Cap;
  readonly account: BudgetAccountRow | undefined;
  readonly worst: { readonly usd: number | null; readonly tokens: number };
}

/** An account that no call has drawn on yet. */
export const UNUSED = { usedUsd: 0, reservedUsd: 0, addedUsd: 0, usedTokens: 0, reservedTokens: 0, addedTokens: 0 };

/** How many administrators are named. */
const NAMED = 3;

/** The budget as people see it, with the names of what it limits and of up to three administrators who may raise it. */
export async function describeAsk(database: Database, { cap, account, worst }: Reached): Promise<BudgetAsk> {
  const { usedUsd, reservedUsd, addedUsd, usedTokens, reservedTokens, addedTokens } = account ?? UNUSED;
  const { usd, tokens, scope, scopeId, period, budgetId, raise, isShare } = cap;
  return {
    account: cap.account,
    budgetId,
    scope,
    scopeId,
    period,
    raise,
    ...(isShare ? { isShare } : {}),
    name: await nameOf(database, cap),
    capUsd: usd === null ? null : roundedUsd(usd + addedUsd),
    capTokens: tokens === null ? null : tokens + addedTokens,
    spentUsd: roundedUsd(usedUsd),
    spentTokens: usedTokens,
    reservedUsd: roundedUsd(Math.max(0, reservedUsd)),
    reservedTokens,
    nextUsd: worst.usd,
    nextTokens: worst.tokens,
    raisers: raise.by === "admins" ? await administrators(database) : [],
  };
}

/** The name of what the budget limits; an agent is named by its id, as people write it. */
export async function nameOf(database: Database, { scope, scopeId }: Pick<Cap, "scope" | "scopeId">): Promise<string> {
  const where = { id: scopeId ?? "" };
  const select = { name: true };
  if (scope === "group") return (await database.group.findUnique({ where, select }))?.name ?? "";
  if (scope === "user" || scope === "each_user") return (await database.user.findUnique({ where, select }))?.name ?? "";
  if (scope === "project") return (await database.project.findUnique({ where, select }))?.name ?? "";
  if (scope === "board") return (await database.board.findUnique({ where, select }))?.name ?? "";
  if (scope === "key") return (await database.apiKey.findUnique({ where, select }))?.name ?? "";
  return scopeId ?? "";
}

async function administrators(database: Database): Promise<string[]> {
  const users = await database.user.findMany({
    where: { role: "admin", isService: false, deactivatedAt: null },
    orderBy: { createdAt: "asc" },
    select: { name: true },
    take: NAMED,
  });
  return users.map(({ name }) => name);
}

/** The text that a person reads: a card's question, or the notice below an answer. */
export function reachedText(ask: BudgetAsk, outcome: BudgetOutcome): string {
  const facts = `${spentText(ask)}, and the next call may cost up to ${nextText(ask)}`;
  if (outcome === "wait") return `${capitalized(budgetName(ask))} is reached: ${facts}, which does not fit.`;
  if (outcome === "final_answer")
    return `${capitalized(budgetName(ask))} is reached, so the agent answered with what it had.`;
  const who = ask.raise.by === "admins" ? "An administrator can raise it" : "Raise the agent's budget";
  if (outcome === "refuse") return `${capitalized(budgetName(ask))} is reached: ${facts}. ${who}.`;
  return `Stopped: ${budgetName(ask)} is reached. ${capitalized(facts)}. ${who}, then continue.`;
}

/** Whether the notice of an ended run is one of these. */
export function saysBudgetReached(notice: string): boolean {
  const [line = ""] = notice.split("\n", 1);
  if (/^Stopped(?:: | at )/.test(line)) return /\bbudget\b/.test(line);
  const answered = notice.indexOf(" is reached, so the agent answered");
  return answered !== -1 && /\bbudget\b/.test(notice.slice(0, answered));
}

/** Why a run whose budget was not raised ends: refused, expired, or answered with what it had. */
export function refusedText(ask: BudgetAsk, { decision, byName, args }: InterruptDecision): string {
  const isAnswer = BudgetRefusal.safeParse(args).data?.final_answer === true;
  if (decision === "expired") return `Stopped at ${budgetName(ask)}: nobody raised it in time.`;
  if (isAnswer) return `${capitalized(budgetName(ask))} is reached, so the agent answered with what it had.`;
  return `Stopped at ${budgetName(ask)}${byName === undefined ? "" : ` by ${byName}`}.`;
}

function spentText({ capUsd, spentUsd, spentTokens }: BudgetAsk): string {
  return capUsd === null ? `${spentTokens.toLocaleString("en")} tokens are used` : `${formatUsd(spentUsd)} is spent`;
}

function nextText({ capUsd, nextUsd, nextTokens }: BudgetAsk): string {
  return capUsd === null || nextUsd === null ? `${nextTokens.toLocaleString("en")} tokens` : formatUsd(nextUsd);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
