import type { ModelPort } from "@/lib/agent/model";
import { demoModel } from "@/lib/models/demo/demo-model";
import { type ModelSpec, modelName } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { aiSdkModel } from "./ai-sdk-model";
import type { CallTimeouts } from "./call-limits";
import { knownModels } from "./catalogue";
import { DEFAULT_MODELS, DEMO_MODEL } from "./default-models";
import { createRedactor, secretsOf, visibleAddress } from "./failures/redact";
import { createLanguageModel } from "./language-model";
import { fetchModelNames } from "./list-models";
import { nameModel, type OnMissingProvider, type RemoteSpec, type ResolvedSpec, readModelSpec } from "./model-spec";
import { costUsd } from "./price";
import {
  connectionOf,
  PROVIDER_FACTS,
  PROVIDER_IDS,
  type ProviderId,
  type ProviderSettings,
  type RemoteProviderId,
  unusableModel,
} from "./provider-settings";
import type { ReplyLimits } from "./reply-limits";
import { type RetryClock, withRetries } from "./with-retries";

export interface ResolveOptions {
  readonly fallbacks: readonly ModelSpec[];
  readonly retries: number;
  readonly timeouts: CallTimeouts;
  readonly replyLimits: ReplyLimits;
  /** False: the provider is asked for whole replies. Default true. */
  readonly streaming?: boolean;
  /** Keys by the name that `api_key_ref` uses. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Default: fail. */
  readonly onMissing?: OnMissingProvider;
  /** Default: the system's. */
  readonly clock?: RetryClock;
}

/** A provider as pages show it. Never holds a key. */
interface ProviderInfo {
  readonly id: ProviderId;
  readonly name: string;
  readonly configured: boolean;
  readonly source: "environment" | "built-in" | null;
  /** The environment variable that enables it; null for the demo model, which is always available. */
  readonly variable: string | null;
  /** Names known without asking the provider. */
  readonly models: readonly string[];
}

export interface ModelRegistry {
  /**
   * The port of an agent, which includes retries, fallbacks and prices. Throws AppError when the model can't be used
   * and there is no fallback.
   */
  resolve(spec: ModelSpec, options: ResolveOptions): ModelPort;
  /** `provider:model` of the model that a run would call; the spec's own words when no provider can be called. */
  nameOf(spec: ModelSpec, onMissing: OnMissingProvider): string;
  /** Why the model cannot be called as written, and what to do about it; null when it can. */
  problemOf(spec: ModelSpec, onMissing: OnMissingProvider): string | null;
  /** `scripted` is listed only when it is enabled. */
  providers(): ProviderInfo[];
  /** `provider:model` for agents that name none. Throws AppError when a provider has to be asked and fails. */
  defaultModel(): Promise<string>;
  /** Asks the provider for its models. Throws AppError with the cause. */
  listModels(provider: string): Promise<string[]>;
}

/** `fetchModel` sends the model calls; default: the platform's `fetch`. */
export function createModelRegistry(settings: ProviderSettings, fetchModel?: typeof fetch): ModelRegistry {
  let defaultModel: Promise<string> | undefined;
  const connect = rememberModels(fetchModel);
  return {
    resolve: (spec, options) => withPrices(resolvePort(settings, spec, { ...options, connect })),
    nameOf: (spec, onMissing) => nameOf(settings, spec, onMissing),
    problemOf: (spec, onMissing) => problemOf(settings, spec, onMissing),
    providers: () =>
      PROVIDER_IDS.filter((id) => id !== "scripted" || settings.providers.scripted !== null).map((id) =>
        describeProvider(settings, id),
      ),
    defaultModel() {
      defaultModel ??= findDefaultModel(settings).catch((error: unknown) => {
        defaultModel = undefined;
        throw error;
      });
      return defaultModel;
    },
    listModels: (provider) => listModels(settings, provider),
  };
}

/** Its replies say what they cost. */
function withPrices(model: ModelPort): ModelPort {
  return {
    ...model,
    async call(request, options) {
      const reply = await model.call(request, options);
      return { ...reply, costUsd: reply.usage.isUsagePartial ? null : costUsd(reply.model, reply.usage) };
    },
  };
}

type Connect = (spec: RemoteSpec) => ReturnType<typeof createLanguageModel>;
type PortOptions = ResolveOptions & { readonly connect: Connect };

const MAX_MODELS = 100;

/**
 * The AI SDK builds its schemas again for each model object, which costs a run milliseconds, so the objects are
 * cached.
 */
function rememberModels(fetchModel: typeof fetch | undefined): Connect {
  const known = new Map<string, ReturnType<Connect>>();
  return (spec) => {
    const key = JSON.stringify([spec.provider, spec.model, spec.baseUrl, spec.apiKey]);
    const model = known.get(key) ?? createLanguageModel(spec.provider, { ...spec, fetch: fetchModel });
    if (known.size >= MAX_MODELS) known.clear();
    known.set(key, model);
    return model;
  };
}

function resolvePort(settings: ProviderSettings, spec: ModelSpec, options: PortOptions): ModelPort {
  const redact = createRedactor([...configuredKeys(settings), ...Object.values(options.secrets ?? {})]);
  const { onMissing = "fail", secrets = {} } = options;
  const build = (entry: ModelSpec) =>
    buildModel(readModelSpec(settings, nameModel(settings, entry, onMissing), secrets), options, redact);
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
  if (spec.provider === "demo") return demoModel();
  const { languageModel, dialect, providerOptions } = options.connect({ ...spec, provider: spec.provider });
  const { provider, model, baseUrl, keySource } = spec;
  const identity = { provider, model, baseUrl: visibleAddress(baseUrl), keySource, redact };
  const { timeouts, replyLimits, streaming } = options;
  return aiSdkModel(languageModel, { identity, dialect, providerOptions, timeouts, replyLimits, streaming });
}

function nameOf(settings: ProviderSettings, spec: ModelSpec, onMissing: OnMissingProvider): string {
  try {
    return modelName(nameModel(settings, spec, onMissing));
  } catch (error) {
    if (error instanceof AppError) return modelName(spec);
    throw error;
  }
}

function problemOf(settings: ProviderSettings, spec: ModelSpec, onMissing: OnMissingProvider): string | null {
  try {
    readModelSpec(settings, nameModel(settings, spec, "fail"), {});
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const named = nameOf(settings, spec, onMissing);
    return named === nameOf(settings, spec, "fail") ? error.message : `${error.message} Until then ${named} is asked.`;
  }
}

function describeProvider(settings: ProviderSettings, id: ProviderId): ProviderInfo {
  if (id === "demo") {
    return { id, name: "Demo", configured: true, source: "built-in", variable: null, models: ["demo"] };
  }
  const { name, variable } = PROVIDER_FACTS[id];
  const configured = connectionOf(settings, id) !== null;
  return { id, name, configured, source: configured ? "environment" : null, variable, models: knownModels(id) };
}

async function findDefaultModel(settings: ProviderSettings): Promise<string> {
  if (settings.defaultModel !== null) return settings.defaultModel;
  for (const [provider, model] of DEFAULT_MODELS) {
    if (connectionOf(settings, provider) === null) continue;
    return `${provider}:${model ?? (await firstModel(settings, provider))}`;
  }
  return DEMO_MODEL;
}

async function firstModel(settings: ProviderSettings, provider: RemoteProviderId): Promise<string> {
  const [first] = await listModels(settings, provider);
  if (first !== undefined) return first;
  throw new AppError("model_failed", `The provider ${provider} lists no models. Set RINGMASTER_DEFAULT_MODEL.`);
}

async function listModels(settings: ProviderSettings, provider: string): Promise<string[]> {
  if (provider === "demo") return ["demo"];
  const { provider: id, baseUrl, apiKey } = readModelSpec(settings, { provider, model: "any" }, {});
  return id === "demo" ? ["demo"] : fetchModelNames(id, { baseUrl, apiKey });
}

function configuredKeys(settings: ProviderSettings): string[] {
  return Object.values(settings.providers).flatMap((connection) =>
    connection ? [connection.apiKey ?? "", ...secretsOf(connection.baseUrl ?? "")] : [],
  );
}
