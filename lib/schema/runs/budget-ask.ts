import { z } from "zod";
import { formatUsd } from "./format-usd";

/** `each_user`: every person has the amount for themselves. */
export const BudgetScope = z.enum(["installation", "each_user", "group", "user", "agent", "key", "project", "board"]);
export type BudgetScope = z.infer<typeof BudgetScope>;

export const BudgetPeriod = z.enum(["run", "thread", "day", "month", "total"]);
export type BudgetPeriod = z.infer<typeof BudgetPeriod>;

/** The budget a call did not fit into, as the run's log and the card show it. */
export const BudgetAsk = z.object({
  /** The account its spending is counted on: the budget and its period. */
  account: z.string(),
  /** Null for an agent's own limits. */
  budgetId: z.string().nullable(),
  scope: BudgetScope,
  scopeId: z.string().nullable(),
  /** Name of what is limited; empty for the installation. */
  name: z.string(),
  period: BudgetPeriod,
  /** The limit is the share of a run's budget that its subagents draw on. */
  isShare: z.boolean().optional(),
  /** Including what was added. Null: this budget has no such limit. */
  capUsd: z.number().nullable(),
  capTokens: z.number().nullable(),
  spentUsd: z.number(),
  spentTokens: z.number(),
  reservedUsd: z.number(),
  reservedTokens: z.number(),
  /** The worst case of the call; `nextUsd` is null if no price is known. */
  nextUsd: z.number().nullable(),
  nextTokens: z.number(),
  /** Who may raise it: the run's owner, up to `maxUsd` unless that is null, or administrators only. */
  raise: z.object({ by: z.enum(["owner", "admins"]), maxUsd: z.number().nullable() }),
  /** Names of administrators who can raise it, if the owner cannot. */
  raisers: z.array(z.string()),
});
export type BudgetAsk = z.infer<typeof BudgetAsk>;

/** `args` of the decision `allow`. */
export const BudgetRaise = z
  .strictObject({
    add_usd: z.number().nonnegative().max(1_000_000).optional(),
    add_tokens: z.number().int().nonnegative().optional(),
  })
  .refine(({ add_usd: usd, add_tokens: tokens }) => usd !== undefined || tokens !== undefined, {
    path: ["add_usd"],
    message: "say how much to add: add_usd, or add_tokens where tokens are limited",
  });
export type BudgetRaise = z.infer<typeof BudgetRaise>;

/** `args` of the decision `deny`: the run makes one more call, without tools, and ends with that answer. */
export const BudgetRefusal = z.strictObject({ final_answer: z.boolean().default(false) });

/** "the budget of $0.50 for this run", "the budget of $5 a day for Ana Lima", "the subagents' share of $0.25". */
export function budgetName(budget: NamedBudget): string {
  return budget.isShare ? budgetTerms(budget) : `the budget of ${budgetTerms(budget)}`;
}

type NamedBudget = Pick<BudgetAsk, "capUsd" | "capTokens" | "scope" | "name" | "period" | "isShare">;

/** Its limit and what that is for, such as "$0.50 a day for Ada"; a subagents' share is named as such. */
export function budgetTerms({ capUsd, capTokens, scope, name, period, isShare }: NamedBudget): string {
  const limit = capUsd === null ? `${(capTokens ?? 0).toLocaleString("en")} tokens` : formatUsd(capUsd);
  if (isShare) return `the share of ${limit} that this run's subagents have`;
  if (period === "run") return `${limit} for a run${scope === "agent" ? ` of ${name}` : ""}`;
  const whose = scope === "installation" ? "the whole installation" : name;
  const every = { thread: "a thread", day: "a day", month: "a month", total: "in all" }[period];
  return `${limit} ${every} for ${whose}`;
}
