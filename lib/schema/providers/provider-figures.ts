import { z } from "zod";

/** The model that answers if an agent names none, and the fallbacks if it fails. */
export const ModelDefaults = z.object({
  /** As chosen; null means the first provider's first model. */
  model: z.string().nullable(),
  /** The model that answers now; null if its provider can't be called. */
  resolved: z.string().nullable(),
  fallbacks: z.array(z.string()),
  /** The environment variable that overrides the choice. */
  fixedBy: z.string().nullable(),
});
export type ModelDefaults = z.infer<typeof ModelDefaults>;

/** GET `/api/price-history`: unknown costs that are filled in after a price was added. */
export const PriceHistory = z.object({
  state: z.enum(["idle", "running"]),
  /** Runs with an unknown cost, and how many of them were examined and filled in. */
  total: z.number(),
  looked: z.number(),
  filled: z.number(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type PriceHistory = z.infer<typeof PriceHistory>;

/** GET `/api/providers/{id}/unpriced?model=…`: the usage to which a price for the model would apply. */
export const UnpricedUsage = z.object({
  runs: z.number(),
  /** Start of the first of these runs. */
  since: z.string().nullable(),
  inputTokens: z.number(),
  cachedReadTokens: z.number(),
  cachedWriteTokens: z.number(),
  outputTokens: z.number(),
  /** There is more than could be counted in time. */
  isPartial: z.boolean(),
});
export type UnpricedUsage = z.infer<typeof UnpricedUsage>;

/** An agent that calls a provider, first or as a fallback; models are `provider:model`. */
const ProviderAgent = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number(),
  /** It names no model and uses the default. */
  usesDefault: z.boolean(),
  model: z.string(),
  fallbacks: z.array(z.string()),
});
export type ProviderAgent = z.infer<typeof ProviderAgent>;

/** GET `/api/providers/{id}/agents`. */
export const ProviderAgents = z.object({ agents: z.array(ProviderAgent), nextCursor: z.null() });
