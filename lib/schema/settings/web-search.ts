import { z } from "zod";
import { newKey } from "@/lib/schema/new-secret";

/** In order of preference for an agent that names none. */
export const WEB_SEARCH_PROVIDERS = ["searxng", "brave", "tavily"] as const;
export type WebSearchProvider = (typeof WEB_SEARCH_PROVIDERS)[number];

const baseUrl = z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }).max(500);
const apiKey = newKey(500);
const Searxng = z.strictObject({ baseUrl });
const Keyed = z.strictObject({ apiKey });

/** PATCH: omitted fields keep their values, null removes one. */
export const WebSearchBody = z
  .strictObject({ searxng: Searxng.nullable(), brave: Keyed.nullable(), tavily: Keyed.nullable() })
  .partial();
export type WebSearchBody = z.infer<typeof WebSearchBody>;

const ShownKey = z.object({ apiKey: z.object({ set: z.literal(true), keyId: z.string() }) });

/** The current settings; keys are never shown. */
export const WebSearchSettings = z.object({
  searxng: Searxng.nullable(),
  brave: ShownKey.nullable(),
  tavily: ShownKey.nullable(),
});
export type WebSearchSettings = z.infer<typeof WebSearchSettings>;

const Sealed = z.object({ sealed: z.string() });

/** As it is stored: keys are encrypted. */
export const StoredWebSearch = z.object({
  searxng: Searxng.nullable().default(null),
  brave: Sealed.nullable().default(null),
  tavily: Sealed.nullable().default(null),
});
export type StoredWebSearch = z.infer<typeof StoredWebSearch>;
