import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { trimEndOf } from "@/lib/schema/trim-characters";
import { networkCause } from "./failures/network-cause";
import { findMessage } from "./failures/provider-message";
import { visibleAddress } from "./failures/redact";
import { redirectTarget } from "./failures/redirect-target";
import type { RemoteProviderId } from "./provider-settings";
import { readModelList } from "./read-model-list";

const LIMIT_MS = 10_000;
/** The longest known list has a few hundred thousand characters. */
const MAX_BYTES = 8_000_000;
const CHECK_ADDRESS = "Check that it is running and that the address is right";

interface Listing {
  /** The provider's id, for messages. */
  readonly name: string;
  readonly apiKey: string | null;
  readonly baseUrl: string;
  /** Removes every configured key from a text. */
  redact(text: string): string;
}

const MOST_PAGES = 20;

/** The models a provider lists, in its own order. Throws AppError with the cause. */
export async function fetchModelNames(kind: RemoteProviderId, listing: Listing): Promise<string[]> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  const names = new Set<string>();
  let address: string | null = listAddress(kind, listing.baseUrl);
  for (let page = 0; page < MOST_PAGES && address !== null; page += 1) {
    const body = await fetchPage(kind, listing, { url: address, signal });
    const known = names.size;
    for (const name of namesIn(kind, listing, body)) names.add(name);
    // A server that takes no cursor answers with the same page again.
    address = names.size > known ? nextAddress(kind, address, body) : null;
  }
  return [...names];
}

const Page = z.object({
  nextPageToken: z.string().min(1).optional().catch(undefined),
  has_more: z.boolean().optional().catch(undefined),
  last_id: z.string().min(1).optional().catch(undefined),
});

/** Null behind the last page. */
function nextAddress(kind: RemoteProviderId, address: string, body: unknown): string | null {
  const { nextPageToken, has_more: hasMore, last_id: lastId } = Page.safeParse(body).data ?? {};
  const next = new URL(address);
  if (nextPageToken !== undefined) next.searchParams.set("pageToken", nextPageToken);
  else if (hasMore && lastId !== undefined) {
    next.searchParams.set(kind === "anthropic" ? "after_id" : "after", lastId);
  } else return null;
  return next.href;
}

interface PageRequest {
  readonly url: string;
  readonly signal: AbortSignal;
}

async function fetchPage(kind: RemoteProviderId, listing: Listing, { url, signal }: PageRequest): Promise<unknown> {
  const { name, apiKey, baseUrl, redact } = listing;
  const ask = () => fetch(url, { headers: keyHeaders(kind, apiKey), signal, redirect: "manual" });
  const response = await ask().catch((error: unknown) => {
    throw unlisted(name, baseUrl, redact(`${reasonOf(error)}. ${CHECK_ADDRESS}`), error);
  });
  const target = redirectTarget(response.status, response.headers.get("location"), url);
  if (target !== null) {
    throw unlisted(name, baseUrl, `it redirects to ${target}. If that is where its API is, set that address`);
  }
  if (!response.ok) throw unlisted(name, baseUrl, redact(await refusal(response)));
  const text = await readAtMost(response, MAX_BYTES).catch((error: unknown) => {
    throw unlisted(name, baseUrl, redact(`${reasonOf(error)}. ${CHECK_ADDRESS}`), error);
  });
  if (text === null) {
    throw unlisted(name, baseUrl, "its answer is longer than 8 MB. Check that this is the address of its API");
  }
  const body = readJson(text);
  if (body === undefined) {
    throw unlisted(name, baseUrl, "its answer is not JSON. Check that this is the address of its API");
  }
  return body;
}

function namesIn(kind: RemoteProviderId, { name, baseUrl, redact }: Listing, body: unknown): string[] {
  const names = readModelList(kind, body);
  if (names !== undefined) return names;
  const words = redact(findMessage(body)).slice(0, MAX_MESSAGE_CHARS);
  throw unlisted(name, baseUrl, `its answer is not a list of models${words === "" ? "" : `. It said: "${words}"`}`);
}

const MAX_MESSAGE_CHARS = 300;

/** Without it, Anthropic lists 20 models. */
const PAGE_SIZES: Readonly<Partial<Record<RemoteProviderId, string>>> = {
  anthropic: "limit=1000",
  google: "pageSize=1000",
};

/** A query, such as Azure's `api-version`, stays at the end. */
function listAddress(kind: RemoteProviderId, baseUrl: string): string {
  const [path = "", query = PAGE_SIZES[kind]] = baseUrl.split("?", 2);
  return `${trimEndOf(path, /\//)}/models${query === undefined ? "" : `?${query}`}`;
}

/** Null if the body is longer; the rest is not read. */
async function readAtMost({ body }: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** JSON, also one value per line and after a byte order mark. */
function readJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "").trim();
  if (plain === "") return undefined;
  return parsed(plain) ?? parsed(`[${plain.split(/\r?\n/).join(",")}]`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The status, the remedy, and the provider's own message. */
async function refusal(response: Response): Promise<string> {
  const said = findMessage((await readAtMost(response, MAX_BYTES).catch(() => null)) ?? "").slice(0, MAX_MESSAGE_CHARS);
  const advice = response.status === 401 || response.status === 403 ? ". Check its key" : "";
  const words = said === "" ? "" : ` It said: "${said}"`;
  return `it answered ${response.status}${advice}${words === "" ? "" : `.${words}`}`;
}

function keyHeaders(kind: RemoteProviderId, apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {};
  if (kind === "anthropic") return { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  if (kind === "google") return { "x-goog-api-key": apiKey };
  return { authorization: `Bearer ${apiKey}` };
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return `no answer within ${LIMIT_MS / 1_000} s`;
  return networkCause(error) ?? "it can't be reached";
}

function unlisted(provider: string, baseUrl: string, cause: string, error?: unknown): AppError {
  return new AppError(
    "model_failed",
    `Cannot list the models of ${provider} at ${visibleAddress(baseUrl)}: ${cause}.`,
    {
      cause: error,
    },
  );
}
