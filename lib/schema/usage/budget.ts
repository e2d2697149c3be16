import { z } from "zod";
import { BudgetPeriod, BudgetScope } from "@/lib/schema/runs/budget-ask";

const Usd = z.number().nonnegative().max(10_000_000).nullable();
const Tokens = z.number().int().nonnegative().max(1_000_000_000_000).nullable();
export const OnReach = z.enum(["warn", "wait", "stop"]);
export type OnReach = z.infer<typeof OnReach>;

/** Whether a budget of this scope limits one thing, which its `scopeId` names. */
export function namesOne(scope: BudgetScope): boolean {
  return scope !== "installation" && scope !== "each_user";
}

const NO_LIMIT = { path: ["usd"], message: "Limit dollars, tokens or both." };

/** POST `/api/budgets`. `scopeId` names what is limited; absent for the installation and for each person. */
export const CreateBudgetBody = z
  .strictObject({
    scope: BudgetScope.exclude(["board"]),
    scopeId: z.string().min(1).max(200).optional(),
    period: BudgetPeriod,
    usd: Usd.default(null),
    tokens: Tokens.default(null),
    on_reach: OnReach.default("wait"),
  })
  .refine(({ usd, tokens }) => usd !== null || tokens !== null, NO_LIMIT)
  .refine(({ scope, scopeId }) => !namesOne(scope) === (scopeId === undefined), {
    path: ["scopeId"],
    message: "Say which group, user, agent, key or project it limits; the installation and each_user need none.",
  });
export type CreateBudgetBody = z.infer<typeof CreateBudgetBody>;

/** PATCH `/api/budgets/{id}`; what it limits can't be changed. */
export const UpdateBudgetBody = z.strictObject({
  period: BudgetPeriod.optional(),
  usd: Usd.optional(),
  tokens: Tokens.optional(),
  on_reach: OnReach.optional(),
});
export type UpdateBudgetBody = z.infer<typeof UpdateBudgetBody>;

const Amount = z.object({ usd: z.number(), tokens: z.number() });

/**
 * A budget with what its current period has used and reserved; for a budget per run or thread, the figures are of the
 * one that used most in the last seven days, for one of each person they are of who used most.
 */
export const Budget = z.object({
  id: z.string(),
  scope: BudgetScope,
  scopeId: z.string().nullable(),
  /** Empty for the installation and for each person. */
  name: z.string(),
  period: BudgetPeriod,
  usd: z.number().nullable(),
  tokens: z.number().nullable(),
  on_reach: OnReach,
  used: Amount,
  reserved: Amount,
  /** The amounts that people have added to the limits for this period. */
  added: Amount,
  /** Time at which a call last did not fit, in this period. */
  reachedAt: z.string().nullable(),
  reachedCount: z.number(),
  /** Runs that wait until it is raised. */
  waiting: z.array(z.object({ runId: z.string(), threadId: z.string(), title: z.string().nullable() })),
  createdAt: z.string(),
});
export type Budget = z.infer<typeof Budget>;

/** One limit that applies to a run: a budget of the installation, or one of its agent's own. */
const RunBudget = Budget.pick({ scope: true, scopeId: true, name: true, period: true, usd: true, tokens: true })
  .extend(Budget.pick({ used: true, reserved: true, added: true }).shape)
  .extend({
    /** The account on which its spending is counted. */
    id: z.string(),
    /** Null for an agent's own limit. */
    budgetId: z.string().nullable(),
    /** It is the share of a run's limit that subagents draw on. */
    isShare: z.boolean().optional(),
    on_reach: z.enum([...OnReach.options, "final_answer"]),
  });
export type RunBudget = z.infer<typeof RunBudget>;

export const RunBudgetList = z.object({ budgets: z.array(RunBudget), nextCursor: z.null() });
export type RunBudgetList = z.infer<typeof RunBudgetList>;

export const BudgetList = z.object({ budgets: z.array(Budget), nextCursor: z.string().nullable() });
export type BudgetList = z.infer<typeof BudgetList>;
