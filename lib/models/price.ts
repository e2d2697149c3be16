import { roundedUsd, type Usage } from "@/lib/schema/runs/usage";
import { modelFacts } from "./catalogue";

const FREE_PROVIDERS = new Set(["demo", "scripted"]);

/**
 * What one model call cost in US dollars, each token class at its own price; null when the model's price is unknown.
 */
export function costUsd(model: string, usage: Usage): number | null {
  if (FREE_PROVIDERS.has(model.slice(0, model.indexOf(":")))) return 0;
  const facts = modelFacts(model);
  if (!facts?.rates) return null;
  const price = facts.long && usage.inputTokens > facts.long.tokens ? facts.long.rates : facts.rates;
  const uncached = Math.max(0, usage.inputTokens - usage.cachedReadTokens - usage.cachedWriteTokens);
  const total =
    uncached * price.input +
    usage.cachedReadTokens * price.cachedRead +
    usage.cachedWriteTokens * price.cachedWrite +
    usage.outputTokens * price.output;
  return roundedUsd(total / 1_000_000);
}
