import { z } from "zod";

const usd = (what: string) =>
  z.number().nonnegative().max(1_000_000).nullable().describe(`US dollars ${what}; null: no limit.`).default(null);

/**
 * An agent's spending limits. The worst case of each model call is reserved before it, so no limit is exceeded by more
 * than one call. Subagents draw on the limits of the agent that starts them.
 */
export const BudgetConfig = z.strictObject({
  run_usd: usd("for one run, its subagents included"),
  run_tokens: z.number().int().min(1).nullable().describe("Tokens of one run; null: no limit.").default(null),
  thread_usd: usd("for one thread"),
  day_usd: usd("for all of the agent's runs of a day"),
  month_usd: usd("for all of the agent's runs of a month"),
  children_share: z
    .number()
    .min(0)
    .max(1)
    .describe("How much of a run's own limits all of its subagents together may use.")
    .default(0.5),
  on_reach: z
    .enum(["wait", "stop", "final_answer"])
    .describe("At a limit the run waits for a person, stops, or answers with what it has.")
    .default("wait"),
  raise_usd: z
    .number()
    .nonnegative()
    .max(1_000_000)
    .nullable()
    .describe("The most that the run's owner may add to a limit; null: as much as they like.")
    .default(null),
});
export type BudgetConfig = z.output<typeof BudgetConfig>;

/** Whether the budget limits anything. */
export function isLimited({ run_usd, run_tokens, thread_usd, day_usd, month_usd }: BudgetConfig): boolean {
  return [run_usd, run_tokens, thread_usd, day_usd, month_usd].some((limit) => limit !== null);
}
