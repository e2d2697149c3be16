import type { ModelPort } from "@/lib/agent/model";

/** Where a provider is and how it is called. `baseUrl` null means the provider's own address. */
export interface ProviderConnection {
  readonly apiKey: string | null;
  readonly baseUrl: string | null;
}

/** What the process environment says about models; `env()` of lib/server fits. Null: not set. */
export interface ProviderSettings {
  readonly defaultModel: string | null;
  readonly providers: {
    readonly openai: ProviderConnection | null;
    readonly anthropic: ProviderConnection | null;
    readonly google: ProviderConnection | null;
    readonly openaiCompatible: ProviderConnection | null;
    readonly ollama: ProviderConnection | null;
    /** Tests only: an OpenAI-compatible server with a script. */
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
/** Providers that are reached over HTTP. */
export type RemoteProviderId = Exclude<ProviderId, "demo">;

interface ProviderFacts {
  readonly name: string;
  /** The variable that switches it on. */
  readonly variable: string;
  /** The variable with its key. */
  readonly keyVariable: string;
  readonly ownBaseUrl: string | null;
  /** Its API answers no request without a key. */
  readonly needsKey: boolean;
}

export const PROVIDER_FACTS: Readonly<Record<RemoteProviderId, ProviderFacts>> = {
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

/** What the environment says about one provider. */
export function connectionOf(settings: ProviderSettings, provider: RemoteProviderId): ProviderConnection | null {
  return settings.providers[provider === "openai-compatible" ? "openaiCompatible" : provider];
}

/** A model that fails with `error` when called: for a fallback that cannot be used. */
export function unusableModel(name: string, error: Error): ModelPort {
  return { name, call: () => Promise.reject(error) };
}
