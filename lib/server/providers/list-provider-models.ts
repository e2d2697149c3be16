import "server-only";
import type { ListedModel } from "@/lib/schema/provider";
import type { Services } from "@/lib/server/platform/services";
import { describeModel, noProvider } from "./list-providers";
import { modelRegistry, whenProvidersAreLoaded } from "./models";

/**
 * Requests the provider's models and adds those named only in its settings. Throws `not_found`, and `model_failed` with
 * the provider's message.
 */
export async function listProviderModels(services: Services, id: string): Promise<ListedModel[]> {
  await whenProvidersAreLoaded(services);
  const registry = modelRegistry(services);
  const provider = registry.providers().find((known) => known.id === id);
  if (!provider) throw noProvider(id);
  const listed = await registry.listModels(id);
  const named = provider.models.map((model) => model.id);
  return [...new Set([...listed, ...named])].map((model) => describeModel(services, id, model));
}
