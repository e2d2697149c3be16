import { APICallError } from "@ai-sdk/provider";
import { estimateRequest } from "@/lib/agent/messages/estimate-tokens";
import type { ModelRequest } from "@/lib/agent/model";
import type { CallTimeouts, ExceededLimit } from "@/lib/models/call-limits";
import type { FailureCause } from "@/lib/schema/runs/run";
import { networkCause } from "./network-cause";
import { ProviderFailure, type RefusalMeaning } from "./provider-failure";
import { findMessage, findStatedMessage } from "./provider-message";
import { redirectTarget } from "./redirect-target";
import { hasNoCredit, hasNoTools, isAboveRate, isRateLimit, isTooLong } from "./refusal-kinds";
import { refusedTool } from "./refused-tool";
import { readRetryAfter, statedWait } from "./retry-after";
import { statedLength } from "./stated-length";
import { ReplyCut, UnreadableReply } from "./unreadable-reply";

/** Of what stands in the place of a reply, such as the page of a sign-in. */
const MAX_PAGE_CHARS = 200;

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
  /** The tool that the provider refuses. */
  readonly tool?: string | undefined;
  /** What was refused. */
  readonly request?: ModelRequest;
  readonly status: number | undefined;
  /** The provider's own words. */
  readonly message: string;
  /** Codes and types, with the words: what an answer is recognised by. */
  readonly kind: string;
  readonly retryAfterMs: number | undefined;
  /** The target of the redirect. */
  readonly target: string | null;
}

const RETRYABLE_STATUSES = new Set([408, 409, 429]);

/** Describes for people why an attempt failed; passes on errors that are already described. */
export function describeFailure(identity: ProviderIdentity, error: unknown, request: ModelRequest): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  // A reply above its limits is stopped while it is read.
  if (error instanceof ReplyCut && error.cause instanceof ProviderFailure) return error.cause;
  if (error instanceof UnreadableReply) return describeUnreadable(identity, error);
  const answer = readAnswer(error);
  if (answer.status !== undefined) {
    const tool = refusedTool({ status: answer.status, text: answer.kind }, request.tools);
    const asked = { ...answer, tool, request };
    return describeAnswer(identity, asked, error);
  }
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

interface BrokenStream {
  /** The content type of what is not a stream at all. */
  readonly notStream?: string;
  /** How that begins. */
  readonly beginning?: string;
}

/** Describes a stream that ended without a finish reason: cut in transit, or something else, such as a web page. */
export function describeBrokenStream(
  identity: ProviderIdentity,
  { notStream, beginning = "" }: BrokenStream,
): ProviderFailure {
  if (notStream !== undefined) {
    const message = `The provider ${identity.provider} answered with ${notStream}${quoted(identity, beginning)} instead of a stream.`;
    return new ProviderFailure("model_failed", `${message} ${hint(identity)}`, { retryable: false });
  }
  const message = `The reply of ${identity.provider}:${identity.model} broke off before it was complete.`;
  return new ProviderFailure("model_failed", message, { retryable: true });
}

function describeUnreadable(identity: ProviderIdentity, { contentType, beginning }: UnreadableReply): ProviderFailure {
  const isStream = contentType === null || contentType.includes("event-stream");
  if (beginning.trim() !== "" && !isStream)
    return describeBrokenStream(identity, { notStream: contentType, beginning });
  const found = quoted(identity, beginning);
  const message = `The provider ${identity.provider} sent something that is not a valid stream${found}: the reply broke off.`;
  return new ProviderFailure("model_failed", `${message} ${hint(identity)}`, { retryable: true });
}

function quoted(identity: ProviderIdentity, text: string): string {
  const words = identity.redact(findStatedMessage(text)).slice(0, MAX_PAGE_CHARS);
  return words === "" ? "" : ` (“${words}”)`;
}

function meaningOf({ kind, status = 500, target, retryAfterMs }: ProviderAnswer): RefusalMeaning {
  if (target !== null) return "other";
  const noCredit = hasNoCredit(kind, status);
  if (isRateLimit(kind, status)) return noCredit && retryAfterMs === undefined ? "no credit" : "rate";
  if (noCredit) return status === 429 && retryAfterMs !== undefined ? "rate" : "no credit";
  return status !== 429 && isTooLong(kind, status) ? "too long" : "other";
}

function describeAnswer(identity: ProviderIdentity, answer: ProviderAnswer, cause: unknown): ProviderFailure {
  const { status = 500, retryAfterMs } = answer;
  const meaning = meaningOf(answer);
  const isTemporary = {
    rate: !isAboveRate(answer.kind),
    "no credit": false,
    "too long": false,
    other: RETRYABLE_STATUSES.has(status) || status >= 500,
  };
  const code = status === 408 || status === 504 ? "timeout" : "model_failed";
  const text = `${sentenceOf(meaning, identity, answer)}${said(identity, answer.message)}`;
  const refusal = { status, meaning, words: identity.redact(answer.message), tool: answer.tool };
  return new ProviderFailure(code, text, {
    cause,
    retryable: isTemporary[meaning],
    retryAfterMs,
    refusal,
    failure: causeOf(meaning, identity, answer),
  });
}

const CAUSES: Readonly<Record<number, FailureCause["kind"]>> = {
  401: "key_refused",
  403: "access_refused",
  404: "unknown_model",
  413: "too_large",
};

function causeOf(
  meaning: RefusalMeaning,
  { provider }: ProviderIdentity,
  { status = 500, target, tool, kind: words }: ProviderAnswer,
): FailureCause | undefined {
  if (meaning === "too long") return { kind: "too_long", provider };
  const isAboutOther = meaning !== "other" || target !== null || tool !== undefined || hasNoTools(words);
  const kind = isAboutOther ? undefined : CAUSES[status];
  return kind === undefined ? undefined : { kind, provider };
}

function sentenceOf(meaning: RefusalMeaning, identity: ProviderIdentity, answer: ProviderAnswer): string {
  const { status = 500 } = answer;
  switch (meaning) {
    case "rate":
      return describeRate(identity, status, answer);
    case "no credit":
      return `The account at the provider ${identity.provider} has no credit left (${status}). Check its billing.`;
    case "too long":
      return describeTooLong(identity, status, answer);
    default:
      return sentenceFor(identity, status, answer);
  }
}

function describeTooLong({ provider, model }: ProviderIdentity, status: number, answer: ProviderAnswer): string {
  const cause = `The conversation is too long for ${provider}:${model} (${status}).`;
  const remedies = "Shorten it with /compact, start a new thread, or choose a model with a larger context window.";
  return `${cause} ${lengthNotice(answer)} ${remedies}`;
}

/** Tokens of a character, where the provider does not count. */
const CHARS_PER_TOKEN = 4;

function lengthNotice({ message, request }: ProviderAnswer): string {
  const { sentTokens, limitTokens } = statedLength(message);
  const estimated = request === undefined ? 0 : estimateRequest(request, CHARS_PER_TOKEN);
  const count = (tokens: number) => tokens.toLocaleString("en-US");
  const length = sentTokens ? count(sentTokens) : `about ${count(estimated)}`;
  if (limitTokens === undefined) return `It has ${length} tokens.`;
  const offer = "An administrator can make that its context window under Admin, Models.";
  // An estimate below the limit would contradict the refusal.
  if (!sentTokens && estimated < limitTokens) return `The model takes ${count(limitTokens)} tokens. ${offer}`;
  return `It has ${length} tokens, and the model takes ${count(limitTokens)}. ${offer}`;
}

function describeRate({ provider }: ProviderIdentity, status: number, { kind, retryAfterMs }: ProviderAnswer): string {
  const limit = `The provider ${provider} is limiting how often it can be called (${status}).`;
  if (isAboveRate(kind)) {
    return `${limit} This request alone is above its limit: lower max_tokens, or raise the limit at the provider.`;
  }
  return `${limit}${waitNotice(retryAfterMs)}`;
}

function sentenceFor(
  { provider, model, keySource, baseUrl }: ProviderIdentity,
  status: number,
  answer: ProviderAnswer,
) {
  if (answer.target !== null) {
    return `The provider ${provider} redirects to ${answer.target} (${status}). Nothing was sent there: if that is where its API is, set that as its address instead of ${baseUrl}.`;
  }
  if (answer.tool !== undefined) {
    return `The provider ${provider} does not accept the tool ${answer.tool} (${status}). Switch it off for this agent, or choose another model.`;
  }
  if (hasNoTools(answer.kind))
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
  const started = error instanceof ReplyCut || (APICallError.isInstance(error) && error.statusCode !== undefined);
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

/** Reads an HTTP error, or an error inside a stream: any JSON, or text. */
function readAnswer(error: unknown): ProviderAnswer {
  if (APICallError.isInstance(error)) return readHttpAnswer(error);
  const kind = codesOf(error);
  if (error instanceof Error) {
    return { status: undefined, message: error.message, kind, retryAfterMs: undefined, target: null };
  }
  const message = findMessage(error);
  const explained = `${kind} ${message}`;
  const retryAfterMs = statedWait(message);
  return { status: streamErrorStatus(error, explained), message, kind: explained, retryAfterMs, target: null };
}

function readHttpAnswer(error: APICallError): ProviderAnswer {
  const network = networkCause(error) !== undefined;
  const status = network || error.statusCode === 200 ? undefined : error.statusCode;
  const body = error.responseBody ?? "";
  const message = findMessage(body) || error.message;
  const target = redirectTarget(status, error.responseHeaders?.location, error.url);
  const retryAfterMs = readRetryAfter(error) ?? statedWait(message);
  return { status, message, kind: `${body.slice(0, 2_000)} ${message}`, retryAfterMs, target };
}

const STATUS_PATTERNS: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|insufficient_quota|too many requests|resource_exhausted/i, 429],
  [/overload|unavailable|capacity/i, 529],
  [/authentication|invalid_api_key|unauthorized/i, 401],
  [/permission/i, 403],
  [/not_found|model.{0,40}not found/i, 404],
  [/invalid|bad_?request|context_length/i, 400],
  [/timeout|timed out/i, 504],
];
const STATUS_FIELDS = ["statusCode", "status", "status_code", "code", "error_code", "raw_status_code"];

function streamErrorStatus(error: unknown, words: string): number {
  for (const value of valuesOf(error, STATUS_FIELDS)) {
    const status = Number(value);
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  return STATUS_PATTERNS.find(([pattern]) => pattern.test(words))?.[1] ?? 500;
}

/** The texts by which an error is classified. */
function codesOf(error: unknown): string {
  return valuesOf(error, ["type", "code", "status"])
    .filter((value) => typeof value === "string")
    .join(" ");
}

/** The values of these fields in the error, or in the one that it wraps. */
function valuesOf(error: unknown, fields: readonly string[]): unknown[] {
  if (Array.isArray(error)) return valuesOf(error[0], fields);
  if (typeof error !== "object" || error === null) return [];
  const given = error as Readonly<Record<string, unknown>>;
  return [...fields.map((field) => given[field]), ...("error" in given ? valuesOf(given.error, fields) : [])];
}

function isMarkedRetryable(error: unknown): boolean {
  return APICallError.isInstance(error) && error.isRetryable;
}

function hasName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
