import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { SharedError } from "@/lib/schema/shared-error";
import { failureMessage } from "@/lib/server/tools/mcp/reading/failure-message";
import { OWN_FAILURES } from "@/lib/server/tools/mcp/reading/reading-fetch";

/** The server did not take a request of the revision 2026-07-28 and has not begun it: one before may do. */
export class McpRevisionRefused extends SharedError {
  static override readonly kind = "McpRevisionRefused";
  constructor(cause: unknown) {
    super(failureMessage(cause), { cause });
  }
}

const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_VERSION = -32_022;
const REFUSALS: readonly number[] = [ErrorCode.MethodNotFound, HEADER_MISMATCH, UNSUPPORTED_VERSION];
const REFUSING_STATUSES = [404, 405, 406, 410, 415, 426, 501];
/** What these say concerns who asks or how often, in any revision. */
const OTHER_STATUSES = [401, 403, 429];

/** Whether an error means that the server has not begun what was asked, because it does not know the revision. */
export function isRefusal(error: unknown): boolean {
  const { name, code, message } = factsOf(error);
  if (name === "McpError") {
    const isInvalid = code === ErrorCode.InvalidRequest || code === ErrorCode.InvalidParams;
    return REFUSALS.includes(code) || (isInvalid && /initiali[sz]|session id/i.test(message));
  }
  if (!isHttpStatus(code)) return false;
  return REFUSING_STATUSES.includes(code) || (code === 400 && /session|initiali[sz]|protocol|version/i.test(message));
}

/** Whether an error may come of the revision, and nothing is known of what was asked. */
export function isDoubtful(error: unknown): boolean {
  const { code, message } = factsOf(error);
  if (isHttpStatus(code)) return !OTHER_STATUSES.includes(code);
  const isUnreadable = error instanceof SyntaxError || /Unexpected content type/.test(message);
  return isUnreadable || OWN_FAILURES.some((words) => message.endsWith(words));
}

function isHttpStatus(code: number): boolean {
  return code >= 400 && code <= 599;
}

function factsOf(error: unknown): { name: string; code: number; message: string } {
  if (!(error instanceof Error)) return { name: "", code: Number.NaN, message: "" };
  return { name: error.name, code: "code" in error ? Number(error.code) : Number.NaN, message: error.message };
}

const NOT_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"];

/** The connection itself failed. */
export function hasNotBeenSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isOwn = "code" in error && NOT_SENT.includes(String(error.code));
  return isOwn || hasNotBeenSent(error.cause);
}
