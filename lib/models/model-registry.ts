import type { ModelPort } from "@/lib/agent/model";
import { demoModel } from "@/lib/models/demo/demo-model";
import { type ModelSpec, modelName } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { TraitOverrides } from "@/lib/schema/dialect";
import { Role } from "@/lib/schema/users/user";
import { aiSdkModel } from "./ai-sdk-model";
import type { CallTimeouts } from "./call-limits";
import { knownModels, type ModelTraits, modelTraits } from "./catalogue";
import { DEFAULT_MODELS, DEMO_MODEL } from "./default-models";
import { createTraitMemory, learningPort, type TraitMemory } from "./dialects/learn-traits";
import { createRedactor, secretsOf, visibleAddress } from "./failures/redact";
import { createLanguageModel } from "./language-model";
import { fetchModelNames } from "./list-models";
import {
  keyProblemOf,
  nameModel,
  type OnMissingProvider,
  type RemoteSpec,
  type ResolvedSpec,
  readModelSpec,
} from "./model-spec";
import { costUsd, isFree, priceOf, worstCostUsd } from "./price";
import {
  type ConfiguredProvider,
  type ProviderId,
  type ProviderSettings,
  type Providers,
  readProviders,
  settingsOf,
  unusableModel,
} from "./provider-settings";
import { leavingOutPort } from "./refusals/leaving-out-port";
import { createRefusalMemory, type RefusalMemory } from "./refusals/refusal-memory";
import type { ReplyLimits } from "./reply-limits";
import type { ImageReader } from "./wire/shown-images";
import { type RetryClock, withRetries } from "./with-retries";

export interface ResolveOptions {
  readonly fallbacks: readonly ModelSpec[];
  readonly retries: number;
  readonly timeouts: CallTimeouts;
  readonly replyLimits: ReplyLimits;
  /** False: requests whole replies from the provider. Default true. */
  readonly streaming?: boolean;
  /** Default: fail. */
  readonly onMissing?: OnMissingProvider;
  /** Reads the images of messages; without it no model sees any. */
  readonly readImage?: ImageReader;
  /** Default: the system's. */
  readonly clock?: RetryClock;
}

/** A provider as shown on pages. Never contains a key. */
export interface ProviderInfo extends Omit<ConfiguredProvider, "kind" | "apiKey" | "keySource" | "source"> {
  readonly kind: ProviderId;
  readonly source: "environment" | "database" | "built-in";
  /** Names known without querying the provider, except disabled ones. */
  readonly offered: readonly string[];
}

export interface ModelRegistry {
  /**
   * An agent's port, including retries, fallbacks and prices. Throws AppError if the model can't be used and there is
   * no fallback.
   */
  resolve(spec: ModelSpec, options: ResolveOptions): ModelPort;
  /** The `provider:model` that a run would call; the spec as written if no provider can be called. */
  nameOf(spec: ModelSpec, onMissing: OnMissingProvider): string;
  /** Why the model cannot be called as written, and the remedy; null if it can. */
  problemOf(spec: ModelSpec, onMissing: OnMissingProvider): string | null;
  /** Why the key that a model names can't be used; null if it can be, or if it names none. */
  keyProblemOf(spec: ModelSpec): string | null;
  /** The providers that can be called, the demo model last. */
  providers(): ProviderInfo[];
  /** The `provider:model` for agents that name none. Throws AppError if a provider has to be queried and fails. */
  defaultModel(): Promise<string>;
  /** Queries the provider for its models. Throws AppError with the cause. */
  listModels(provider: string): Promise<string[]>;
  /** The facts about `provider:model`: from its provider's settings first, then from the catalogue. */
  factsOf(model: string): ModelTraits | undefined;
  /** The roles that may use the provider; undefined if there is no such provider. */
  rolesOf(provider: string): readonly Role[] | undefined;
  /** True if any provider is restricted to some roles. */
  readonly hasRestrictions: boolean;
}

/** `fetchModel` sends the model calls; default: the platform's `fetch`. */
export function createModelRegistry(
  settings: ProviderSettings,
  fetchModel?: typeof fetch,
  memory = createTraitMemory(),
  refusals = createRefusalMemory(),
): ModelRegistry {
  const providers = readProviders(settings);
  let defaultModel: Promise<string> | undefined;
  const connect = rememberModels(fetchModel);
  return {
    resolve: (spec, options) =>
      withPrices(
        providers,
        resolvePort(providers, spec, { ...options, connect, memory, refusals }),
        [spec, ...options.fallbacks].map((entry) => nameOf(providers, entry, options.onMissing ?? "fail")),
      ),
    nameOf: (spec, onMissing) => nameOf(providers, spec, onMissing),
    problemOf: (spec, onMissing) => problemOf(providers, spec, onMissing),
    keyProblemOf: (spec) => keyProblemOf(providers, spec),
    providers: () => [...providers.list.map(describeProvider), DEMO],
    defaultModel() {
      defaultModel ??= findDefaultModel(providers).catch((error: unknown) => {
        defaultModel = undefined;
        throw error;
      });
      return defaultModel;
    },
    listModels: (provider) => listModels(providers, provider),
    factsOf: (model) => factsOf(providers, model),
    rolesOf: (provider) => (provider === "demo" ? Role.options : providers.byId.get(provider)?.allowedRoles),
    hasRestrictions: providers.list.some(({ allowedRoles }) =>
      Role.options.some((role) => !allowedRoles.includes(role)),
    ),
  };
}

function factsOf(providers: Providers, model: string): ModelTraits | undefined {
  const colon = model.indexOf(":");
  const [id, name] = [model.slice(0, colon), model.slice(colon + 1)];
  const provider = providers.byId.get(id);
  const known = modelTraits(provider ? `${provider.kind}:${name}` : model);
  const own = settingsOf(providers, id, name);
  if (!own) return known;
  const { contextWindow: window, price: rates, vision } = own;
  return {
    ...(known ?? {}),
    ...(window === undefined ? {} : { window }),
    ...(rates === undefined ? {} : { rates, long: undefined }),
    ...(vision === undefined ? {} : { vision }),
  };
}

/** Adds the cost and the price to replies. `names` are the models that may answer. */
function withPrices(providers: Providers, port: ModelPort, names: readonly string[]): ModelPort {
  return {
    ...port,
    canSee: names[0] !== undefined && factsOf(providers, names[0])?.vision === true,
    worstCostUsd(tokens) {
      const known = names.flatMap((name) => worstCostUsd(name, tokens, factsOf(providers, name)) ?? []);
      return known.length === 0 ? null : Math.max(...known);
    },
    async call(request, options) {
      const reply = await port.call(request, options);
      const { model, usage } = reply;
      const facts = factsOf(providers, model);
      const price = isFree(model) ? null : priceOf(facts, usage.inputTokens);
      const cost = usage.isUsagePartial ? null : costUsd(model, usage, facts);
      return { ...reply, costUsd: cost, ...(price === null ? {} : { price }) };
    },
  };
}

type Connect = (spec: RemoteSpec, manner: Manner) => ReturnType<typeof createLanguageModel>;
type PortOptions = ResolveOptions & {
  readonly connect: Connect;
  readonly memory: TraitMemory;
  readonly refusals: RefusalMemory;
  readonly traits?: TraitOverrides;
};

interface Manner {
  readonly streaming: boolean;
  readonly traits: TraitOverrides;
}

const MAX_MODELS = 100;

/** Caches model objects, because the AI SDK rebuilds its schemas for each one, which costs a run milliseconds. */
function rememberModels(fetchModel: typeof fetch | undefined): Connect {
  const known = new Map<string, ReturnType<Connect>>();
  return (spec, manner) => {
    const key = JSON.stringify([spec.provider, spec.model, spec.baseUrl, spec.apiKey, spec.dialect, manner]);
    const { kind, provider: name } = spec;
    const model = known.get(key) ?? createLanguageModel(kind, { ...spec, name, fetch: fetchModel, ...manner });
    if (known.size >= MAX_MODELS) known.clear();
    known.set(key, model);
    return model;
  };
}

function resolvePort(providers: Providers, spec: ModelSpec, options: PortOptions): ModelPort {
  const redact = createRedactor(configuredKeys(providers));
  const { onMissing = "fail" } = options;
  const build = (entry: ModelSpec) => {
    const found = readModelSpec(providers, nameModel(providers, entry, onMissing));
    const canStream = settingsOf(providers, found.provider, found.model)?.streaming !== false;
    const canSee = factsOf(providers, `${found.provider}:${found.model}`)?.vision === true;
    const { readImage, ...others } = options;
    const traits = settingsOf(providers, found.provider, found.model)?.traits ?? {};
    const own = { ...others, traits, ...(canSee && readImage ? { readImage } : {}) };
    return buildModel(found, canStream ? own : { ...own, streaming: false }, redact);
  };
  if (options.fallbacks.length === 0) return withRetries([build(spec)], options);
  const orUnusable = (entry: ModelSpec) => {
    try {
      return build(entry);
    } catch (error) {
      if (error instanceof AppError) return unusableModel(modelName(entry), error);
      throw error;
    }
  };
  return withRetries([orUnusable(spec), ...options.fallbacks.map(orUnusable)], options);
}

function buildModel(spec: ResolvedSpec, options: PortOptions, redact: (text: string) => string): ModelPort {
  if (spec.kind === "demo") return demoModel();
  const { timeouts, replyLimits, streaming, readImage, memory, refusals } = options;
  const { provider, model, baseUrl, keySource } = spec;
  const identity = { provider, model, baseUrl: visibleAddress(baseUrl), keySource, redact };
  const { kind } = spec;
  const connect = (learned: TraitOverrides) => {
    const manner = { streaming: streaming !== false, traits: { ...learned, ...options.traits } };
    const { languageModel, traits = null, ...facts } = options.connect({ ...spec, kind }, manner);
    return {
      port: aiSdkModel(languageModel, { ...facts, identity, streaming, timeouts, replyLimits, readImage }),
      traits,
    };
  };
  const { port, traits } = connect({});
  const taught = traits === null ? port : learningPort({ provider, model, memory, connect });
  return leavingOutPort(taught, { provider, model, memory: refusals, readImage });
}

function nameOf(providers: Providers, spec: ModelSpec, onMissing: OnMissingProvider): string {
  try {
    return modelName(nameModel(providers, spec, onMissing));
  } catch (error) {
    if (error instanceof AppError) return modelName(spec);
    throw error;
  }
}

function problemOf(providers: Providers, spec: ModelSpec, onMissing: OnMissingProvider): string | null {
  try {
    readModelSpec(providers, nameModel(providers, spec, "fail"));
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const named = nameOf(providers, spec, onMissing);
    return named === nameOf(providers, spec, "fail") ? error.message : `${error.message} Until then ${named} is asked.`;
  }
}

const DEMO: ProviderInfo = {
  id: "demo",
  kind: "demo",
  name: "Demo",
  source: "built-in",
  variable: null,
  baseUrl: null,
  dialect: "auto",
  models: [],
  offered: ["demo"],
  allowedRoles: Role.options,
  anyAgent: false,
  problem: null,
};

function describeProvider({ apiKey: _, keySource: __, ...provider }: ConfiguredProvider): ProviderInfo {
  const { kind, models } = provider;
  const off = new Set(models.flatMap(({ id, enabled }) => (enabled === false ? [id] : [])));
  const on = models.flatMap(({ id }) => (off.has(id) ? [] : [id]));
  return { ...provider, offered: on.length > 0 ? on : knownModels(kind).filter((id) => !off.has(id)) };
}

async function findDefaultModel(providers: Providers): Promise<string> {
  const { defaultModel, ownDefault, byId, list } = providers;
  if (defaultModel !== null) return defaultModel;
  const [chosen = "", ...model] = ownDefault?.split(":") ?? [];
  const chosenProvider = byId.get(chosen);
  if (ownDefault !== null && model.join(":") !== "" && (chosenProvider || chosen === "demo")) return ownDefault;
  const ordered = DEFAULT_MODELS.flatMap(([id]) => byId.get(id) ?? []);
  const added = list.filter(({ source }) => source === "database");
  const [first] = chosenProvider ? [chosenProvider] : [...ordered, ...added];
  return first ? `${first.id}:${await firstModel(providers, first)}` : DEMO_MODEL;
}

async function firstModel(providers: Providers, { id, kind, models }: ConfiguredProvider): Promise<string> {
  const named = models.find(({ enabled }) => enabled !== false)?.id;
  const known = named ?? DEFAULT_MODELS.find(([vendor]) => vendor === kind)?.[1];
  if (known) return known;
  const [first] = await listModels(providers, id);
  if (first !== undefined) return first;
  throw new AppError("model_failed", `The provider ${id} lists no models. Name one under Admin, Models.`);
}

async function listModels(providers: Providers, provider: string): Promise<string[]> {
  if (provider === "demo") return ["demo"];
  const { kind, baseUrl, apiKey } = readModelSpec(providers, { provider, model: "" });
  if (kind === "demo") return ["demo"];
  const redact = createRedactor(configuredKeys(providers));
  return fetchModelNames(kind, { name: provider, baseUrl, apiKey, redact });
}

function configuredKeys({ list }: Providers): string[] {
  return list.flatMap(({ apiKey, baseUrl }) => [apiKey ?? "", ...secretsOf(baseUrl ?? "")]);
}
