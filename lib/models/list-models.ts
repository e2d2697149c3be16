import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { networkCause } from "./failures/network-cause";
import { visibleAddress } from "./failures/redact";
import { redirectTarget } from "./failures/redirect-target";
import type { RemoteProviderId } from "./provider-settings";

const LIMIT_MS = 10_000;
/** The longest known list has a few hundred thousand characters. */
const MAX_BYTES = 8_000_000;
const CHECK_ADDRESS = "Check that it is running and that the address is right";

const OpenAiList = z
  .object({ data: z.array(z.object({ id: z.string() })) })
  .transform(({ data }) => data.map((model) => model.id));
const GoogleList = z
  .object({
    models: z.array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).optional() })),
  })
  .transform(({ models }) =>
    models
      .filter((model) => model.supportedGenerationMethods?.includes("generateContent") ?? true)
      .map((model) => model.name.replace(/^models\//, "")),
  );

interface Listing {
  /** The provider's id, for messages. */
  readonly name: string;
  readonly apiKey: string | null;
  readonly baseUrl: string;
  /** Removes every configured key from a text. */
  redact(text: string): string;
}

/** The models a provider lists, in its own order. Throws AppError with the cause. */
export async function fetchModelNames(kind: RemoteProviderId, listing: Listing): Promise<string[]> {
  const { name, apiKey, baseUrl, redact } = listing;
  const url = `${baseUrl.replace(/\/+$/, "")}/models${kind === "google" ? "?pageSize=1000" : ""}`;
  const signal = AbortSignal.timeout(LIMIT_MS);
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
  const parsed = (kind === "google" ? GoogleList : OpenAiList).safeParse(body);
  if (!parsed.success) throw unlisted(name, baseUrl, "its answer is not a list of models", parsed.error);
  return parsed.data;
}

const Refusal = z.object({ error: z.object({ message: z.string() }) });
const LONGEST_WORDS = 300;

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

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The status, the remedy, and the provider's own message. */
async function refusal(response: Response): Promise<string> {
  const said = Refusal.safeParse(readJson((await readAtMost(response, MAX_BYTES).catch(() => null)) ?? ""));
  const advice = response.status === 401 || response.status === 403 ? ". Check its key" : "";
  const words = said.success ? ` It said: "${said.data.error.message.slice(0, LONGEST_WORDS)}"` : "";
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
