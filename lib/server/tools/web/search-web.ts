import "server-only";
import { z } from "zod";
import type { WebSearchProvider } from "@/lib/schema/settings/web-search";
import { trimEndOf } from "@/lib/schema/trim-characters";
import { OutgoingRequestRefused, safeFetch } from "@/lib/server/platform/safe-fetch";
import type { SearchHit } from "@/lib/tools/web/web-tools";

/** A configured provider with its settings. */
export type SearchAccess =
  | { readonly provider: "searxng"; readonly baseUrl: string }
  | { readonly provider: "brave" | "tavily"; readonly apiKey: string; readonly baseUrl?: string };

const BASE_URLS = { brave: "https://api.search.brave.com", tavily: "https://api.tavily.com" } as const;
/** The host of a search that belongs to somebody else; null for the installation's own. */
export function outsideHostOf(provider: WebSearchProvider): string | null {
  return provider === "searxng" ? null : new URL(BASE_URLS[provider]).host;
}

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2_000_000;
const SNIPPET_CHARS = 500;

/** The results of one search. Throws OutgoingRequestRefused with what to do next. */
export async function searchWeb(
  access: SearchAccess,
  { query, limit, signal }: { readonly query: string; readonly limit: number; readonly signal: AbortSignal },
): Promise<SearchHit[]> {
  const { provider } = access;
  const baseUrl = access.baseUrl ?? BASE_URLS[provider as keyof typeof BASE_URLS];
  const { url, ...call } = callOf(access, trimEndOf(baseUrl, /\//), query, limit);
  const { hostname, port, protocol } = new URL(baseUrl);
  // The search server is set by an administrator or the environment.
  const allowedPrivateHosts = [`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`];
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal, allowedPrivateHosts };
  const { status, text } = await safeFetch(url, { ...call, ...limits }).catch((error: unknown) => {
    if (!(error instanceof OutgoingRequestRefused)) throw error;
    throw new OutgoingRequestRefused(`The search by ${NAMES[provider]} failed: ${error.message}`);
  });
  if (status === 401 || status === 403) throw new OutgoingRequestRefused(refusedKey(provider, status));
  if (status !== 200)
    throw new OutgoingRequestRefused(`The search by ${NAMES[provider]} failed: it answered ${status}.`);
  return read(provider, text).slice(0, limit);
}

const NAMES: Readonly<Record<WebSearchProvider, string>> = { searxng: "SearXNG", brave: "Brave", tavily: "Tavily" };

function refusedKey(provider: WebSearchProvider, status: number): string {
  if (provider === "searxng") {
    return `SearXNG answered ${status}: its settings must allow the format json. Tell the user; an administrator can change it.`;
  }
  return `${NAMES[provider]} refused the key (${status}). Tell the user: an administrator can change it under Settings, Web search.`;
}

function callOf(access: SearchAccess, baseUrl: string, query: string, limit: number) {
  const headers = { accept: "application/json" };
  const asked = encodeURIComponent(query);
  switch (access.provider) {
    case "searxng":
      return { method: "GET" as const, url: `${baseUrl}/search?q=${asked}&format=json`, headers };
    case "brave":
      return {
        method: "GET" as const,
        url: `${baseUrl}/res/v1/web/search?q=${asked}&count=${limit}`,
        headers: { ...headers, "x-subscription-token": access.apiKey },
      };
    case "tavily":
      return {
        method: "POST" as const,
        url: `${baseUrl}/search`,
        headers: { ...headers, "content-type": "application/json", authorization: `Bearer ${access.apiKey}` },
        body: JSON.stringify({ query, max_results: limit }),
      };
  }
}

const text = z.string().nullish();
const Hit = z.object({ title: text, url: z.string(), content: text, description: text });
const Dated = Hit.extend({ publishedDate: text, published_date: text, page_age: text });
const Hits = z.array(z.unknown()).transform((hits) => hits.flatMap((hit) => Dated.safeParse(hit).data ?? []));
const Reply = z.union([
  z.object({ web: z.object({ results: Hits }) }).transform(({ web }) => web.results),
  z.object({ results: Hits }).transform(({ results }) => results),
  // Brave omits result groups it has not found.
  z.object({ type: z.literal("search") }).transform(() => []),
]);

function read(provider: WebSearchProvider, answer: string): SearchHit[] {
  const parsed = Reply.safeParse(parseJson(answer));
  if (!parsed.success)
    throw new OutgoingRequestRefused(`${NAMES[provider]} answered with something that is no list of results.`);
  return parsed.data.filter(isWebPage).map((hit) => {
    const date = hit.publishedDate ?? hit.published_date ?? hit.page_age;
    return {
      title: plain(hit.title ?? hit.url),
      url: hit.url,
      snippet: plain(hit.content ?? hit.description ?? ""),
      ...(date ? { date } : {}),
    };
  });
}

function parseJson(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return null;
  }
}

function isWebPage({ url }: { readonly url: string }): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/** Strips the tags with which Brave highlights the searched words. */
function plain(value: string): string {
  const line = value
    .replace(/<\/?strong>/g, "")
    .replace(/\s+/g, " ")
    .trim();
  return line.length > SNIPPET_CHARS ? `${line.slice(0, SNIPPET_CHARS).toWellFormed()}…` : line;
}
