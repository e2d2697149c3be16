import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { networkCause } from "./failures/network-cause";
import { visibleAddress } from "./failures/redact";
import { redirectTarget } from "./failures/redirect-target";
import type { ProviderConnection, RemoteProviderId } from "./provider-settings";

const LIMIT_MS = 10_000;

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

/** The models that a provider lists, in its own order. Throws AppError with the cause. */
export async function fetchModelNames(
  provider: RemoteProviderId,
  { apiKey, baseUrl }: ProviderConnection & { readonly baseUrl: string },
): Promise<string[]> {
  const url = `${baseUrl.replace(/\/+$/, "")}/models${provider === "google" ? "?pageSize=1000" : ""}`;
  let body: unknown;
  try {
    const signal = AbortSignal.timeout(LIMIT_MS);
    const response = await fetch(url, { headers: keyHeaders(provider, apiKey), signal, redirect: "manual" });
    const target = redirectTarget(response.status, response.headers.get("location"), url);
    if (target !== null) {
      throw unlisted(provider, baseUrl, `it redirects to ${target}. If that is where its API is, set that address`);
    }
    if (!response.ok) throw unlisted(provider, baseUrl, `it answered ${response.status}`);
    body = await response.json();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unlisted(provider, baseUrl, reasonOf(error), error);
  }
  const parsed = (provider === "google" ? GoogleList : OpenAiList).safeParse(body);
  if (!parsed.success) throw unlisted(provider, baseUrl, "its answer is not a list of models", parsed.error);
  return parsed.data;
}

function keyHeaders(provider: RemoteProviderId, apiKey: string | null): Record<string, string> {
  if (apiKey === null) return {};
  if (provider === "anthropic") return { "x-api-key": apiKey, "anthropic-version": "2023-06-01" };
  if (provider === "google") return { "x-goog-api-key": apiKey };
  return { authorization: `Bearer ${apiKey}` };
}

function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === "TimeoutError") return `no answer within ${LIMIT_MS / 1_000} s`;
  return networkCause(error) ?? "its answer is not JSON";
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
