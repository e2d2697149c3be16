/** A refusal by the server, or no answer (`code` "unreachable", status 0). `message` is for people. */
export class RingmasterError extends Error {
  override readonly name = "RingmasterError";
  readonly status: number;
  /** One of the API's codes, such as `not_found`; `http_502` for an answer that is not the API's. */
  readonly code: string;
  /** What the server's log and a person who helps know the request by. */
  readonly requestId: string | null;
  /** For `invalid_input`, a list of `{path, message}`. */
  readonly details: unknown;

  constructor(message: string, facts: Pick<RingmasterError, "status" | "code" | "requestId" | "details">) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.requestId = facts.requestId;
    this.details = facts.details;
  }
}

/** The error that a reply stands for. */
export async function refusalOf(reply: Response): Promise<RingmasterError> {
  const { status, headers } = reply;
  const body: unknown = await reply.json().catch(() => null);
  const { code, message, details } = errorIn(body);
  return new RingmasterError(typeof message === "string" ? message : `The server answered ${status}.`, {
    status,
    code: typeof code === "string" ? code : `http_${status}`,
    requestId: headers.get("x-request-id"),
    details,
  });
}

/** The error for a server that does not answer. */
export function unreachable(cause: unknown): RingmasterError {
  const facts = { status: 0, code: "unreachable", requestId: null, details: undefined };
  const error = new RingmasterError("The server does not answer. Check that it is running, then try again.", facts);
  error.cause = cause;
  return error;
}

function errorIn(body: unknown): { readonly code?: unknown; readonly message?: unknown; readonly details?: unknown } {
  if (typeof body !== "object" || body === null || !("error" in body)) return {};
  return typeof body.error === "object" && body.error !== null ? body.error : {};
}
