import { z } from "zod";
import { simpleCommand } from "@/lib/schema/tools/command-pattern";

/**
 * A name or glob (`mcp__*`), or a tool with argument globs. `addresses: known` limits it to calls that send nothing to an
 * address or service that neither a person nor a search named (D-107). `prefix` limits an allow rule to commands that
 * are one simple command and begin with these words (D-109). A deny rule may carry the text the model reads.
 */
export const PermissionRule = z.union([
  z.string().min(1),
  z.strictObject({
    tool: z.string().min(1),
    args: z.record(z.string(), z.string()).default({}),
    addresses: z.literal("known").optional(),
    prefix: z
      .string()
      .max(1_000)
      .refine((text) => simpleCommand(text) !== null, "must be the first words of one simple command")
      .optional(),
    message: z.string().min(1).optional(),
  }),
]);
export type PermissionRule = z.output<typeof PermissionRule>;

/** `execute (command: npm *)`, `web_fetch (known addresses)`, `execute (begins with: npm test)`. */
export function ruleText(rule: PermissionRule): string {
  if (typeof rule === "string") return rule;
  const limits = Object.entries(rule.args).map(([name, pattern]) => `${name}: ${pattern}`);
  if (rule.addresses === "known") limits.push("known addresses");
  if (rule.prefix !== undefined) limits.push(`begins with: ${rule.prefix}`);
  return limits.length === 0 ? rule.tool : `${rule.tool} (${limits.join(", ")})`;
}

/** Whatever denies or asks must hold for every way to write a command, so a prefix can't limit it. */
const StrictRule = PermissionRule.refine((rule) => typeof rule === "string" || rule.prefix === undefined, {
  path: ["prefix"],
  message: "Only an allow rule may have a prefix. Use args: {command: …} here.",
});

/**
 * S2's permissions; off unless the agent enables them (D-42, D-45). An approval or a question left undecided for
 * `approval_ttl_hours` expires and the run continues without it; null or 0 means never. "This exact call in this
 * thread" is valid for `grant_ttl_days`.
 */
export const PermissionsConfig = z.strictObject({
  enabled: z.boolean().default(false),
  mode: z.enum(["default", "plan", "accept_edits", "bypass"]).default("default"),
  deny: z.array(StrictRule).default([]),
  ask: z.array(StrictRule).default([]),
  allow: z.array(PermissionRule).default([]),
  approval_ttl_hours: z
    .number()
    .nonnegative()
    .max(8_760)
    .nullable()
    .describe("Hours after which an undecided approval or question expires; null or 0: never.")
    .default(null),
  grant_ttl_days: z
    .number()
    .int()
    .min(1)
    .max(3_650)
    .describe("Days for which “this exact call in this thread” holds.")
    .default(30),
});

export type PermissionsConfig = z.output<typeof PermissionsConfig>;

/** An entry of an explicit hook order: a name, or a name with a switch and settings for that hook. */
export const HookEntry = z.union([
  z.string().min(1),
  z.strictObject({
    name: z.string().min(1),
    enabled: z.boolean().default(true),
    config: z.record(z.string(), z.unknown()).default({}),
  }),
]);
export type HookEntry = z.output<typeof HookEntry>;

/** Limits for the tree of runs below one root run; `max_depth` and `max_active` come from the root run's agent. */
export const SubagentSettings = z.strictObject({
  max_depth: z
    .number()
    .int()
    .min(1)
    .max(10)
    .describe("How deep subagents may be nested below the agent that people talk to.")
    .default(3),
  max_active: z
    .number()
    .int()
    .min(1)
    .max(100)
    .describe("Subagents of one run that may run at the same time.")
    .default(8),
  max_children: z.number().int().min(1).max(100).describe("Subagents that one run may start.").default(5),
  result: z
    .strictObject({
      max_chars: z.number().int().min(1).max(10_000_000).default(80_000),
      head: z.number().int().nonnegative().max(10_000_000).default(2_000),
      tail: z.number().int().nonnegative().max(10_000_000).default(2_000),
    })
    .describe("A subagent's answer above max_chars keeps its head and its tail.")
    .prefault({}),
});
export type SubagentSettings = z.output<typeof SubagentSettings>;

/** An agent's id, or an inline definition. */
export const SubagentEntry = z.union([
  z.string().min(1),
  z.strictObject({
    name: z.string().min(1),
    description: z.string().default(""),
    prompt: z.string(),
    tools: z.array(z.string().min(1)).default([]),
    model: z.string().min(1).optional(),
  }),
]);
