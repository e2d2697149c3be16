import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { DialectChoice, TraitOverrides, Traits } from "@/lib/schema/dialect";
import { chatModel } from "./dialects/chat-model";
import { guessDialect, presetOf } from "./dialects/dialect-presets";
import { KEPT } from "./dialects/reply-reader";
import type { RemoteProviderId } from "./provider-settings";
import { PLAIN_DIALECT, type PromptDialect } from "./wire/to-provider-prompt";

export interface LanguageModelConnection {
  /** The provider's id, if several are of the same kind. */
  readonly name?: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Default: the platform's `fetch`, without following redirects. */
  readonly fetch?: typeof fetch;
  /** False: whole replies are requested. Default true. */
  readonly streaming?: boolean;
  /** How its chat completions server differs from others; default: as its address suggests. */
  readonly dialect?: DialectChoice;
  /** How its model differs from the dialect. */
  readonly traits?: TraitOverrides;
}

interface ProviderModel {
  readonly languageModel: LanguageModelV4;
  readonly dialect: PromptDialect;
  readonly providerOptions?: SharedV4ProviderOptions;
  /** It reads a reply in one piece as a stream. */
  readonly readsWhole?: true;
  /** The traits with which it writes, if a refusal may teach others. */
  readonly traits?: Traits;
}

/** Following a redirect would send the key and the conversation to another host. */
const fetchHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: "manual" });

/** The AI SDK's model of one provider, and the dialect in which its history is written. */
export function createLanguageModel(kind: RemoteProviderId, connection: LanguageModelConnection): ProviderModel {
  const { model, baseUrl: baseURL, fetch: fetchOnce = fetchHere } = connection;
  const apiKey = connection.apiKey ?? undefined;
  const writer = `${connection.name ?? kind} ${URL.parse(baseURL)?.origin ?? baseURL} ${model}`;
  switch (kind) {
    case "openai":
      return {
        languageModel: loadedWhenCalled(kind, model, async () => {
          const { createOpenAI } = await import("@ai-sdk/openai");
          return createOpenAI({ apiKey, baseURL, fetch: fetchOnce })(model);
        }),
        dialect: { ...PLAIN_DIALECT, writer, reasoningNamespace: "openai" },
        // Stores no conversation at the provider; reasoning is part of the history, encrypted.
        providerOptions: { openai: { store: false } },
      };
    case "anthropic":
      return {
        languageModel: loadedWhenCalled(kind, model, async () => {
          const { createAnthropic } = await import("@ai-sdk/anthropic");
          return createAnthropic({ apiKey, baseURL, fetch: fetchOnce })(model);
        }),
        dialect: {
          ...PLAIN_DIALECT,
          writer,
          reasoningNamespace: "anthropic",
          cacheBreakpoints: true,
          plainCallIds: true,
          beginsWithUser: true,
        },
      };
    case "google":
      return {
        languageModel: loadedWhenCalled(kind, model, async () => {
          const { createGoogle } = await import("@ai-sdk/google");
          return createGoogle({ apiKey, baseURL, fetch: fetchOnce })(model);
        }),
        dialect: { ...PLAIN_DIALECT, writer, reasoningNamespace: "google", beginsWithUser: true },
      };
    default: {
      const { dialect: choice = "auto" } = connection;
      const preset = presetOf(choice === "auto" ? guessDialect(kind, baseURL) : choice);
      const chatDialect = { ...preset, traits: { ...preset.traits, ...connection.traits } };
      return {
        languageModel: chatModel({
          provider: connection.name ?? kind,
          model,
          baseUrl: baseURL,
          apiKey: connection.apiKey,
          dialect: chatDialect,
          fetch: fetchOnce,
          streaming: connection.streaming !== false,
        }),
        dialect: { ...PLAIN_DIALECT, reasoningNamespace: KEPT, schemas: chatDialect.traits.schemas },
        readsWhole: true,
        traits: chatDialect.traits,
      };
    }
  }
}

/** Each of the AI SDK's providers takes megabytes, and most installations call one of them. */
function loadedWhenCalled(provider: string, modelId: string, load: () => Promise<LanguageModelV4>): LanguageModelV4 {
  let loading: Promise<LanguageModelV4> | undefined;
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  return {
    specificationVersion: "v4",
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => (await loaded()).doGenerate(options),
    doStream: async (options) => (await loaded()).doStream(options),
  };
}
