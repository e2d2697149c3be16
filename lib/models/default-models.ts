import type { RemoteProviderId } from "./provider-settings";

/**
 * Checked in order: the first configured provider determines the default of RINGMASTER_DEFAULT_MODEL. Null: the first
 * model in the provider's own list.
 */
export const DEFAULT_MODELS: readonly (readonly [RemoteProviderId, string | null])[] = [
  ["openai", "gpt-6-sol"],
  ["anthropic", "claude-sonnet-5-5"],
  ["google", "gemini-4-argon"],
  ["openai-compatible", null],
  ["ollama", null],
];

/** Answers if no provider is configured. */
export const DEMO_MODEL = "demo:demo";
