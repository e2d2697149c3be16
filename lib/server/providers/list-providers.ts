import "server-only";
import { guessDialect, hasDialects } from "@/lib/models/dialects/dialect-presets";
import type { ProviderInfo } from "@/lib/models/model-registry";
import { AppError } from "@/lib/schema/app-error";
import {
  type ListedModel,
  type Provider,
  ProviderKind,
  type ProviderList,
  type StoredKey,
} from "@/lib/schema/provider";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import type { Database } from "@/lib/server/platform/db/database";
import { keyIdOf } from "@/lib/server/platform/secrets/secrets";
import type { Services } from "@/lib/server/platform/services";
import { type KeptTests, loadTests } from "./kept-tests";
import { keptRefusals, learnedTraits, modelRegistry, offeredModels, whenProvidersAreLoaded } from "./models";
import { countDearer } from "./offered-choices";

/**
 * What the viewer may know about the providers: for admins everything but the keys, for others the providers that their
 * role may use. A provider whose models can't be listed has none, with the reason.
 */
export async function listProviders(services: Services, viewer: Viewer): Promise<ProviderList> {
  await whenProvidersAreLoaded(services);
  const registry = modelRegistry(services);
  const isAdmin = hasAdminScope(viewer);
  const shown = registry.providers().filter(({ allowedRoles }) => isAdmin || allowedRoles.includes(viewer.role));
  const defaultModel = await registry.defaultModel().catch(() => null);
  const details = isAdmin
    ? await loadDetails(
        services.database,
        shown.map(({ id }) => id),
      )
    : null;
  const providers = await Promise.all(shown.map((info) => toProvider(services, info, defaultModel, details)));
  return { providers, defaultModel, nextCursor: null };
}

/** One provider for an admin. Throws `not_found`. */
export async function getProvider(services: Services, id: string): Promise<Provider> {
  await whenProvidersAreLoaded(services);
  const registry = modelRegistry(services);
  const info = registry.providers().find((provider) => provider.id === id);
  if (!info) throw noProvider(id);
  const defaultModel = await registry.defaultModel().catch(() => null);
  const provider = await toProvider(services, info, defaultModel, await loadDetails(services.database, [id]));
  const models = new Set([...provider.models.map((model) => model.id), ...provider.offered]);
  const known = [...models].map((model) => describeModel(services, id, model));
  return { ...provider, known, dearer: await countDearer(services, info) };
}

/** What is known about one model of a provider; absent fields are unknown. */
export function describeModel(services: Services, provider: string, model: string): ListedModel {
  const registry = modelRegistry(services);
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

export function noProvider(id: string): AppError {
  return new AppError("not_found", `There is no provider "${id}".`);
}

async function toProvider(
  services: Services,
  info: ProviderInfo,
  defaultModel: string | null,
  details: Details | null,
): Promise<Provider> {
  const { id, kind, name, source, variable, models, offered, problem, baseUrl, allowedRoles, anyAgent } = info;
  const asks = problem === null && source !== "built-in" && offered.length === 0;
  const asked = asks ? await offeredModels(services, id) : { models: [...offered], problem };
  const off = new Set(models.flatMap((model) => (model.enabled === false ? [model.id] : [])));
  const provider: Provider = {
    id,
    kind,
    name,
    source,
    variable,
    models: [...models],
    offered: asked.models.filter((model) => !off.has(model)),
    problem: asked.problem,
    isDefault: defaultModel?.startsWith(`${id}:`) ?? false,
  };
  if (details === null) return provider;
  return {
    ...provider,
    baseUrl,
    allowedRoles: [...allowedRoles],
    anyAgent,
    ...(hasDialects(kind) ? { dialect: info.dialect, guessedDialect: guessDialect(kind, baseUrl ?? "") } : {}),
    apiKey: details.keyOf(info),
    lastTest: details.tests.get(id)?.last ?? null,
    lastFailure: details.tests.get(id)?.lastFailure ?? null,
    learned: learnedTraits(services, id),
    refusals: keptRefusals(services, id),
    ...details.updatedAt(id),
  };
}

interface Details {
  readonly tests: ReadonlyMap<string, KeptTests>;
  keyOf(info: ProviderInfo): StoredKey;
  updatedAt(id: string): { readonly updatedAt?: string };
}

/** The details only admins see, with one query per kind. */
async function loadDetails(database: Database, ids: readonly string[]): Promise<Details> {
  const rows = await database.provider.findMany({ where: { id: { in: [...ids] } } });
  const setters = [...new Set(rows.flatMap(({ keySetById }) => keySetById ?? []))];
  const [tests, users] = await Promise.all([
    loadTests(database, ids),
    database.user.findMany({ where: { id: { in: setters } }, select: { id: true, name: true } }),
  ]);
  const nameOf = new Map(users.map(({ id, name }) => [id, name]));
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return {
    tests,
    updatedAt(id) {
      const row = rowOf.get(id);
      return row ? { updatedAt: row.updatedAt.toISOString() } : {};
    },
    keyOf({ id, source, kind }) {
      const row = source === "database" ? rowOf.get(id) : undefined;
      return row ? storedKey(row, nameOf) : { set: source === "environment" && needsKey(kind) };
    },
  };
}

interface KeyColumns {
  readonly keyEncrypted: string | null;
  readonly keyEnding: string | null;
  readonly keySetAt: Date | null;
  readonly keySetById: string | null;
}

function storedKey(row: KeyColumns, nameOf: ReadonlyMap<string, string>): StoredKey {
  const { keyEncrypted, keyEnding, keySetAt, keySetById } = row;
  if (keyEncrypted === null) return { set: false };
  return {
    set: true,
    keyId: keyIdOf(keyEncrypted),
    ...(keyEnding === null ? {} : { ending: keyEnding }),
    ...(keySetAt === null ? {} : { setAt: keySetAt.toISOString() }),
    setByName: nameOf.get(keySetById ?? "") ?? null,
  };
}

function needsKey(kind: string): boolean {
  return ProviderKind.exclude(["openai-compatible", "ollama"]).safeParse(kind).success;
}
