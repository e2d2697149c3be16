import { z } from "zod";
import { DialectChoice, DialectId, LearnedTrait, TraitOverrides } from "./dialect";
import { plainText } from "./plain-text";
import { KeptRefusals } from "./provider-refusals";
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

const HIGHEST_PRICE = 100_000;
const dollars = z.number("must be a number of dollars").min(0, "must not be negative").max(HIGHEST_PRICE);
/** A class without a price costs what input costs. */
const NewModelPrice = z.strictObject({
  input: dollars,
  cachedRead: dollars.optional(),
  cachedWrite: dollars.optional(),
  output: dollars,
});

const ModelId = plainText(200);

const settings = {
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
  .object({ ...settings, id: z.string(), price: ModelPrice })
  .partial()
  .required({ id: true });
export type ProviderModel = z.infer<typeof ProviderModel>;

const NewProviderModel = z
  .strictObject({ ...settings, id: ModelId, price: NewModelPrice })
  .partial()
  .required({ id: true });
export type NewProviderModel = z.infer<typeof NewProviderModel>;

const MOST_MODELS = 1_000;
const models = z
  .array(NewProviderModel)
  .max(MOST_MODELS)
  .superRefine((entries, context) => {
    for (const [index, { id }] of entries.entries()) {
      if (entries.findIndex((entry) => entry.id === id) === index) continue;
      context.addIssue({ code: "custom", path: [index, "id"], message: `names ${id} a second time` });
    }
  });

/** Id of an added provider; the built-in demo model has its own. */
const ProviderId = z
  .string()
  .regex(/^[a-z0-9-]{1,40}$/, "must be 1 to 40 of a-z, 0-9 and -")
  .refine((id) => id !== "demo", "is the name of the built-in demo model");

const fields = {
  name: plainText(80),
  baseUrl: z
    .string()
    .trim()
    .max(500)
    .regex(/^https?:\/\/[^\s]+$/i, "must be an http:// or https:// address"),
  /** Write-only. Printable ASCII without spaces: it becomes a header. */
  apiKey: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(2_000)
    .regex(/^[\x21-\x7e]*$/, "has a space or a character that no key has; copy it again"),
  models,
  /** How its chat completions differ from those of other servers; only of a compatible one or Ollama. */
  dialect: DialectChoice,
  allowedRoles: z.array(Role).min(1, "must name at least one role"),
  /** True: agents that name no model use this provider's first one. */
  isDefault: z.boolean(),
};

export const CreateProviderBody = z
  .strictObject({ id: ProviderId, kind: ProviderKind, ...fields })
  .partial()
  .required({ kind: true });
export type CreateProviderBody = z.infer<typeof CreateProviderBody>;

/** Absent fields keep their values; null removes a key or an address. */
export const ChangeProviderBody = z
  .strictObject({ ...fields, apiKey: fields.apiKey.nullable(), baseUrl: fields.baseUrl.nullable() })
  .partial();
export type ChangeProviderBody = z.infer<typeof ChangeProviderBody>;

/** POST `/api/providers/{id}/test`. Without a model, the provider's first one is called. */
export const TestProviderBody = z.strictObject({ model: ModelId.optional() }).optional();

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

/** The model that answers if an agent names none, and the fallbacks if it fails. */
export const ModelDefaults = z.object({
  /** As chosen; null means the first provider's first model. */
  model: z.string().nullable(),
  /** The model that answers now; null if its provider can't be called. */
  resolved: z.string().nullable(),
  fallbacks: z.array(z.string()),
  /** The environment variable that overrides the choice. */
  fixedBy: z.string().nullable(),
});
export type ModelDefaults = z.infer<typeof ModelDefaults>;

const ModelName = z
  .string()
  .regex(/^[a-z0-9-]{1,40}:.+$/, 'must look like "provider:model"')
  .max(250);
export const ChangeModelDefaultsBody = z
  .strictObject({ model: ModelName.nullable(), fallbacks: z.array(ModelName).max(5) })
  .partial();
export type ChangeModelDefaultsBody = z.infer<typeof ChangeModelDefaultsBody>;

/** GET `/api/price-history`: unknown costs that are filled in after a price was added. */
export const PriceHistory = z.object({
  state: z.enum(["idle", "running"]),
  /** Runs with an unknown cost, and how many of them were examined and filled in. */
  total: z.number(),
  looked: z.number(),
  filled: z.number(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type PriceHistory = z.infer<typeof PriceHistory>;

/** GET `/api/providers/{id}/unpriced?model=…`: the usage to which a price for the model would apply. */
export const UnpricedUsage = z.object({
  runs: z.number(),
  /** Start of the first of these runs. */
  since: z.string().nullable(),
  inputTokens: z.number(),
  cachedReadTokens: z.number(),
  cachedWriteTokens: z.number(),
  outputTokens: z.number(),
  /** There is more than could be counted in time. */
  isPartial: z.boolean(),
});
export type UnpricedUsage = z.infer<typeof UnpricedUsage>;

/** An agent that calls a provider, first or as a fallback; models are `provider:model`. */
const ProviderAgent = z.object({
  id: z.string(),
  name: z.string(),
  version: z.number(),
  /** It names no model and uses the default. */
  usesDefault: z.boolean(),
  model: z.string(),
  fallbacks: z.array(z.string()),
});
export type ProviderAgent = z.infer<typeof ProviderAgent>;

/** GET `/api/providers/{id}/agents`. */
export const ProviderAgents = z.object({ agents: z.array(ProviderAgent), nextCursor: z.null() });
