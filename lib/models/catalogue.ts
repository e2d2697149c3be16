import { anthropicModels } from "tokenlens/providers/anthropic";
import { googleModels } from "tokenlens/providers/google";
import { openaiModels } from "tokenlens/providers/openai";
import type { ModelPrice } from "@/lib/schema/provider";

/** The known facts about a model; a missing one is unknown. */
export interface ModelTraits {
  /** In tokens, input and output together. */
  readonly window?: number;
  readonly rates?: ModelPrice;
  /** If the input exceeds `tokens`, the whole call costs `rates`. */
  readonly long?: { readonly tokens: number; readonly rates: ModelPrice };
  /** The model reads images. */
  readonly vision?: boolean;
}

const rates = (input: number, cachedRead: number, cachedWrite: number, output: number): ModelPrice => ({
  input,
  cachedRead,
  cachedWrite,
  output,
});

/** OpenAI doubles the price of input and adds half to that of output above 272,000 tokens. */
function withLongOpenAi(base: ModelPrice) {
  const long = rates(base.input * 2, base.cachedRead * 2, base.cachedWrite * 2, base.output * 1.5);
  return { rates: base, long: { tokens: 272_000, rates: long } };
}

/**
 * Models missing from the shipped catalogue, and those whose prices it has in less detail (it rounds cached input and
 * has no long-context prices): list prices of the vendors' own APIs, standard tier, five-minute cache writes; looked up
 * in October 2026, windows in November.
 */
const OWN_TRAITS: Readonly<Record<string, ModelTraits>> = {
  "anthropic:claude-fable-5-1": { window: 1_000_000, rates: rates(10, 0.25, 12.5, 50) },
  "anthropic:claude-fable-5": { window: 1_000_000, rates: rates(10, 1, 12.5, 50) },
  "anthropic:claude-opus-5-5": { window: 1_000_000, rates: rates(4, 0.2, 5, 20) },
  "anthropic:claude-opus-5": { window: 1_000_000, rates: rates(5, 0.5, 6.25, 25) },
  "anthropic:claude-opus-4-8": { window: 1_000_000, rates: rates(5, 0.5, 6.25, 25) },
  "anthropic:claude-opus-4-5": { window: 200_000, rates: rates(5, 0.5, 6.25, 25) },
  "anthropic:claude-opus-4-1": { window: 200_000, rates: rates(15, 1.5, 18.75, 75) },
  "anthropic:claude-sonnet-5-5": { window: 1_000_000, rates: rates(2, 0.2, 2.5, 10) },
  "anthropic:claude-sonnet-5": { window: 1_000_000, rates: rates(2, 0.2, 2.5, 10) },
  "anthropic:claude-sonnet-4-6": { window: 1_000_000, rates: rates(3, 0.3, 3.75, 15) },
  "anthropic:claude-sonnet-4-5": { window: 200_000, rates: rates(3, 0.3, 3.75, 15) },
  "anthropic:claude-haiku-4-5": { window: 200_000, rates: rates(1, 0.1, 1.25, 5) },
  "openai:gpt-6-astra": { ...withLongOpenAi(rates(10, 1, 12.5, 50)), window: 1_050_000 },
  "openai:gpt-6-sol": { ...withLongOpenAi(rates(2, 0.2, 2.5, 10)), window: 1_050_000 },
  "openai:gpt-6-luna": { ...withLongOpenAi(rates(0.1, 0.01, 0.125, 0.5)), window: 1_050_000 },
  "openai:gpt-5.6-sol": { ...withLongOpenAi(rates(4, 0.4, 5, 20)), window: 1_050_000 },
  "openai:gpt-5.6-terra": { ...withLongOpenAi(rates(2, 0.2, 2.5, 12)), window: 1_050_000 },
  "openai:gpt-5.6-luna": { ...withLongOpenAi(rates(0.2, 0.02, 0.25, 1.2)), window: 1_050_000 },
  "openai:gpt-5.5": { ...withLongOpenAi(rates(5, 0.5, 5, 30)), window: 1_050_000 },
  "openai:gpt-5": { rates: rates(1.25, 0.125, 1.25, 10) },
  "openai:gpt-5-mini": { rates: rates(0.25, 0.025, 0.25, 2) },
  "openai:gpt-5-nano": { rates: rates(0.05, 0.005, 0.05, 0.4) },
  "openai:gpt-4.1": { rates: rates(2, 0.5, 2, 8) },
  "openai:gpt-4.1-mini": { rates: rates(0.4, 0.1, 0.4, 1.6) },
  "openai:gpt-4.1-nano": { rates: rates(0.1, 0.025, 0.1, 0.4) },
  "openai:gpt-4o": { rates: rates(2.5, 1.25, 2.5, 10) },
  "openai:gpt-4o-mini": { rates: rates(0.15, 0.075, 0.15, 0.6) },
  "openai:o4-mini": { rates: rates(1.1, 0.275, 1.1, 4.4) },
  "google:gemini-4-argon": { window: 1_048_576, rates: rates(2, 0.1, 2, 10) },
  "google:gemini-2.5-pro": {
    window: 1_048_576,
    rates: rates(1.25, 0.125, 1.25, 10),
    long: { tokens: 200_000, rates: rates(2.5, 0.25, 2.5, 15) },
  },
  "google:gemini-2.5-flash": { window: 1_048_576, rates: rates(0.3, 0.03, 0.3, 2.5) },
  "google:gemini-2.5-flash-lite": { window: 1_048_576, rates: rates(0.1, 0.01, 0.1, 0.4) },
};

/** A model in the shipped catalogue (models.dev). */
interface ShippedModel {
  readonly modalities?: { readonly input?: readonly string[] };
  readonly limit?: { readonly context?: number };
  readonly cost?: {
    readonly input: number;
    readonly output: number;
    readonly cache_read?: number;
    readonly cache_write?: number;
  };
}

const SHIPPED: readonly (readonly [provider: string, models: Readonly<Record<string, ShippedModel>>])[] = [
  ["anthropic", anthropicModels.models],
  ["google", googleModels.models],
  ["openai", openaiModels.models],
];

const SHIPPED_TRAITS: ReadonlyMap<string, ModelTraits> = new Map(
  SHIPPED.flatMap(([provider, models]) =>
    Object.entries(models).flatMap(([name, model]) => {
      const facts = shippedTraits(model);
      const known = `${provider}:${name}`;
      return [[known, facts] as const, [withoutDate(known), facts] as const];
    }),
  ),
);

/**
 * The facts about `provider:model`: our own first, then the catalogue's. A dated snapshot has the facts of its alias.
 */
export function modelTraits(model: string): ModelTraits | undefined {
  const alias = withoutDate(model);
  const own = OWN_TRAITS[model] ?? OWN_TRAITS[alias];
  const shipped = SHIPPED_TRAITS.get(model) ?? SHIPPED_TRAITS.get(alias);
  return own && shipped ? { ...shipped, ...own } : (own ?? shipped);
}

/** The current models of a provider, for a picker that can't query it. */
export function knownModels(provider: string): string[] {
  const prefix = `${provider}:`;
  return Object.keys(OWN_TRAITS)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

/** Strips `-20250929`, `-2025-08-07` or `-latest`. */
function withoutDate(model: string): string {
  return model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "");
}

function shippedTraits({ limit, cost, modalities }: ShippedModel): ModelTraits {
  const window = limit?.context;
  return {
    ...(modalities?.input ? { vision: modalities.input.includes("image") } : {}),
    ...(window ? { window } : {}),
    ...(cost
      ? {
          rates: rates(cost.input, cost.cache_read ?? cost.input, cost.cache_write ?? cost.input, cost.output),
        }
      : {}),
  };
}
