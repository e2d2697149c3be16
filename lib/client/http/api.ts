import { z } from "zod";
import { noteServerDate } from "./server-clock";

const ErrorBody = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }),
});

const FieldProblems = z.array(z.object({ path: z.string(), message: z.string() }));

/** A refusal of the server, or its silence (`code` "unreachable", status 0). `message` is for people. */
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

  /** What is wrong with each field, by its dotted path; empty when the server did not say. */
  get problems(): ReadonlyMap<string, string> {
    const found = FieldProblems.safeParse(this.details);
    return new Map(found.success ? found.data.map(({ path, message }) => [path, message]) : []);
  }
}

const SILENT = "The server does not answer. Check that it is running, then try again.";
const OFFLINE = "You are offline. Reconnect, then try again.";

export interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON; a form goes as it is. */
  readonly body?: unknown;
  /** Sent as it is, instead of a body. */
  readonly file?: File;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Calls one of the server's own routes. Throws ApiError for a refusal or silence; an abort rejects as fetch does. */
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

/** The same for a JSON reply, parsed. */
export async function callJson<Schema extends z.ZodType>(
  schema: Schema,
  path: string,
  options: CallOptions = {},
): Promise<z.output<Schema>> {
  const reply = await callApi(path, options);
  return schema.parse(await reply.json());
}

/** `?a=1&b=2` of what is set; nothing for null, undefined, false and empty text. */
export function queryString(values: Record<string, string | number | boolean | null | undefined>): string {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== false);
  const search = new URLSearchParams(
    set.filter(([, value]) => value !== "").map(([name, value]) => [name, String(value)]),
  );
  return search.size === 0 ? "" : `?${search}`;
}

/** No answer came. */
export function unreachable(): ApiError {
  return new ApiError(globalThis.navigator?.onLine === false ? OFFLINE : SILENT, 0, "unreachable", null);
}

/** What a refusal of the server says. */
export async function toApiError(reply: Response): Promise<ApiError> {
  const requestId = reply.headers.get("x-request-id");
  const found = ErrorBody.safeParse(await reply.json().catch(() => null));
  if (!found.success) {
    return new ApiError(`The server answered ${reply.status}.`, reply.status, `http_${reply.status}`, requestId);
  }
  const { code, message, details } = found.data.error;
  return new ApiError(message, reply.status, code, requestId, details);
}

/** What to tell a person about any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : "Something went wrong on this page. Reload it and try again.";
}
