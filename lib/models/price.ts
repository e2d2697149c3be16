import type { ModelPrice } from "@/lib/schema/provider";
import { roundedUsd, type Usage } from "@/lib/schema/runs/usage";
import { type ModelTraits, modelTraits } from "./catalogue";

const FREE_PROVIDERS = new Set(["demo", "scripted"]);

/** The most that a call with this many tokens may cost; null if the model's price is unknown. */
export function worstCostUsd(
  model: string,
  { input, output }: { readonly input: number; readonly output: number },
  facts: ModelTraits | undefined = modelTraits(model),
): number | null {
  if (isFree(model)) return 0;
  const price = priceOf(facts, input);
  if (price === null) return null;
  return roundedUsd((input * Math.max(price.input, price.cachedWrite) + output * price.output) / 1_000_000);
}

/**
 * The cost of one model call in US dollars, with a price per token class; null if the model's price is unknown. `facts`
 * default to the catalogue's, unless the model's provider has better ones.
 */
export function costUsd(
  model: string,
  usage: Usage,
  facts: ModelTraits | undefined = modelTraits(model),
): number | null {
  if (isFree(model)) return 0;
  const price = priceOf(facts, usage.inputTokens);
  return price === null ? null : costAt(price, usage);
}

/** The price of a call with this many input tokens; null if it is unknown. */
export function priceOf(facts: ModelTraits | undefined, inputTokens: number): ModelPrice | null {
  if (!facts?.rates) return null;
  return facts.long && inputTokens > facts.long.tokens ? facts.long.rates : facts.rates;
}

/** Models built into this program are free. */
export function isFree(model: string): boolean {
  return FREE_PROVIDERS.has(model.slice(0, model.indexOf(":")));
}

function costAt(price: ModelPrice, usage: Usage): number {
  const uncached = Math.max(0, usage.inputTokens - usage.cachedReadTokens - usage.cachedWriteTokens);
  const total =
    uncached * price.input +
    usage.cachedReadTokens * price.cachedRead +
    usage.cachedWriteTokens * price.cachedWrite +
    usage.outputTokens * price.output;
  return roundedUsd(total / 1_000_000);
}
