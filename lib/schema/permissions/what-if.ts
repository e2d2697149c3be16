import { z } from "zod";
import { PermissionRule, PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { AgentId } from "@/lib/schema/agents/agent-id";
import { CreateBudgetBody } from "@/lib/schema/usage/budget";

const WhatIfRules = z.strictObject({
  enabled: z.boolean().optional(),
  mode: PermissionsConfig.shape.mode.unwrap().optional(),
  deny: PermissionsConfig.shape.deny.unwrap().optional(),
  ask: PermissionsConfig.shape.ask.unwrap().optional(),
  allow: PermissionsConfig.shape.allow.unwrap().optional(),
  approval_ttl_hours: PermissionsConfig.shape.approval_ttl_hours.unwrap().optional(),
  grant_ttl_days: PermissionsConfig.shape.grant_ttl_days.unwrap().optional(),
});

/** Exactly this call, or commands that begin with `pattern`. */
const WhatIfGrant = z
  .strictObject({
    tool: z.string().min(1).max(200),
    args: z.record(z.string(), z.unknown()).optional(),
    pattern: z.string().min(1).max(1_000).optional(),
  })
  .refine(({ args, pattern }) => (args === undefined) !== (pattern === undefined), {
    path: ["args"],
    message: "Name either the arguments of a call or the first words of a command.",
  });

/**
 * POST `/api/permissions/what-if`: one of a change to the agent's permissions (`rules` as in its config, `mode` or
 * both; what is left out stays as published), a grant, or a budget. A budget needs no agent.
 */
export const WhatIfQuery = z
  .strictObject({
    agentId: AgentId.optional(),
    rules: WhatIfRules.optional(),
    mode: PermissionsConfig.shape.mode.unwrap().optional(),
    grant: WhatIfGrant.optional(),
    budget: CreateBudgetBody.optional(),
    days: z.number().int().min(1).max(90).default(30),
  })
  .refine(({ rules, mode, grant, budget }) => numberOf([rules ?? mode, grant, budget]) === 1, {
    path: ["rules"],
    message: "Name one of rules (or a mode), a grant and a budget.",
  })
  .refine(({ agentId, budget }) => agentId !== undefined || budget !== undefined, {
    path: ["agentId"],
    message: "Name the agent.",
  });
export type WhatIfQuery = z.infer<typeof WhatIfQuery>;
export type WhatIfBody = z.input<typeof WhatIfQuery>;

function numberOf(values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length;
}

/** Not written as a property: what has a function of this name would count as a promise. */
export const THEN = "then" as const;
const Verdicts = z.object({ allowed: z.number(), asked: z.number(), denied: z.number() });
export type WhatIfVerdicts = z.infer<typeof Verdicts>;
const Verdict = z.enum(["allowed", "asked", "denied"]);
export type WhatIfVerdict = z.infer<typeof Verdict>;

const ChangedCall = z.object({
  runId: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  toolCallId: z.string(),
  tool: z.string(),
  gist: z.string(),
  startedAt: z.string(),
  was: Verdict,
  would: Verdict,
  /** What would decide, in words. */
  rule: z.string(),
  /** What a person, or time, decided about it; null where nobody was asked or nobody has answered. */
  decision: z.string().nullable(),
  decidedBy: z.string().nullable(),
  reason: z.string().nullable(),
  /** For what a person had denied and would be allowed: a rule that asks before it. */
  askRule: PermissionRule.nullable(),
});
export type ChangedCall = z.infer<typeof ChangedCall>;

/**
 * What would have become of the recorded calls, each judged alone. `now` is what happened. `unknown` are calls that
 * can't be judged: from before enough was recorded, or with arguments too long to be kept; they are in no other number.
 * `promptsSaved` are calls that people were asked about and would not be.
 */
export const CallWhatIf = z.object({
  calls: z.number(),
  unknown: z.number(),
  /** The newest calls of the period were judged, and there were more. */
  isCut: z.boolean(),
  now: Verdicts,
  [THEN]: Verdicts,
  promptsSaved: z.number(),
  newlyAsked: z.number(),
  newlyAllowed: z.number(),
  newlyDenied: z.number(),
  /** Of those newly allowed, the ones that a person had denied. */
  deniedByPeople: z.number(),
  /** At most 200: what a person had denied and would be allowed first, then the newest. */
  changed: z.array(ChangedCall),
  /** What people allowed and would not be asked about, by tool and gist, most often first; at most 10. */
  saved: z.array(z.object({ tool: z.string(), gist: z.string(), calls: z.number() })),
  /** A changed rule with a wildcard on a command: it matches several commands in a row, too. */
  wildcards: z.array(z.string()),
});
export type CallWhatIf = z.infer<typeof CallWhatIf>;

/** What a budget would have done, by what runs spent. */
export const BudgetWhatIf = z.object({
  /** Runs it counts, and those of them whose cost is unknown. */
  runs: z.number(),
  unknown: z.number(),
  /** Runs that would have reached it, or began after it was reached; and how many of them began after. */
  reached: z.number(),
  notStarted: z.number(),
  /** In how many days, months, threads or runs it was reached. */
  periods: z.number(),
  /** At most 200, newest first. */
  changed: z.array(
    z.object({
      runId: z.string(),
      traceId: z.string(),
      title: z.string().nullable(),
      startedAt: z.string(),
      costUsd: z.number().nullable(),
    }),
  ),
});
export type BudgetWhatIf = z.infer<typeof BudgetWhatIf>;

export const WhatIfReply = z.union([CallWhatIf, BudgetWhatIf]);
