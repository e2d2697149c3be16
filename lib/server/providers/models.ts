import "server-only";
import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { createTraitMemory, type TraitMemory } from "@/lib/models/dialects/learn-traits";
import { createModelRegistry, type ModelRegistry } from "@/lib/models/model-registry";
import type { OwnProvider } from "@/lib/models/provider-settings";
import { createRefusalMemory, type RefusalMemory } from "@/lib/models/refusals/refusal-memory";
import { DialectChoice, LearnedTrait } from "@/lib/schema/dialect";
import { ProviderKind, ProviderModel } from "@/lib/schema/provider";
import { KeptRefusals } from "@/lib/schema/providers/provider-refusals";
import { Role } from "@/lib/schema/users/user";
import { announceProviders, onProvidersElsewhere } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { readEach } from "@/lib/server/platform/db/each-alone";
import {
  type ProviderKeyRow,
  selectProviders,
  selectSettings,
} from "@/lib/server/platform/db/queries/providers/provider-rows";
import { type Environment, env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";
import { knownSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { providerKeyPurpose, SecretUnreadable, secretBox } from "@/lib/server/platform/secrets/secrets";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { providerFetch } from "./provider-fetch";
import { redactReplies } from "./redact-replies";

export const DEFAULT_MODEL_SETTING = "default-model";
export const FALLBACKS_SETTING = "default-fallbacks";
const LEARNED_SETTING = "learned-traits";
const REFUSALS_SETTING = "provider-refusals";

interface ModelState {
  registry: ModelRegistry;
  /** The `provider:model` values for agents without their own model or fallbacks. */
  fallbacks: readonly string[];
  /** What refusals have taught about the servers. */
  memory: TraitMemory;
  /** What they have refused. */
  readonly refusals: RefusalMemory;
  /** The latest model list of each provider that has to be queried. */
  listed: Map<string, ListedModels>;
  loading: Promise<void>;
}

interface ModelList {
  readonly models: string[];
  readonly problem: string | null;
}

interface ListedModels {
  readonly untilMs: number;
  readonly asked: Promise<ModelList>;
  /** The latest list that arrived; null before the first one. */
  models: readonly string[] | null;
}

const state = serviceState("model-registry", (services): ModelState => {
  const memory = createTraitMemory();
  const refusals = createRefusalMemory((kept) => keepRefusals(services.database, kept));
  return {
    registry: redacting(createModelRegistry(env(), providerFetch, memory, refusals)),
    fallbacks: [],
    memory,
    refusals,
    listed: new Map(),
    loading: Promise.resolve(),
  };
});

/**
 * The models of an installation that this process only examines: what their servers teach is kept nowhere. `own` are
 * the providers that administrators added.
 */
export function examinedModels(environment: Environment, own: readonly OwnProvider[]): ModelRegistry {
  return redacting(createModelRegistry({ ...environment, own: [...own], ownDefault: null }, providerFetch));
}

/** Whatever a provider says, in a reply or a failure, contains none of this installation's secrets. */
function redacting(registry: ModelRegistry): ModelRegistry {
  return { ...registry, resolve: (spec, options) => redactReplies(registry.resolve(spec, options), knownSecrets) };
}

/** The process's models: those of its environment and, once loaded, those added by administrators. */
export function modelRegistry(services: Services): ModelRegistry {
  return state(services).registry;
}

export function defaultFallbacks(services: Services): readonly string[] {
  return state(services).fallbacks;
}

/** Resolves once the changes known to this process are in `modelRegistry`. */
export function whenProvidersAreLoaded(services: Services): Promise<void> {
  return state(services).loading;
}

/** Loads the providers, and reloads them whenever another process changes one. */
export async function startProviders(services: Services): Promise<void> {
  await loadProviders(services);
  onProvidersElsewhere(() => {
    loadProviders(services).catch((error: unknown) => logger().error({ err: error }, "could not load the providers"));
  });
}

/** Called after a change: the next run of every process uses it. */
export async function applyProviderChange(services: Services): Promise<void> {
  await loadProviders(services);
  announceProviders();
}

function loadProviders(services: Services): Promise<void> {
  const current = state(services);
  const load = async () => {
    const [own, settings] = await Promise.all([
      readOwnProviders(services.database),
      selectSettings(services.database, [DEFAULT_MODEL_SETTING, FALLBACKS_SETTING, LEARNED_SETTING, REFUSALS_SETTING]),
    ]);
    const learned = readSetting(settings.get(LEARNED_SETTING), z.array(LearnedTrait), []);
    current.memory = createTraitMemory(learned, (all) => keepLearned(services.database, all));
    const refused = readSetting(settings.get(REFUSALS_SETTING), KeptRefusals, {});
    current.refusals.load(refused, (all) => keepRefusals(services.database, all));
    const ownDefault = settings.get(DEFAULT_MODEL_SETTING) || null;
    current.registry = redacting(
      createModelRegistry({ ...env(), own, ownDefault }, providerFetch, current.memory, current.refusals),
    );
    current.fallbacks = readSetting(settings.get(FALLBACKS_SETTING), z.array(z.string()), []);
    current.listed.clear();
  };
  const done = current.loading.then(load, load);
  current.loading = done.catch(() => undefined);
  return done;
}

/** The standard if nothing is stored, or what is stored can't be read. */
function readSetting<Value>(stored: string | undefined, schema: z.ZodType<Value>, standard: unknown): Value {
  try {
    if (stored !== undefined) return schema.parse(JSON.parse(stored));
  } catch (error) {
    logger().error({ err: error }, "a setting of the models can't be read");
  }
  return schema.parse(standard);
}

/** The traits learned for a provider's models, for its page. */
export function learnedTraits(services: Services, provider: string): LearnedTrait[] {
  return state(services)
    .memory.all()
    .filter((learned) => learned.provider === provider);
}

/** What the provider's models have refused, for the pages. */
export function keptRefusals(services: Services, provider?: string): KeptRefusals {
  const { tools, limits } = state(services).refusals.kept();
  const isOf = (entry: { provider: string }) => provider === undefined || entry.provider === provider;
  return { tools: tools.filter(isOf), limits: limits.filter(isOf) };
}

function keepLearned(database: Database, all: readonly LearnedTrait[]): void {
  keep(database, LEARNED_SETTING, all, { learned: all.at(-1) });
}

function keepRefusals(database: Database, kept: KeptRefusals): void {
  keep(database, REFUSALS_SETTING, kept, { tool: kept.tools.at(-1), limit: kept.limits.at(-1) });
}

/** Keeps what a refusal taught, for this process's next start and for the others. */
function keep(database: Database, key: string, all: unknown, latest: object): void {
  const { redact } = knownSecrets();
  const value = JSON.stringify(all, (field, said) => (field === "words" ? redact(String(said)) : said));
  const kept = database.setting.upsert({ where: { key }, create: { key, value }, update: { value } });
  kept
    .then(() => {
      logger().info(latest, "a provider's refusal taught how it wants requests");
      announceProviders();
    })
    .catch((error: unknown) => logger().error({ err: error }, "could not keep what a provider's refusal taught"));
}

/** The providers that administrators added, with their keys; one whose row can't be read must not break the others. */
export async function readOwnProviders(db: Database): Promise<OwnProvider[]> {
  return readEach(await selectProviders(db), "provider", readRow);
}

function readRow({
  id,
  kind,
  name,
  baseUrl,
  keyEncrypted,
  dialect,
  models,
  allowedRoles,
  anyAgent,
}: ProviderKeyRow): OwnProvider {
  return {
    id,
    name,
    baseUrl,
    kind: ProviderKind.parse(kind),
    dialect: DialectChoice.parse(dialect),
    models: z.array(ProviderModel).parse(JSON.parse(models)),
    allowedRoles: z.array(Role).parse(JSON.parse(allowedRoles)),
    anyAgent,
    ...readKey(id, keyEncrypted),
  };
}

/** A key that can't be decrypted must not break the other providers. */
function readKey(id: string, sealed: string | null): Pick<OwnProvider, "apiKey" | "problem"> {
  try {
    return { apiKey: sealed === null ? null : secretBox().decrypt(sealed, providerKeyPurpose(id)), problem: null };
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    logger().warn({ provider: id, err: error }, "the key of a provider can't be read");
    const advice =
      "Enter the key again under Admin, Models, or put the earlier RINGMASTER_SECRET at the end of the list.";
    return { apiKey: null, problem: `The key of the provider ${id} was encrypted with another secret. ${advice}` };
  }
}

const LIST_KEPT_MS = 60_000;
const FIRST_LIST_MS = 500;

/** Requested at most once a minute: opening a composer must not wait for a provider each time. */
export function offeredModels(services: Services, provider: string): Promise<ModelList> {
  const { listed, registry } = state(services);
  const known = listed.get(provider);
  if (known && known.untilMs > Date.now()) return known.asked;
  const asked = registry.listModels(provider).then(
    (models) => ({ models, problem: null }),
    (error: unknown) => ({
      models: [],
      problem: error instanceof Error ? error.message : "Its models can't be listed.",
    }),
  );
  const entry: ListedModels = { untilMs: Date.now() + LIST_KEPT_MS, asked, models: known?.models ?? null };
  listed.set(provider, entry);
  void asked.then(({ models, problem }) => {
    if (problem === null || entry.models === null) entry.models = models;
  });
  return asked;
}

/**
 * The models that the provider listed last; a list older than a minute is renewed in the background. Only the first one
 * is waited for, and not for long.
 */
export async function lastListedModels(services: Services, provider: string): Promise<readonly string[]> {
  const first = offeredModels(services, provider).then(({ models }) => models);
  return state(services).listed.get(provider)?.models ?? Promise.race([first, setTimeout(FIRST_LIST_MS, [])]);
}
