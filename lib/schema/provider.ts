import { z } from "zod";
import { DialectChoice, DialectId, LearnedTrait, TraitOverrides } from "./dialect";
import { KeptRefusals } from "./providers/provider-refusals";
import { Usage } from "./runs/usage";
import { Role } from "./users/user";

/** The API that a provider speaks. */
export const ProviderKind = z.enum(["openai", "anthropic", "google", "openai-compatible", "ollama"]);
export type ProviderKind = z.infer<typeof ProviderKind>;

/** US dollars per million tokens by class. */
export const ModelPrice = z.object({
  input: z.number(),
  cachedRead: z.number(),
  cachedWrite: z.number(),
  output: z.number(),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/** What an installation may say of a model. */
export const modelSettings = {
  /** Tokens of input and output together. */
  contextWindow: z.int("must be a whole number of tokens").min(1_000, "must be at least 1,000").max(100_000_000),
  /** It reads images. */
  vision: z.boolean(),
  /** False: it answers in one piece. */
  streaming: z.boolean(),
  /** False: switched off; no run may call it. */
  enabled: z.boolean(),
  /** How its chat completions differ from what its address suggests; strictness belongs to a model's template. */
  traits: TraitOverrides,
};

/** The installation's own facts about a model; they take precedence over the catalogue. Absent means unspecified. */
export const ProviderModel = z
  .object({ ...modelSettings, id: z.string(), price: ModelPrice })
  .partial()
  .required({ id: true });
export type ProviderModel = z.infer<typeof ProviderModel>;

/** A real call. `error` has the provider's own words, with keys removed. */
export const ProviderTest = z.object({
  ok: z.boolean(),
  latencyMs: z.number(),
  model: z.string(),
  error: z.string().optional(),
  /** The model's reply. */
  text: z.string().optional(),
  usage: Usage.optional(),
  /** Null if the model's price is unknown. */
  costUsd: z.number().nullable().optional(),
  at: z.string(),
  byName: z.string().nullable(),
});
export type ProviderTest = z.infer<typeof ProviderTest>;

/** A stored, encrypted key: never the key itself. */
const StoredKey = z.object({
  set: z.boolean(),
  /** The installation's secret that encrypts it. */
  keyId: z.string().optional(),
  /** Its last four characters, if the key is long. */
  ending: z.string().optional(),
  setAt: z.string().optional(),
  setByName: z.string().nullable().optional(),
});
export type StoredKey = z.infer<typeof StoredKey>;

/** A model as its provider lists it, with what is known about it; absent means unknown. */
export const ListedModel = z.object({
  id: z.string(),
  contextWindow: z.number().optional(),
  price: ModelPrice.optional(),
  /** The source of the price. */
  priceFrom: z.enum(["catalogue", "own"]).optional(),
  vision: z.boolean().optional(),
});
export type ListedModel = z.infer<typeof ListedModel>;

/**
 * A provider. `offered` are the models that people may choose; `variable` is the environment variable that configures
 * it, `problem` says why it lists no models or can't be called. Only admins see address, key, roles and tests.
 */
export const Provider = z.object({
  id: z.string(),
  kind: z.string(),
  name: z.string(),
  source: z.enum(["environment", "database", "built-in"]),
  variable: z.string().nullable(),
  models: z.array(ProviderModel),
  offered: z.array(z.string()),
  problem: z.string().nullable(),
  isDefault: z.boolean(),
  baseUrl: z.string().nullable().optional(),
  apiKey: StoredKey.optional(),
  allowedRoles: z.array(Role).optional(),
  /** Agents with a model of another provider offer this one's models too. */
  anyAgent: z.boolean().optional(),
  /** Models that only administrators may pick until they are listed, because their price is higher or unknown. */
  dearer: z.number().optional(),
  /** As chosen; absent if its kind has none. */
  dialect: DialectChoice.optional(),
  /** The one that `auto` means for its address. */
  guessedDialect: DialectId.optional(),
  lastTest: ProviderTest.nullable().optional(),
  lastFailure: ProviderTest.nullable().optional(),
  /** What its refusals have taught about how it wants requests. */
  learned: z.array(LearnedTrait).optional(),
  /** The tools and lengths that it has refused. */
  refusals: KeptRefusals.optional(),
  /** For a single provider: what is known of each model that it offers or that its settings name. */
  known: z.array(ListedModel).optional(),
  updatedAt: z.string().optional(),
});
export type Provider = z.infer<typeof Provider>;

/** GET `/api/providers`. `defaultModel` is `provider:model`, null if the provider can't be called now. */
export const ProviderList = z.object({
  providers: z.array(Provider),
  defaultModel: z.string().nullable(),
  nextCursor: z.null(),
});
export type ProviderList = z.infer<typeof ProviderList>;

/** GET `/api/providers/{id}/models`. */
export const ListedModels = z.object({ models: z.array(ListedModel), nextCursor: z.null() });
