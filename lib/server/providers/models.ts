import "server-only";
import { createModelRegistry, type ModelRegistry } from "@/lib/models/model-registry";
import type { ProviderList } from "@/lib/schema/provider";
import { env } from "@/lib/server/platform/env";
import { processState } from "@/lib/server/platform/process-state";
import { providerFetch } from "./provider-fetch";

const LIST_KEPT_MS = 60_000;

/** The process's models, from its environment. */
export function modelRegistry(): ModelRegistry {
  return processState("model-registry", () => createModelRegistry(env(), providerFetch));
}

/** What pages show about the providers. A provider whose models can't be listed has none, and says why. */
export async function listProviders(): Promise<ProviderList> {
  const registry = modelRegistry();
  const providers = await Promise.all(
    registry.providers().map(async (provider) => {
      const asks = provider.configured && provider.models.length === 0;
      const listed = asks ? await listedModels(provider.id) : { models: [...provider.models], problem: null };
      return { ...provider, ...listed };
    }),
  );
  const defaultModel = await registry.defaultModel().catch(() => null);
  return { providers, defaultModel };
}

/** Requested at most once a minute: a composer that opens must not wait for a provider each time. */
async function listedModels(provider: string): Promise<{ models: string[]; problem: string | null }> {
  const cache = processState(
    "listed-models",
    () => new Map<string, { untilMs: number; value: { models: string[]; problem: string | null } }>(),
  );
  const known = cache.get(provider);
  if (known && known.untilMs > Date.now()) return known.value;
  const value = await modelRegistry()
    .listModels(provider)
    .then((models) => ({ models, problem: null }))
    .catch((error: unknown) => ({
      models: [],
      problem: error instanceof Error ? error.message : "Its models can't be listed.",
    }));
  cache.set(provider, { untilMs: Date.now() + LIST_KEPT_MS, value });
  return value;
}
