import { z } from "zod";
import { noteServerDate } from "./server-clock";

const ErrorBody = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }),
});

const FieldProblems = z.array(z.object({ path: z.string(), message: z.string() }));

/** A refusal of the server, or its silence (`code` "unreachable", status 0). `message` is for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly requestId: string | null,
    readonly details?: unknown,
  ) {
    super(message);
  }

  /** What is wrong with each field, by its dotted path; empty when the server did not say. */
  get problems(): ReadonlyMap<string, string> {
    const found = FieldProblems.safeParse(this.details);
    return new Map(found.success ? found.data.map(({ path, message }) => [path, message]) : []);
  }
}

/** Calls one of the server's own routes. Throws ApiError for a refusal or silence; an abort rejects as fetch does. */
export async function callApi(path: string, init: RequestInit = {}): Promise<Response> {
  const reply = await fetch(path, init).catch((error: unknown) => {
    if (init.signal?.aborted) throw error;
    throw new ApiError("The server does not answer. Check that it runs, then try again.", 0, "unreachable", null);
  });
  noteServerDate(reply.headers.get("date"));
  if (reply.ok) return reply;
  throw await toApiError(reply);
}

/** GETs JSON and parses it. */
export async function readApi<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  signal?: AbortSignal,
): Promise<z.output<Schema>> {
  const reply = await callApi(path, { headers: { accept: "application/json" }, signal });
  return schema.parse(await reply.json());
}

export interface SendOptions {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends JSON; parse the reply with `schema`, or `z.unknown()` where nobody reads it. A 204 parses as undefined. */
export async function sendApi<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { method, body, headers = {} }: SendOptions,
): Promise<z.output<Schema>> {
  const reply = await callApi(path, {
    method,
    headers: { accept: "application/json", ...(body === undefined ? {} : JSON_TYPE), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return schema.parse(reply.status === 204 ? undefined : await reply.json());
}

const JSON_TYPE = { "content-type": "application/json" };

async function toApiError(reply: Response): Promise<ApiError> {
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
  return error instanceof ApiError ? error.message : "Something went wrong in this page. Reload it and try again.";
}
