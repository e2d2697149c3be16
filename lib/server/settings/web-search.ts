import "server-only";
import { AppError } from "@/lib/schema/app-error";
import {
  type StoredWebSearch,
  WEB_SEARCH_PROVIDERS,
  type WebSearchBody,
  type WebSearchProvider,
  type WebSearchSettings,
} from "@/lib/schema/settings/web-search";
import { env } from "@/lib/server/platform/env";
import { keyIdOf, SecretUnreadable, secretBox, webSearchPurpose } from "@/lib/server/platform/secrets/secrets";
import { currentSettings } from "./settings-state";

const KEYED = ["brave", "tavily"] as const;

/** The change as stored, with its keys encrypted. */
export function sealWebSearch(body: WebSearchBody): Partial<StoredWebSearch> {
  const stored: Partial<StoredWebSearch> = body.searxng === undefined ? {} : { searxng: body.searxng };
  for (const provider of KEYED) {
    const given = body[provider];
    if (given === undefined) continue;
    stored[provider] = given && { sealed: secretBox().encrypt(given.apiKey, webSearchPurpose(provider)) };
  }
  return stored;
}

export function shownWebSearch({ searxng, brave, tavily }: StoredWebSearch): WebSearchSettings {
  const shown = (key: { sealed: string } | null) =>
    key && { apiKey: { set: true as const, keyId: keyIdOf(key.sealed) } };
  return { searxng, brave: shown(brave), tavily: shown(tavily) };
}

/** The provider an agent searches with: the one it names, otherwise the first configured one; null if there is none. */
export function chosenSearch(named: WebSearchProvider | null): WebSearchProvider | null {
  const { webSearch } = currentSettings();
  const set = WEB_SEARCH_PROVIDERS.filter((provider) => webSearch[provider] !== null || isInEnvironment(provider));
  return named === null ? (set[0] ?? null) : set.includes(named) ? named : null;
}

function isInEnvironment(provider: WebSearchProvider): boolean {
  return provider === "searxng" && env().searxngBaseUrl !== null;
}

/** What a search needs. Throws `conflict` for a key that can't be decrypted. */
export function searchAccess(provider: WebSearchProvider) {
  const { webSearch } = currentSettings();
  if (provider === "searxng") return { provider, baseUrl: env().searxngBaseUrl ?? webSearch.searxng?.baseUrl ?? "" };
  try {
    return { provider, apiKey: secretBox().decrypt(webSearch[provider]?.sealed ?? "", webSearchPurpose(provider)) };
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    const message = "The key of the web search was encrypted with another secret. An administrator can enter it again.";
    throw new AppError("conflict", message, { cause: error });
  }
}
