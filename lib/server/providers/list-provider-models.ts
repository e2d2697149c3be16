import "server-only";
import type { ListedModel } from "@/lib/schema/provider";
import { noProvider } from "./list-providers";
import { modelRegistry, whenProvidersAreLoaded } from "./models";

/**
 * Asks the provider for its models, and adds those that only its settings name. Throws `not_found`, and `model_failed`
 * with the provider's words.
 */
export async function listProviderModels(id: string): Promise<ListedModel[]> {
  await whenProvidersAreLoaded();
  const registry = modelRegistry();
  const provider = registry.providers().find((known) => known.id === id);
  if (!provider) throw noProvider(id);
  const listed = await registry.listModels(id);
  const named = provider.models.map((model) => model.id);
  return [...new Set([...listed, ...named])].map((model) => describeModel(id, model));
}

/** What is known of one model of a provider; what is absent is unknown. */
function describeModel(provider: string, model: string): ListedModel {
  const registry = modelRegistry();
  const facts = registry.factsOf(`${provider}:${model}`);
  const settings = registry
    .providers()
    .find(({ id }) => id === provider)
    ?.models.find(({ id }) => id === model);
  return {
    id: model,
    ...(facts?.window === undefined ? {} : { contextWindow: facts.window }),
    ...(facts?.rates === undefined ? {} : { price: facts.rates, priceFrom: settings?.price ? "own" : "catalogue" }),
    ...(facts?.vision === undefined ? {} : { vision: facts.vision }),
  };
}
