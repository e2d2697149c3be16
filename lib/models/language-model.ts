import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV4, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { RemoteProviderId } from "./provider-settings";
import { type FilteringFetch, withMergedDeltas } from "./wire/merge-stream-deltas";
import { PLAIN_DIALECT, type PromptDialect } from "./wire/to-provider-prompt";
import { withEarlierMessages } from "./wire/written-messages";

export interface LanguageModelConnection {
  /** The id of the provider, where several are of one kind. */
  readonly name?: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Default: the platform's, which then follows no redirect. */
  readonly fetch?: FilteringFetch;
}

interface ProviderModel {
  readonly languageModel: LanguageModelV4;
  readonly dialect: PromptDialect;
  readonly providerOptions?: SharedV4ProviderOptions;
}

/** A redirect would carry the key and the conversation to another host. */
const fetchHere: FilteringFetch = (input, init) => fetch(input, { ...init, redirect: "manual" });

/** The AI SDK's model of one provider and how history is written for it. */
export function createLanguageModel(kind: RemoteProviderId, connection: LanguageModelConnection): ProviderModel {
  const { model, baseUrl: baseURL, fetch: fetchOnce = fetchHere } = connection;
  const apiKey = connection.apiKey ?? undefined;
  switch (kind) {
    case "openai":
      return {
        languageModel: createOpenAI({ apiKey, baseURL, fetch: fetchOnce })(model),
        dialect: { ...PLAIN_DIALECT, reasoningNamespace: "openai" },
        // Nothing of a conversation stays with the provider; reasoning travels with our history, encrypted.
        providerOptions: { openai: { store: false } },
      };
    case "anthropic":
      return {
        languageModel: createAnthropic({ apiKey, baseURL, fetch: fetchOnce })(model),
        dialect: {
          ...PLAIN_DIALECT,
          reasoningNamespace: "anthropic",
          cacheBreakpoints: true,
          plainCallIds: true,
          beginsWithUser: true,
        },
      };
    case "google":
      return {
        languageModel: createGoogle({ apiKey, baseURL, fetch: fetchOnce })(model),
        dialect: { ...PLAIN_DIALECT, reasoningNamespace: "google", beginsWithUser: true },
      };
    default:
      return {
        languageModel: createOpenAICompatible({
          name: connection.name ?? kind,
          baseURL,
          apiKey,
          includeUsage: true,
          fetch: withMergedDeltas(fetchOnce),
          transformRequestBody: withEarlierMessages,
        })(model),
        dialect: { ...PLAIN_DIALECT, keepsWritten: true },
      };
  }
}
