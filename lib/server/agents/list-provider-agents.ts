import "server-only";
import type { ModelSpec } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { ProviderAgent } from "@/lib/schema/providers/provider-figures";
import { loadVersionOrNull } from "@/lib/server/engine/agent-version";
import type { Services } from "@/lib/server/platform/services";
import { defaultFallbacks, modelRegistry, whenProvidersAreLoaded } from "@/lib/server/providers/models";

/** The agents that use a model of the provider, as primary or fallback, by name. Throws `not_found`. */
export async function listProviderAgents(services: Services, provider: string): Promise<ProviderAgent[]> {
  await whenProvidersAreLoaded(services);
  if (modelRegistry(services).rolesOf(provider) === undefined) {
    throw new AppError("not_found", "There is no such provider.");
  }
  const agents = await services.database.agent.findMany({
    where: { deletedAt: null, currentVersionId: { not: null } },
    select: { id: true, currentVersionId: true },
  });
  const defaultModel = await modelRegistry(services)
    .defaultModel()
    .catch(() => "");
  const described = await Promise.all(
    agents.map(({ id, currentVersionId }) => describe(services, id, currentVersionId ?? "", defaultModel)),
  );
  return described
    .filter((agent) => agent !== null)
    .filter(({ model, fallbacks }) => [model, ...fallbacks].some((name) => name.startsWith(`${provider}:`)))
    .sort((left, right) => left.name.localeCompare(right.name, "en"));
}

async function describe(
  services: Services,
  id: string,
  versionId: string,
  defaultModel: string,
): Promise<ProviderAgent | null> {
  const version = await loadVersionOrNull(services.database, versionId);
  if (version === null) return null;
  const { config, number } = version;
  const { name, model, fallback_models: own, on_missing_provider: onMissing } = config;
  const nameOf = (spec: ModelSpec) => modelRegistry(services).nameOf(spec, onMissing);
  const usesDefault = model === null;
  return {
    id,
    name,
    version: number ?? 0,
    usesDefault,
    model: model === null ? defaultModel : nameOf(model),
    fallbacks: usesDefault && own.length === 0 ? [...defaultFallbacks(services)] : own.map(nameOf),
  };
}
