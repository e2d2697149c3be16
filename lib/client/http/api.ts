import type { z } from "zod";
import { PartGone } from "./load-with-retry";
import { noteServerDate } from "./server-clock";

// Read without a schema: every page includes this module, and schemas make up a seventh of the start page's scripts.

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly details?: unknown;
}

function refusalIn(body: unknown): Refusal | null {
  const error = isRecord(body) ? body.error : null;
  if (!isRecord(error) || typeof error.code !== "string" || typeof error.message !== "string") return null;
  return { code: error.code, message: error.message, details: error.details };
}

function isFieldProblem(value: unknown): value is { readonly path: string; readonly message: string } {
  return isRecord(value) && typeof value.path === "string" && typeof value.message === "string";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** A refusal by the server, or no response (`code` "unreachable", status 0). `message` is for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details?: unknown;

  constructor(message: string, status: number, code: string, requestId: string | null, details?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }

  /** The problem of each field, by its dotted path; empty if the server named none. */
  get problems(): ReadonlyMap<string, string> {
    const found = Array.isArray(this.details) && this.details.every(isFieldProblem) ? this.details : [];
    return new Map(found.map(({ path, message }) => [path, message]));
  }
}

const SILENT = "The server does not answer. Check that it is running, then try again.";
const OFFLINE = "You are offline. Reconnect, then try again.";

export interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON; a form is sent unchanged. */
  readonly body?: unknown;
  /** Sent unchanged, instead of a body. */
  readonly file?: File;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/**
 * Calls one of the server's own routes. Throws ApiError if the server refuses or does not respond; an abort rejects as
 * in fetch.
 */
export async function callApi(path: string, options: CallOptions = {}): Promise<Response> {
  const { method = "GET", body, file, headers = {}, signal } = options;
  const type: Record<string, string> =
    file || body === undefined || body instanceof FormData ? {} : { "content-type": "application/json" };
  const init = {
    method,
    headers: { accept: "application/json", ...type, ...headers },
    body: file ?? (body === undefined || body instanceof FormData ? body : JSON.stringify(body)),
    signal,
  };
  const reply = await fetch(path, init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw unreachable();
  });
  noteServerDate(reply.headers.get("date"));
  if (reply.ok) return reply;
  throw await toApiError(reply);
}

/** The same for a JSON reply, parsed. A schema loaded while the server responds stays out of a page's first scripts. */
export async function callJson<Schema extends z.ZodType>(
  schema: Schema | (() => Promise<Schema>),
  path: string,
  options: CallOptions = {},
): Promise<z.output<Schema>> {
  const [reply, loaded] = await Promise.all([callApi(path, options), typeof schema === "function" ? schema() : schema]);
  return loaded.parse(await reply.json());
}

/** `?a=1&b=2` of the set values; null, undefined, false and empty text are omitted. */
export function queryString(values: Record<string, string | number | boolean | null | undefined>): string {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== false);
  const search = new URLSearchParams(
    set.filter(([, value]) => value !== "").map(([name, value]) => [name, String(value)]),
  );
  return search.size === 0 ? "" : `?${search}`;
}

/** No response arrived. */
export function unreachable(): ApiError {
  return new ApiError(globalThis.navigator?.onLine === false ? OFFLINE : SILENT, 0, "unreachable", null);
}

/** The ApiError for a refusal by the server. */
export async function toApiError(reply: Response): Promise<ApiError> {
  const requestId = reply.headers.get("x-request-id");
  const refusal = refusalIn(await reply.json().catch(() => null));
  if (refusal === null) {
    return new ApiError(`The server answered ${reply.status}.`, reply.status, `http_${reply.status}`, requestId);
  }
  return new ApiError(refusal.message, reply.status, refusal.code, requestId, refusal.details);
}

/** The message to show a person for any thrown value. */
export function errorMessage(error: unknown): string {
  const isForPeople = error instanceof ApiError || error instanceof PartGone;
  return isForPeople ? error.message : "Something went wrong on this page. Reload it and try again.";
}
