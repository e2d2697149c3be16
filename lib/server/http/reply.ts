import { randomBytes } from "node:crypto";
import { z } from "zod";
import { AppError, callerCodeOf, ERROR_STATUS } from "@/lib/schema/app-error";
import { tooLargeSentence } from "@/lib/schema/messages/text-limits";
import { DAMAGED, noteDamage } from "@/lib/server/platform/db/damage";
import { isAway, isDamaged, isDiskFull, isReadOnly } from "@/lib/server/platform/db/errors";
import { logger } from "@/lib/server/platform/logger";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { countUndescribed, describeIssues } from "./field-problems";

interface JsonOptions {
  readonly status?: number;
  /**
   * Checks and trims the reply: fields unknown to the schema never leave the server. A mismatch is a bug and becomes
   * a 500.
   */
  readonly schema?: z.ZodType;
  readonly headers?: Record<string, string>;
}

/** The id of one request in the log and in the header `x-request-id`. */
export function createRequestId(): string {
  return `req_${randomBytes(9).toString("base64url")}`;
}

/** A JSON reply that no cache stores. */
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

/** A file that a browser saves and never shows, so that its content can't run. */
export function download(
  content: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { fileName, contentType = "application/octet-stream" }: { fileName: string; contentType?: string },
): Response {
  return new Response(content, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(fileName.toWellFormed()).replaceAll("'", "%27")}`,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
    },
  });
}

/** An image for an `<img>` on Ringmaster's own pages; opened directly it can do nothing. */
export function picture(bytes: Uint8Array<ArrayBuffer>, mediaType: string): Response {
  return new Response(bytes, {
    headers: {
      "content-type": mediaType,
      "cache-control": "private, max-age=3600, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    },
  });
}

/** A reply without a body. */
export function noContent(): Response {
  return new Response(null, { status: 204, headers: { "cache-control": "no-store" } });
}

/** The body of an error reply; `message` contains nothing that the caller must not know. */
export type ErrorShape = (error: AppError, message: string) => object;

/**
 * `{error: {code, message, details?}}`, or the result of `shape`, with the code's status from the one table. Never a
 * stack, a path or a secret.
 */
export function errorReply(error: unknown, requestId: string, shape: ErrorShape = describeError): Response {
  const known = toAppError(error);
  const isFault = known.code === "internal" || (known.code === "unavailable" && known.cause !== undefined);
  if (isFault) {
    logger().error({ err: known.cause ?? known, requestId }, "request failed");
  }
  const message =
    known.code === "internal"
      ? `Something went wrong on the server. Its log has the cause under request ${requestId}.`
      : redactSecrets(known.message);
  const retryAfter = retryAfterOf(known);
  return json(shape(known, message), {
    status: ERROR_STATUS[known.code],
    headers: retryAfter ? { "retry-after": retryAfter } : {},
  });
}

function describeError({ code, details }: AppError, message: string): object {
  return { error: { code, message, ...(details === undefined ? {} : { details }) } };
}

/** The AppError that describes any thrown value to a caller; `internal` for a bug. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const callerCode = callerCodeOf(error);
  if (callerCode !== null && error instanceof Error) return new AppError(callerCode, error.message);
  if (isDiskFull(error)) {
    const message = "The server's disk is full, so nothing was stored. Free some space there and try again.";
    return new AppError("unavailable", message, { cause: error });
  }
  if (isReadOnly(error)) {
    const message =
      "The server is not allowed to write to its database, so nothing was stored. Give its user write permission for the data directory and everything in it, then try again.";
    return new AppError("unavailable", message, { cause: error });
  }
  if (isDamaged(error)) {
    noteDamage(error instanceof Error ? error.message : String(error));
    return new AppError("unavailable", DAMAGED, { cause: error });
  }
  if (isAway(error)) {
    return new AppError("unavailable", "The database does not answer. Try again in a moment.", { cause: error });
  }
  return new AppError("internal", "Something went wrong on the server.", { cause: error });
}

/** Parses, or throws `invalid_input` naming the first problem and listing up to 20; `payload_too_large` for a text. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: "params" | "query" | "body",
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const tooLarge = tooLargeSentence(parsed.error.issues);
  if (tooLarge !== null) throw new AppError("payload_too_large", tooLarge);
  const details = describeIssues(parsed.error, schema).map(({ path, message }) => ({ path, message }));
  const first = details[0];
  const rest = countUndescribed(parsed.error);
  const unlisted = rest === 0 ? "" : ` ${rest.toLocaleString("en-US")} more problems are not listed.`;
  const summary = first ? `${first.path || `the ${where}`}: ${first.message}${unlisted}` : `The ${where} is invalid.`;
  throw new AppError("invalid_input", summary, { details });
}

function retryAfterOf(error: AppError): string | null {
  const parsed = z.object({ retryAfterSeconds: z.number() }).safeParse(error.details);
  if (parsed.success) return String(parsed.data.retryAfterSeconds);
  return error.code === "unavailable" ? "5" : null;
}
