import "server-only";
import { isChatModel } from "@/lib/models/chat-models";
import type { ProviderInfo } from "@/lib/models/model-registry";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { AgentInfo } from "@/lib/schema/agents/agent-info";
import { EFFORTS, type Effort } from "@/lib/schema/agents/choices";
import type { Role } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { firstModel } from "./first-model";
import { accessProblem } from "./model-access";
import { lastListedModels, modelRegistry } from "./models";

type Choosing = Pick<AgentConfig, "model" | "choices" | "on_missing_provider">;

/** What somebody in this role may pick instead of the agent's own model and effort (D-97). */
export async function offeredChoices(services: Services, config: Choosing, role: Role): Promise<AgentInfo["choices"]> {
  const [own, models] = await Promise.all([firstModel(services, config), offeredModels(services, config, role)]);
  const efforts = config.choices === null ? null : config.choices.efforts;
  // The demo model thinks about nothing.
  const canThink = !own.startsWith("demo:") || models.length > 0;
  return { models, efforts: efforts ?? (canThink ? [...USUAL_EFFORTS] : []) };
}

/** The models alone, as `provider:model`. */
export async function offeredModels(services: Services, config: Choosing, role: Role): Promise<string[]> {
  const { choices, on_missing_provider: onMissing } = config;
  const listed = choices === null ? null : choices.models;
  if (listed === null) return modelsThatAreOn(services, await firstModel(services, config), role);
  const registry = modelRegistry(services);
  const names = listed.map((model) => registry.nameOf(model, onMissing));
  return [...new Set(names)].filter(
    (model) => accessProblem(services, role, model) === null && registry.problemOf(model, "fail") === null,
  );
}

/** The efforts that a message may name: any that exists where the agent lists none. */
export function acceptedEfforts({ choices }: Pick<AgentConfig, "choices">): readonly Effort[] {
  const listed = choices === null ? null : choices.efforts;
  return listed ?? EFFORTS;
}

/** Offered without being listed: what most models that think understand. */
const USUAL_EFFORTS: readonly Effort[] = ["low", "medium", "high"];

/**
 * Of the agent's own provider and of those for any agent: what an administrator listed, otherwise every chat model; to
 * people who are no administrators only those that cost no more than the installation's default.
 */
async function modelsThatAreOn(services: Services, own: string, role: Role): Promise<string[]> {
  const isAffordable = role === "admin" ? () => true : await affordable(services);
  return modelsOf(services, {
    isOffered: ({ id, allowedRoles, anyAgent }) =>
      (anyAgent || own.startsWith(`${id}:`)) && allowedRoles.includes(role),
    isUnlistedOffered: (model) => model === own || isAffordable(model),
  });
}

/** The chat models of every provider that works and that the role may use, where the agent's own one is gone. */
export function everyModel(services: Services, role: Role): Promise<string[]> {
  return modelsOf(services, {
    isOffered: ({ allowedRoles }) => allowedRoles.includes(role),
    isUnlistedOffered: () => true,
  });
}

interface Offer {
  readonly isOffered: (provider: ProviderInfo) => boolean;
  /** Of a provider whose models nobody listed. */
  readonly isUnlistedOffered: (model: string) => boolean;
}

async function modelsOf(services: Services, { isOffered, isUnlistedOffered }: Offer): Promise<string[]> {
  const works = ({ kind, problem }: ProviderInfo) => kind !== "demo" && problem === null;
  const providers = modelRegistry(services)
    .providers()
    .filter((provider) => works(provider) && isOffered(provider));
  const models = await Promise.all(
    providers.map(async (provider) => {
      const { id, models: named } = provider;
      const listed = named.flatMap((model) => (model.enabled === false ? [] : [`${id}:${model.id}`]));
      return listed.length > 0 ? listed : (await unlistedModels(services, provider)).filter(isUnlistedOffered);
    }),
  );
  return models.flat();
}

/** How many of the provider's models only administrators may pick, because nobody listed them and they cost more. */
export async function countDearer(services: Services, provider: ProviderInfo): Promise<number> {
  const { kind, problem, models } = provider;
  if (kind === "demo" || problem !== null || models.some(({ enabled }) => enabled !== false)) return 0;
  const isAffordable = await affordable(services);
  return (await unlistedModels(services, provider)).filter((model) => !isAffordable(model)).length;
}

async function unlistedModels(services: Services, { id, models, offered }: ProviderInfo): Promise<string[]> {
  const off = new Set(models.flatMap((model) => (model.enabled === false ? [model.id] : [])));
  const names = offered.length > 0 ? offered : await lastListedModels(services, id);
  return names.filter((name) => !off.has(name) && isChatModel(name)).map((name) => `${id}:${name}`);
}

/** The default model itself, and whatever is known to cost no more than it. */
async function affordable(services: Services): Promise<(model: string) => boolean> {
  const registry = modelRegistry(services);
  const usual = await firstModel(services, { model: null, on_missing_provider: "fail" });
  const limit = registry.factsOf(usual)?.rates;
  return (model) => {
    const price = registry.factsOf(model)?.rates;
    return model === usual || (!!price && !!limit && price.input <= limit.input && price.output <= limit.output);
  };
}
