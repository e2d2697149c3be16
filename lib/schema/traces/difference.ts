import { z } from "zod";
import { FacetQuery } from "./trace";

/** The list's filters as JSON: what is true or false is a boolean. */
const Filters = FacetQuery.extend({
  hasError: z.boolean().optional(),
  attended: z.boolean().optional(),
  mine: z.boolean().optional(),
  drafts: z.boolean().optional(),
});

const Selection = z.union([
  z.strictObject({ runIds: z.array(z.string().min(1).max(100)).min(1).max(1_000) }),
  z.strictObject({ filters: Filters }),
]);

/** Runs, and what they are compared with: all others under `base`, by default all others that the viewer may see. */
export const DifferenceQuery = z.strictObject({
  selection: Selection,
  base: z.strictObject({ filters: Filters }).optional(),
});
export type DifferenceQuery = z.infer<typeof DifferenceQuery>;

export const DIFFERENCE_FACETS = [
  ...(["status", "agent", "version", "model", "tool", "toolFailed", "error", "origin", "person", "score"] as const),
  ...(["decision", "hour", "weekday", "steps", "inputTokens", "waited", "rule"] as const),
] as const;

const Difference = z.object({
  facet: z.enum(DIFFERENCE_FACETS),
  value: z.string(),
  label: z.string(),
  /** How many of the selected runs have it, from 0 to 1; and of the rest. */
  share: z.number(),
  baseShare: z.number(),
  runs: z.number(),
  baseRuns: z.number(),
});
export type Difference = z.infer<typeof Difference>;

/** Largest first, at most 20; nothing where one of the two has fewer than 5 runs. */
export const Differences = z.object({
  selected: z.number(),
  rest: z.number(),
  differences: z.array(Difference),
});
export type Differences = z.infer<typeof Differences>;
