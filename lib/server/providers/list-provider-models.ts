import "server-only";
import type { ListedModel } from "@/lib/schema/provider";
import { describeModel, noProvider } from "./list-providers";
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
