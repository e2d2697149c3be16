import { roundedUsd, type Usage } from "@/lib/schema/usage";

/** US dollars per million tokens by class. */
interface Rates {
  readonly input: number;
  readonly cachedRead: number;
  readonly cachedWrite: number;
  readonly output: number;
}

interface ModelFacts {
  readonly rates: Rates;
  /** Above `tokens` of input the whole call costs `rates`. */
  readonly long?: { readonly tokens: number; readonly rates: Rates };
}

const rates = (input: number, cachedRead: number, cachedWrite: number, output: number): Rates => ({
  input,
  cachedRead,
  cachedWrite,
  output,
});

/** OpenAI doubles input and adds half to output above 272,000 tokens. */
function withLongOpenAi(base: Rates): ModelFacts {
  const long = rates(base.input * 2, base.cachedRead * 2, base.cachedWrite * 2, base.output * 1.5);
  return { rates: base, long: { tokens: 272_000, rates: long } };
}

/** List prices of the vendors' own APIs, standard tier, five-minute cache writes; looked up in October 2026. */
const FACTS: Readonly<Record<string, ModelFacts>> = {
  "anthropic:claude-fable-5-1": { rates: rates(10, 0.25, 12.5, 50) },
  "anthropic:claude-fable-5": { rates: rates(10, 1, 12.5, 50) },
  "anthropic:claude-opus-5-5": { rates: rates(4, 0.2, 5, 20) },
  "anthropic:claude-opus-5": { rates: rates(5, 0.5, 6.25, 25) },
  "anthropic:claude-opus-4-8": { rates: rates(5, 0.5, 6.25, 25) },
  "anthropic:claude-opus-4-5": { rates: rates(5, 0.5, 6.25, 25) },
  "anthropic:claude-opus-4-1": { rates: rates(15, 1.5, 18.75, 75) },
  "anthropic:claude-sonnet-5-5": { rates: rates(2, 0.2, 2.5, 10) },
  "anthropic:claude-sonnet-5": { rates: rates(2, 0.2, 2.5, 10) },
  "anthropic:claude-sonnet-4-6": { rates: rates(3, 0.3, 3.75, 15) },
  "anthropic:claude-sonnet-4-5": { rates: rates(3, 0.3, 3.75, 15) },
  "anthropic:claude-haiku-4-5": { rates: rates(1, 0.1, 1.25, 5) },
  "openai:gpt-6-astra": withLongOpenAi(rates(10, 1, 12.5, 50)),
  "openai:gpt-6-sol": withLongOpenAi(rates(2, 0.2, 2.5, 10)),
  "openai:gpt-6-luna": withLongOpenAi(rates(0.1, 0.01, 0.125, 0.5)),
  "openai:gpt-5.6-sol": withLongOpenAi(rates(4, 0.4, 5, 20)),
  "openai:gpt-5.6-terra": withLongOpenAi(rates(2, 0.2, 2.5, 12)),
  "openai:gpt-5.6-luna": withLongOpenAi(rates(0.2, 0.02, 0.25, 1.2)),
  "openai:gpt-5.5": withLongOpenAi(rates(5, 0.5, 5, 30)),
  "openai:gpt-5": { rates: rates(1.25, 0.125, 1.25, 10) },
  "openai:gpt-5-mini": { rates: rates(0.25, 0.025, 0.25, 2) },
  "openai:gpt-5-nano": { rates: rates(0.05, 0.005, 0.05, 0.4) },
  "openai:gpt-4.1": { rates: rates(2, 0.5, 2, 8) },
  "openai:gpt-4.1-mini": { rates: rates(0.4, 0.1, 0.4, 1.6) },
  "openai:gpt-4.1-nano": { rates: rates(0.1, 0.025, 0.1, 0.4) },
  "openai:gpt-4o": { rates: rates(2.5, 1.25, 2.5, 10) },
  "openai:gpt-4o-mini": { rates: rates(0.15, 0.075, 0.15, 0.6) },
  "openai:o4-mini": { rates: rates(1.1, 0.275, 1.1, 4.4) },
  "google:gemini-4-argon": { rates: rates(2, 0.1, 2, 10) },
  "google:gemini-2.5-pro": {
    rates: rates(1.25, 0.125, 1.25, 10),
    long: { tokens: 200_000, rates: rates(2.5, 0.25, 2.5, 15) },
  },
  "google:gemini-2.5-flash": { rates: rates(0.3, 0.03, 0.3, 2.5) },
  "google:gemini-2.5-flash-lite": { rates: rates(0.1, 0.01, 0.1, 0.4) },
};

const FREE_PROVIDERS = new Set(["demo", "scripted"]);

/** What one model call cost in US dollars, each class at its own price; null when the model's price is unknown. */
export function costUsd(model: string, usage: Usage): number | null {
  if (FREE_PROVIDERS.has(model.slice(0, model.indexOf(":")))) return 0;
  const facts = factsOf(model);
  if (!facts) return null;
  const price = facts.long && usage.inputTokens > facts.long.tokens ? facts.long.rates : facts.rates;
  const uncached = Math.max(0, usage.inputTokens - usage.cachedReadTokens - usage.cachedWriteTokens);
  const total =
    uncached * price.input +
    usage.cachedReadTokens * price.cachedRead +
    usage.cachedWriteTokens * price.cachedWrite +
    usage.outputTokens * price.output;
  return roundedUsd(total / 1_000_000);
}

/** Models of a provider whose price is known, for a picker when the provider cannot list its own. */
export function knownModels(provider: string): string[] {
  const prefix = `${provider}:`;
  return Object.keys(FACTS)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
}

/** A dated snapshot (`-20250929`, `-2025-08-07`, `-latest`) has the facts of its alias. */
function factsOf(model: string): ModelFacts | undefined {
  return FACTS[model] ?? FACTS[model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, "")];
}
