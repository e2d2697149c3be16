import { randomBytes } from "node:crypto";
import { z } from "zod";
import { WorkspaceError } from "@/lib/agent/workspace";
import { AppError, ERROR_STATUS, type ErrorCode } from "@/lib/schema/app-error";
import { openAiError } from "@/lib/server/apis/openai/openai-error";
import { isDatabaseBusy } from "@/lib/server/engine/log/insert-events";
import { logger } from "@/lib/server/platform/logger";
import { describeIssues } from "./field-problems";

interface JsonOptions {
  readonly status?: number;
  /** Checks and trims the reply: what the schema doesn't know never leaves. A mismatch is a bug and becomes a 500. */
  readonly schema?: z.ZodType;
  readonly headers?: Record<string, string>;
}

/** The name of one request in the log and in the header `x-request-id`. */
export function createRequestId(): string {
  return `req_${randomBytes(9).toString("base64url")}`;
}

/** A JSON reply that no cache keeps. */
export function json(data: unknown, { status = 200, schema, headers = {} }: JsonOptions = {}): Response {
  return Response.json(schema ? schema.parse(data) : data, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers },
  });
}

/** A JSON reply that also sets cookies. */
export function jsonWithCookies(data: unknown, setCookie: readonly string[]): Response {
  const reply = json(data);
  for (const cookie of setCookie) reply.headers.append("set-cookie", cookie);
  return reply;
}

/** A file that a browser saves and never shows: whatever it holds, it runs nowhere. */
export function download(
  content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { fileName, contentType = "application/octet-stream" }: { fileName: string; contentType?: string },
): Response {
  return new Response(content, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName).replaceAll("'", "%27")}`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
    },
  });
}

/** A reply without a body. */
export function noContent(): Response {
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

/** `{error: {code, message, details?}}` with the status of the code's one table. Never a stack, a path or a secret. */
export function errorReply(error: unknown, requestId: string, shape?: "openai"): Response {
  const known = toAppError(error);
  const isFault = known.code === "internal" || (known.code === "unavailable" && known.cause !== undefined);
  if (isFault) {
    logger().error({ err: known.cause ?? known, requestId }, "request failed");
  }
  const message =
    known.code === "internal"
      ? `Something went wrong on the server. Its log has the cause under request ${requestId}.`
      : known.message;
  const retryAfter = retryAfterOf(known);
  return json(shape === "openai" ? openAiError(known, message) : describeError(known, message), {
    status: ERROR_STATUS[known.code],
    headers: retryAfter ? { "retry-after": retryAfter } : {},
  });
}

function describeError({ code, details }: AppError, message: string) {
  return { error: { code, message, ...(details === undefined ? {} : { details }) } };
}

/** The AppError that says what any thrown value means to a caller; `internal` for a bug. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof WorkspaceError) return new AppError(WORKSPACE_CODES[error.code], error.message);
  if (isDiskFull(error)) {
    const message = "The disk of the server is full, so nothing was stored. Free some space there and try again.";
    return new AppError("unavailable", message, { cause: error });
  }
  if (isReadOnly(error)) {
    const message =
      "The server may not write its database, so nothing was stored. Give its user the right to write the data directory and all in it, then try again.";
    return new AppError("unavailable", message, { cause: error });
  }
  if (isDatabaseDown(error)) {
    return new AppError("unavailable", "The database does not answer. Try again in a moment.", { cause: error });
  }
  return new AppError("internal", "Something went wrong on the server.", { cause: error });
}

const WORKSPACE_CODES = {
  not_found: "not_found",
  invalid_path: "invalid_input",
  invalid_pattern: "invalid_input",
  not_a_file: "invalid_input",
  not_a_folder: "invalid_input",
  too_large: "payload_too_large",
  read_only: "invalid_input",
  quota: "invalid_input",
  failed: "internal",
} as const satisfies Record<WorkspaceError["code"], ErrorCode>;

/** Parses or throws `invalid_input` that names the first problem and lists all. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: "params" | "query" | "body",
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = describeIssues(parsed.error, schema).map(({ path, message }) => ({ path, message }));
  const first = details[0];
  const summary = first ? `${first.path || `the ${where}`}: ${first.message}` : `The ${where} is invalid.`;
  throw new AppError("invalid_input", summary, { details });
}

function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /SQLITE_FULL|database or disk is full|ENOSPC|No space left on device/i.test(
    `${codeOf(error)} ${error.message}`,
  );
}

function isReadOnly(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    /SQLITE_READONLY|attempt to write a readonly/i.test(`${codeOf(error)} ${error.message}`) || isReadOnly(error.cause)
  );
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}

function isDatabaseDown(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isDatabaseBusy(error)) return true;
  // A library may have wrapped it: better-auth does.
  if (error.cause instanceof Error && error.cause.name.startsWith("Prisma")) return isDatabaseDown(error.cause);
  const code = codeOf(error);
  if (["P1001", "P1002", "P1008", "P1017", "P2024", "ECONNREFUSED"].includes(code)) return true;
  return /SQLITE_(BUSY|IOERR|CANTOPEN)|database is locked|disk I\/O error/i.test(`${code} ${error.message}`);
}

function retryAfterOf(error: AppError): string | null {
  const parsed = z.object({ retryAfterSeconds: z.number() }).safeParse(error.details);
  if (parsed.success) return String(parsed.data.retryAfterSeconds);
  return error.code === "unavailable" ? "5" : null;
}
