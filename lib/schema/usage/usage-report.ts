import { z } from "zod";
import { RunOriginKind } from "@/lib/schema/runs/run";

/** The dimensions of a usage report. `day` and `hour` are in the requested time zone. */
export const UsageDimension = z.enum(["day", "hour", "agent", "version", "user", "group", "model", "key", "origin"]);
export type UsageDimension = z.infer<typeof UsageDimension>;

const By = z
  .string()
  .max(40)
  .describe(`One or two of ${UsageDimension.options.join(", ")}, separated by a comma.`)
  .transform((text, context) => {
    const found = z.array(UsageDimension).min(1).max(2).safeParse(text.split(","));
    if (found.success && new Set(found.data).size === found.data.length) return found.data;
    const message = `must be one or two of ${UsageDimension.options.join(", ")}, separated by a comma`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  });

const TimeZone = z
  .string()
  .max(60)
  .refine(isTimeZone, "is not a time zone, such as Europe/Berlin")
  .describe("Where days and hours begin.")
  .default("UTC");

/** GET `/api/usage`. Times are ISO 8601; `to` is exclusive. Default: the last 30 days. */
export const UsageQuery = z
  .strictObject({
    from: z.iso.datetime({ offset: true }).optional(),
    to: z.iso.datetime({ offset: true }).optional(),
    by: By.default(["day"]),
    timezone: TimeZone,
    replays: z
      .enum(["include", "exclude"])
      .describe("Replays cost what they cost, but say little about how an agent does.")
      .default("include"),
    format: z.enum(["json", "csv"]).default("json"),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
    path: ["to"],
    message: "must be after from",
  });
export type UsageQuery = z.infer<typeof UsageQuery>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * The usage of runs, each with its subagents. `costUsd` is null if any price is unknown: `knownCostUsd` is then what
 * the others cost, and `unpricedTokens` what those of unknown cost used. `partialRuns` have calls that were cut off, whose
 * usage is estimated or missing. Percentiles are of the time that ended runs
 * took without their waits; null if none has ended.
 */
export const UsageFigures = z.object({
  runs: z.number(),
  failed: z.number(),
  inputTokens: z.number(),
  cachedReadTokens: z.number(),
  cachedWriteTokens: z.number(),
  outputTokens: z.number(),
  reasoningTokens: z.number(),
  costUsd: z.number().nullable(),
  knownCostUsd: z.number(),
  unpricedTokens: z.number(),
  partialRuns: z.number(),
  p50Ms: z.number().nullable(),
  p95Ms: z.number().nullable(),
});
export type UsageFigures = z.infer<typeof UsageFigures>;

/** A row has the requested dimensions, and display names for those that people don't know by id. */
export const UsageRow = UsageFigures.extend({
  /** `2026-11-23`. */
  day: z.string().optional(),
  /** `2026-11-23T14`. */
  hour: z.string().optional(),
  agent: z.string().optional(),
  agentName: z.string().optional(),
  /** A version number of the agent; with dimensions other than `agent`, `<agent>@<number>`. */
  version: z.union([z.number(), z.string()]).optional(),
  user: z.string().optional(),
  userName: z.string().optional(),
  /**
   * A current group of the person who started it; null for people in none. A run counts in each of its person's groups.
   */
  group: z.string().nullable().optional(),
  groupName: z.string().nullable().optional(),
  /** `provider:model` that answered last; null before any has. */
  model: z.string().nullable().optional(),
  /** The API key's id; null for runs that people started in their browser. */
  key: z.string().nullable().optional(),
  keyName: z.string().nullable().optional(),
  /** The run's origin. */
  origin: RunOriginKind.optional(),
});
export type UsageRow = z.infer<typeof UsageRow>;

export const UsageReport = z.object({
  from: z.string(),
  to: z.string(),
  rows: z.array(UsageRow),
  /** Of all runs together, each counted once: rows by group may count one several times. */
  total: UsageFigures,
});
export type UsageReport = z.infer<typeof UsageReport>;
