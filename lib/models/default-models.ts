import type { RemoteProviderId } from "./provider-settings";

/**
 * Asked in this order: the first provider that is configured gives RINGMASTER_DEFAULT_MODEL its default. Null: the first model of the provider's own list.
 */
export const DEFAULT_MODELS: readonly (readonly [RemoteProviderId, string | null])[] = [
  ["openai", "gpt-6-sol"],
  ["anthropic", "claude-sonnet-5-5"],
  ["google", "gemini-4-argon"],
  ["openai-compatible", null],
  ["ollama", null],
];

/** Answers when no provider is configured. */
export const DEMO_MODEL = "demo:demo";
