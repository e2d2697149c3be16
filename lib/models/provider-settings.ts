import type { ModelPort } from "@/lib/agent/model";
import type { DialectChoice } from "@/lib/schema/dialect";
import type { ProviderKind, ProviderModel } from "@/lib/schema/provider";
import { Role } from "@/lib/schema/users/user";

/** A provider's address and how it is called. `baseUrl` null means the provider's own address. */
interface ProviderConnection {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** A provider added by an administrator. */
export interface OwnProvider extends ProviderConnection {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly name: string;
  /** Default: auto. */
  readonly dialect?: DialectChoice;
  readonly models: readonly ProviderModel[];
  readonly allowedRoles: readonly Role[];
  /** Agents with a model of another provider offer this one's models too. Default: false. */
  readonly anyAgent?: boolean;
  /** Why the provider can't be called, for example because its key can't be read; otherwise null. */
  readonly problem: string | null;
}

/** The model settings from the process environment; `env()` of lib/server fits. Null: not set. */
export interface ProviderSettings {
  /** The providers added by administrators; each replaces an environment provider with the same id. */
  readonly own?: readonly OwnProvider[];
  /** The `provider:model` chosen by an administrator; without a model, the provider's first one. */
  readonly ownDefault?: string | null;

  readonly defaultModel: string | null;
  readonly providers: {
    readonly openai: ProviderConnection | null;
    readonly anthropic: ProviderConnection | null;
    readonly google: ProviderConnection | null;
    readonly openaiCompatible: ProviderConnection | null;
    readonly ollama: ProviderConnection | null;
    /** Tests only: an OpenAI-compatible server that follows a script. */
    readonly scripted: ProviderConnection | null;
  };
}

export const PROVIDER_IDS = [
  "openai",
  "anthropic",
  "google",
  "openai-compatible",
  "ollama",
  "scripted",
  "demo",
] as const;
export type ProviderId = (typeof PROVIDER_IDS)[number];
/** Providers called over HTTP. */
export type RemoteProviderId = Exclude<ProviderId, "demo">;

interface ProviderTraits {
  readonly name: string;
  /** The variable that enables the provider. */
  readonly variable: string;
  /** The variable with the provider's key. */
  readonly keyVariable: string;
  readonly ownBaseUrl: string | null;
  /** Its API requires a key. */
  readonly needsKey: boolean;
}

export const PROVIDER_TRAITS: Readonly<Record<RemoteProviderId, ProviderTraits>> = {
  openai: {
    name: "OpenAI",
    variable: "OPENAI_API_KEY",
    keyVariable: "OPENAI_API_KEY",
    ownBaseUrl: "https://api.openai.com/v1",
    needsKey: true,
  },
  anthropic: {
    name: "Anthropic",
    variable: "ANTHROPIC_API_KEY",
    keyVariable: "ANTHROPIC_API_KEY",
    ownBaseUrl: "https://api.anthropic.com/v1",
    needsKey: true,
  },
  google: {
    name: "Google",
    variable: "GOOGLE_GENERATIVE_AI_API_KEY",
    keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
    ownBaseUrl: "https://generativelanguage.googleapis.com/v1beta",
    needsKey: true,
  },
  "openai-compatible": {
    name: "OpenAI-compatible",
    variable: "OPENAI_COMPATIBLE_BASE_URL",
    keyVariable: "OPENAI_COMPATIBLE_API_KEY",
    ownBaseUrl: null,
    needsKey: false,
  },
  ollama: {
    name: "Ollama",
    variable: "OLLAMA_BASE_URL",
    keyVariable: "OLLAMA_BASE_URL",
    ownBaseUrl: null,
    needsKey: false,
  },
  scripted: {
    name: "Scripted (tests)",
    variable: "RINGMASTER_SCRIPTED_MODEL_URL",
    keyVariable: "RINGMASTER_SCRIPTED_MODEL_URL",
    ownBaseUrl: null,
    needsKey: false,
  },
};

/** A provider that can be called. */
export interface ConfiguredProvider extends ProviderConnection {
  readonly id: string;
  readonly kind: RemoteProviderId;
  readonly name: string;
  readonly source: "environment" | "database";
  /** The environment variable that enables the provider. */
  readonly variable: string | null;
  /** The source of the key, for messages. */
  readonly keySource: string;
  readonly dialect: DialectChoice;
  readonly models: readonly ProviderModel[];
  readonly allowedRoles: readonly Role[];
  readonly anyAgent: boolean;
  readonly problem: string | null;
}

/** The providers of an installation, in order: those of the environment, then the others. */
export interface Providers {
  readonly defaultModel: string | null;
  readonly ownDefault: string | null;
  readonly list: readonly ConfiguredProvider[];
  readonly byId: ReadonlyMap<string, ConfiguredProvider>;
}

export function readProviders(settings: ProviderSettings): Providers {
  const { own = [], ownDefault = null, defaultModel } = settings;
  const remote = PROVIDER_IDS.filter((id) => id !== "demo");
  const found = [...remote.flatMap((id) => ofEnvironment(settings, id) ?? []), ...own.map(ofDatabase)];
  // A later entry replaces an earlier one with the same id, in the earlier one's position.
  const byId = new Map(found.map((provider) => [provider.id, provider]));
  return { defaultModel, ownDefault, list: [...byId.values()], byId };
}

function ofEnvironment(settings: ProviderSettings, id: RemoteProviderId): ConfiguredProvider | null {
  const connection = settings.providers[id === "openai-compatible" ? "openaiCompatible" : id];
  if (connection === null) return null;
  const { name, variable, keyVariable: keySource } = PROVIDER_TRAITS[id];
  const facts = { id, kind: id, name, source: "environment" as const, variable, keySource };
  return {
    ...facts,
    ...connection,
    dialect: "auto",
    models: [],
    allowedRoles: Role.options,
    anyAgent: false,
    problem: null,
  };
}

function ofDatabase(provider: OwnProvider): ConfiguredProvider {
  const keySource = "its key under Admin, Models";
  return { dialect: "auto", anyAgent: false, ...provider, source: "database", variable: null, keySource };
}

/** The provider's own settings for a model. */
export function settingsOf({ byId }: Providers, provider: string, model: string): ProviderModel | undefined {
  return byId.get(provider)?.models.find(({ id }) => id === model);
}

/** A model that fails with `error` when called, for an unusable fallback. */
export function unusableModel(name: string, error: Error): ModelPort {
  return { name, call: () => Promise.reject(error) };
}
