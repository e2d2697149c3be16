import { z } from "zod";
import { TimeZone } from "@/lib/schema/users/time-zone";

export const ParseSearchBody = z.strictObject({
  text: z.string().max(500),
  /** In which days begin; by default the viewer's. */
  timezone: TimeZone.optional(),
});
export type ParseSearchBody = z.infer<typeof ParseSearchBody>;

/** Filters of the list under their names there; several values of one are separated by commas. */
export const ParsedFilters = z.object({
  status: z.string().optional(),
  agentId: z.string().optional(),
  tool: z.string().optional(),
  toolFailed: z.string().optional(),
  model: z.string().optional(),
  person: z.string().optional(),
  origin: z.string().optional(),
  version: z.string().optional(),
  score: z.string().optional(),
  decision: z.string().optional(),
  notes: z.string().optional(),
  hasError: z.boolean().optional(),
  mine: z.boolean().optional(),
  minCostUsd: z.number().optional(),
  minWorkedMs: z.number().optional(),
  /** ISO 8601; `until` is exclusive. */
  since: z.string().optional(),
  until: z.string().optional(),
});
export type ParsedFilters = z.infer<typeof ParsedFilters>;

/** What a text means as filters; `rest` is what was not understood, to be searched as text. */
export const ParsedSearch = z.object({ filters: ParsedFilters, rest: z.string() });
export type ParsedSearch = z.infer<typeof ParsedSearch>;
