import { z } from "zod";
import { DialectChoice } from "@/lib/schema/dialect";
import { newKey } from "@/lib/schema/new-secret";
import { plainText } from "@/lib/schema/plain-text";
import { modelSettings, ProviderKind } from "@/lib/schema/provider";
import { Role } from "@/lib/schema/users/user";

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

export const NewProviderModel = z
  .strictObject({ ...modelSettings, id: ModelId, price: NewModelPrice })
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
  apiKey: newKey(2_000).regex(/^[\x21-\x7e]*$/, "has a space or a character that no key has; copy it again"),
  models,
  /** How its chat completions differ from those of other servers; only of a compatible one or Ollama. */
  dialect: DialectChoice,
  allowedRoles: z.array(Role).min(1, "must name at least one role"),
  /** True: agents with a model of another provider offer this one's models too. */
  anyAgent: z.boolean(),
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

const ModelName = z
  .string()
  .regex(/^[a-z0-9-]{1,40}:.+$/, 'must look like "provider:model"')
  .max(250);
export const ChangeModelDefaultsBody = z
  .strictObject({ model: ModelName.nullable(), fallbacks: z.array(ModelName).max(5) })
  .partial();
export type ChangeModelDefaultsBody = z.infer<typeof ChangeModelDefaultsBody>;
