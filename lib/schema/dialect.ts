import { z } from "zod";

/**
 * How a server that speaks chat completions differs from others (D-98). A dialect is a preset of these; a provider's and
 * a model's own settings take precedence.
 */
export const Traits = z.strictObject({
  /** `strict`: turns of a person and the model must alternate (many chat templates). */
  roles: z.enum(["free", "strict"]),
  /** False: a reply must stand between a tool result and a person's turn (Mistral). */
  toolThenUser: z.boolean(),
  /** Ids of calls. `forty`: at most so many characters (OpenAI); `nine`: nine letters or digits (Mistral). */
  ids: z.enum(["free", "forty", "nine"]),
  /** What a turn that only calls tools has for its text. */
  emptyText: z.enum(["null", "empty", "omit"]),
  /** `user`: the system prompt is part of the first turn of a person, for templates without one (Gemma). */
  systemRole: z.enum(["system", "developer", "user"]),
  maxTokensField: z.enum(["max_tokens", "max_completion_tokens"]),
  /**
   * Which JSON Schemas of tools it takes: all, OpenAI's, Google's, those in which every part says its type (Moonshot),
   * or only the plainest.
   */
  schemas: z.enum(["any", "openai", "google", "typed", "plain"]),
  /** Whether the model's own reasoning goes back: only since the last message of a person, or always. */
  reasoningBack: z.enum(["never", "in_turn", "always"]),
  /** A reply that is nothing but tagged calls of offered tools is taken as those calls. */
  callsInText: z.boolean(),
  /** Thoughts may stand in the text, with a closing tag alone or in harmony channels. */
  thoughtsInText: z.boolean(),
});
export type Traits = z.infer<typeof Traits>;

export const TraitOverrides = Traits.partial();
export type TraitOverrides = z.infer<typeof TraitOverrides>;

export const DialectId = z.enum([
  "standard",
  "local",
  "vllm",
  "llama.cpp",
  "ollama",
  "lm-studio",
  "openai",
  "azure",
  "openrouter",
  "mistral",
  "deepseek",
  "moonshot",
  "groq",
  "together",
  "gemini",
]);
export type DialectId = z.infer<typeof DialectId>;

/** `auto`: as the address suggests and refusals teach. */
export const DialectChoice = z.enum(["auto", ...DialectId.options]);
export type DialectChoice = z.infer<typeof DialectChoice>;

/** A trait that a refusal named, learned after asking again with it helped. */
export const LearnedTrait = z.object({
  provider: z.string(),
  model: z.string(),
  traits: TraitOverrides,
  /** The provider's own words. */
  words: z.string(),
});
export type LearnedTrait = z.infer<typeof LearnedTrait>;
