import { APICallError } from "@ai-sdk/provider";
import type { CallTimeouts, ExceededLimit } from "@/lib/models/call-limits";
import { networkCause } from "./network-cause";
import { ProviderFailure } from "./provider-failure";
import { redirectTarget } from "./redirect-target";
import { readRetryAfter } from "./retry-after";

/** The provider and model that an error is about, as named in messages. */
export interface ProviderIdentity {
  readonly provider: string;
  readonly model: string;
  /** Shown if the provider is unreachable or its response is invalid. */
  readonly baseUrl: string;
  /** The source of the key, for example `OPENAI_API_KEY`. */
  readonly keySource: string;
  /** Removes every configured key from a text. */
  redact(text: string): string;
}

interface ProviderAnswer {
  readonly status: number | undefined;
  readonly message: string;
  readonly kind: string;
  readonly retryAfterMs: number | undefined;
  /** The target of the redirect. */
  readonly target: string | null;
}

const RETRYABLE_STATUSES = new Set([408, 409, 429]);
const CONTEXT_TOO_LONG =
  /context[ _-]?(length|window|size)|prompt is too long|too many (input )?tokens|input token count|maximum (prompt|input) length|exceed\w* .{0,40}tokens/i;
const NO_CREDIT = /insufficient_quota|credit balance|billing|payment required/i;
const NO_TOOLS = /does not support (tools|function)|tool use is not supported|no endpoints found that support tool/i;

/** Describes for people why an attempt failed; passes on errors that are already described. */
export function describeFailure(identity: ProviderIdentity, error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  const answer = readAnswer(error);
  if (answer.status !== undefined) return describeAnswer(identity, answer, error);
  const cause = networkCause(error);
  if (cause) return describeNetwork(identity, cause, error);
  if (hasName(error, "AI_TypeValidationError") || hasName(error, "AI_InvalidResponseDataError")) {
    return describeMalformed(identity, error);
  }
  if (hasName(error, "AI_JSONParseError")) {
    const message = `The provider ${identity.provider} sent something that is not a valid stream: the reply broke off.`;
    return new ProviderFailure("model_failed", `${message} ${hint(identity)}`, { cause: error, retryable: true });
  }
  const text = `The provider ${identity.provider} failed.${said(identity, answer.message)}`;
  return new ProviderFailure("model_failed", text, { cause: error, retryable: isMarkedRetryable(error) });
}

export function describeTimeout(
  identity: ProviderIdentity,
  exceeded: ExceededLimit,
  timeouts: CallTimeouts,
): ProviderFailure {
  const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`;
  const name = `${identity.provider}:${identity.model}`;
  const message =
    exceeded === "idle_ms"
      ? `The model ${name} sent nothing for ${seconds(timeouts.idle_ms)} (timeouts.idle_ms).`
      : `The model ${name} did not finish within ${seconds(timeouts.model_ms)} (timeouts.model_ms).`;
  return new ProviderFailure("timeout", message, { retryable: exceeded === "idle_ms" });
}

/**
 * Describes a stream that ended without a finish reason: cut in transit, or not a stream at all but `notStream` (a
 * content type).
 */
export function describeBrokenStream(
  identity: ProviderIdentity,
  { notStream }: { readonly notStream?: string },
): ProviderFailure {
  if (notStream !== undefined) {
    const message = `The provider ${identity.provider} answered with ${notStream} instead of a stream.`;
    return new ProviderFailure("model_failed", `${message} ${hint(identity)}`, { retryable: false });
  }
  const message = `The reply of ${identity.provider}:${identity.model} broke off before it was complete.`;
  return new ProviderFailure("model_failed", message, { retryable: true });
}

function describeAnswer(identity: ProviderIdentity, answer: ProviderAnswer, cause: unknown): ProviderFailure {
  const status = answer.status ?? 500;
  const noCredit = status === 402 || NO_CREDIT.test(`${answer.kind} ${answer.message}`);
  const retryable = !noCredit && (RETRYABLE_STATUSES.has(status) || status >= 500);
  const code = status === 408 || status === 504 ? "timeout" : "model_failed";
  const sentence = noCredit
    ? `The account at the provider ${identity.provider} has no credit left (${status}). Check its billing.`
    : sentenceFor(identity, status, answer);
  const text = `${sentence}${said(identity, answer.message)}`;
  return new ProviderFailure(code, text, { cause, retryable, retryAfterMs: answer.retryAfterMs });
}

function sentenceFor(
  { provider, model, keySource, baseUrl }: ProviderIdentity,
  status: number,
  answer: ProviderAnswer,
) {
  if (answer.target !== null) {
    return `The provider ${provider} redirects to ${answer.target} (${status}). Nothing was sent there: if that is where its API is, set that as its address instead of ${baseUrl}.`;
  }
  const explained = `${answer.kind} ${answer.message}`;
  if (CONTEXT_TOO_LONG.test(explained) && status < 500 && status !== 429) {
    return `The conversation is too long for ${provider}:${model} (${status}). Start a new thread, or choose a model with a larger context window.`;
  }
  if (NO_TOOLS.test(explained))
    return `The model ${provider}:${model} can't call tools (${status}). Choose another one.`;
  switch (status) {
    case 401:
      return `The provider ${provider} refused the API key (401). Check ${keySource}.`;
    case 403:
      return `The provider ${provider} refused access to ${model} (403). Check that ${keySource} may use it.`;
    case 404:
      return `The provider ${provider} does not know the model ${model} (404). Check the model name and the address ${baseUrl}.`;
    case 408:
    case 504:
      return `The provider ${provider} timed out (${status}).`;
    case 413:
      return `The request is too large for ${provider}:${model} (413). Start a new thread or send less.`;
    case 429:
      return `The provider ${provider} is limiting how often it can be called (429).${waitNotice(answer.retryAfterMs)}`;
    case 503:
    case 529:
      return `The provider ${provider} is overloaded (${status}).${waitNotice(answer.retryAfterMs)}`;
  }
  if (status >= 500) return `The provider ${provider} had an internal error (${status}).`;
  return `The provider ${provider} rejected the request (${status}).`;
}

function describeNetwork(identity: ProviderIdentity, cause: string, error: unknown): ProviderFailure {
  const { provider, baseUrl } = identity;
  const started = APICallError.isInstance(error) && error.statusCode !== undefined;
  const message = started
    ? `The connection to the provider ${provider} broke off in the middle of the reply: ${cause}.`
    : `Cannot reach the provider ${provider} at ${baseUrl}: ${cause}. Check that it is running and that the address is right.`;
  return new ProviderFailure("model_failed", identity.redact(message), { cause: error, retryable: true });
}

function describeMalformed(identity: ProviderIdentity, error: unknown): ProviderFailure {
  const message = `The provider ${identity.provider} sent a reply in an unexpected format (wrong types or missing fields).`;
  const cut = error instanceof Error && error.message.includes("without a finish reason");
  if (cut) return describeBrokenStream(identity, {});
  return new ProviderFailure("model_failed", `${message} ${hint(identity)}`, { cause: error, retryable: false });
}

function waitNotice(retryAfterMs: number | undefined): string {
  return retryAfterMs === undefined ? "" : ` It asks to wait ${Math.ceil(retryAfterMs / 1_000)} s.`;
}

function hint({ baseUrl }: ProviderIdentity): string {
  return `Check that ${baseUrl} is the address of its API.`;
}

function said(identity: ProviderIdentity, message: string): string {
  const text = identity.redact(message.replace(/\s+/g, " ").trim()).slice(0, 500);
  if (text === "") return "";
  return ` It said: "${text}"${/[.!?]$/.test(text) ? "" : "."}`;
}

/** Reads an HTTP error, or an error inside a stream (`{message, code, type, statusCode?}`). */
function readAnswer(error: unknown): ProviderAnswer {
  const fields = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  const kind = [fields.type, fields.code].filter((value) => typeof value === "string").join(" ");
  const message = typeof fields.message === "string" ? fields.message : String(error);
  if (APICallError.isInstance(error)) {
    const network = networkCause(error) !== undefined;
    const status = network || error.statusCode === 200 ? undefined : error.statusCode;
    const body = error.responseBody?.slice(0, 2_000) ?? "";
    const target = redirectTarget(status, error.responseHeaders?.location, error.url);
    return { status, message: message || body, kind: body, retryAfterMs: readRetryAfter(error), target };
  }
  if (error instanceof Error) return { status: undefined, message, kind, retryAfterMs: undefined, target: null };
  const status = streamErrorStatus(fields, `${kind} ${message}`);
  return { status, message, kind, retryAfterMs: undefined, target: null };
}

const STATUS_WORDS: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|insufficient_quota|too many requests|resource_exhausted/i, 429],
  [/overload|unavailable/i, 529],
  [/authentication|invalid_api_key|unauthorized/i, 401],
  [/permission/i, 403],
  [/not_found|model.{0,40}not found/i, 404],
  [/invalid|bad_request|context_length/i, 400],
  [/timeout|timed out/i, 504],
];

function streamErrorStatus(fields: Record<string, unknown>, words: string): number {
  for (const value of [fields.statusCode, fields.status, fields.code]) {
    const status = Number(value);
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  return STATUS_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 500;
}

function isMarkedRetryable(error: unknown): boolean {
  return APICallError.isInstance(error) && error.isRetryable;
}

function hasName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
