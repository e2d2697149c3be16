import { z } from "zod";

/** A provider as pages show it; never a key. `variable` switches it on, `problem` says why it lists no models. */
const Provider = z.object({
  id: z.string(),
  name: z.string(),
  configured: z.boolean(),
  source: z.enum(["environment", "built-in"]).nullable(),
  variable: z.string().nullable(),
  models: z.array(z.string()),
  problem: z.string().nullable(),
});

/** GET `/api/providers`. `defaultModel` is `provider:model`, null when the provider can't be asked now. */
export const ProviderList = z.object({ providers: z.array(Provider), defaultModel: z.string().nullable() });
export type ProviderList = z.infer<typeof ProviderList>;
