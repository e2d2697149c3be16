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
    readonly code: string,
    readonly status: number,
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

export interface CallOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** Calls one of the server's own routes and parses its reply. Throws ApiError; an abort rejects as fetch does. */
export async function callApi<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  options: CallOptions = {},
): Promise<z.output<Schema>> {
  const reply = await send(path, options);
  return schema.parse(reply.status === 204 ? undefined : await reply.json());
}

/** The same for a reply whose body nobody reads. */
export async function callApiVoid(path: string, options: CallOptions = {}): Promise<void> {
  await send(path, options);
}

async function send(path: string, { method = "GET", body, headers = {}, signal }: CallOptions): Promise<Response> {
  const request: RequestInit = {
    method,
    headers: {
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  };
  const reply = await fetch(path, request).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError("The server does not answer. Check that it runs, then try again.", "unreachable", 0, null);
  });
  noteServerDate(reply.headers.get("date"));
  if (reply.ok) return reply;
  throw await toApiError(reply);
}

async function toApiError(reply: Response): Promise<ApiError> {
  const requestId = reply.headers.get("x-request-id");
  const found = ErrorBody.safeParse(await reply.json().catch(() => null));
  if (!found.success) {
    return new ApiError(`The server answered ${reply.status}.`, `http_${reply.status}`, reply.status, requestId);
  }
  const { code, message, details } = found.data.error;
  return new ApiError(message, code, reply.status, requestId, details);
}

/** What to tell a person about any thrown value. */
export function errorMessage(error: unknown): string {
  return error instanceof ApiError ? error.message : "Something went wrong in this page. Reload it and try again.";
}
