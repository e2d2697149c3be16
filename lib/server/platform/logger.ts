import pino, { type DestinationStream, type Logger } from "pino";
import { env } from "./env";
import { standardOutput } from "./log-output";
import { hasMasks, maskValue } from "./masking";
import { processState } from "./process-state";
import { redactOpenSecrets } from "./secrets/known-secrets";

export type { Logger } from "pino";

const SECRET_FIELDS = [
  "apiKey",
  "api_key",
  "authorization",
  "cookie",
  "password",
  "secret",
  "secrets",
  "token",
  "accessToken",
  "refreshToken",
  "callbackSecret",
];

const SECRET_PATHS = SECRET_FIELDS.flatMap((field) => [
  field,
  `*.${field}`,
  `*.*.${field}`,
  `headers["${field}"]`,
  `*.headers["${field}"]`,
]);

/**
 * JSON lines on stdout at RINGMASTER_LOG_LEVEL. Fields whose name marks them as secret, and text anywhere that looks
 * like a key, are redacted. Logging never throws. One per process: `logger().child({noun: "run", runId})` for context.
 */
export function logger(): Logger {
  return processState("logger", () => createLogger(env().logLevel));
}

/** A separate logger for a child process or a test; writes to stdout by default. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: "[redacted]" },
      serializers: { error: serializeError, err: serializeError },
      hooks: { streamWrite: cleanLine },
    },
    destination ?? standardOutput(),
  );
}

/** Sets this process's log level from now on. */
export function setLogLevel(level: string): void {
  logger().level = level;
}

function cleanLine(line: string): string {
  const redacted = redactText(line);
  return hasMasks() ? maskLine(redacted) : redacted;
}

/** Field by field, so that a rule can't break the line's JSON. */
function maskLine(line: string): string {
  try {
    const { level, time, ...fields }: Record<string, unknown> = JSON.parse(line);
    return `${JSON.stringify({ level, time, ...(maskValue(fields) as object) })}\n`;
  } catch {
    return line;
  }
}

function serializeError(error: unknown): unknown {
  return error instanceof Error ? pino.stdSerializers.err(error) : error;
}

const SECRET_TEXT =
  /\b(?:sk-[A-Za-z0-9_-]{12,}|rm_[A-Za-z0-9_-]{16,}|AIza[A-Za-z0-9_-]{20,}|gh[pousr]_[A-Za-z0-9]{20,})|(?<=\bBearer )[A-Za-z0-9._~+/-]{8,}=*|(?<=\/\/[^\s:/@"]{1,64}:)[^\s@"/]{1,256}(?=@)/g;

/**
 * Replaces every known secret, and text that looks like a credential (provider keys, Ringmaster's own keys, bearer
 * tokens, passwords in URLs) by `[redacted]`. For text that leaves the process: logs, errors, exports. JSON stays valid JSON.
 */
export function redactText(text: string): string {
  return redactOpenSecrets(text).replace(SECRET_TEXT, "[redacted]");
}
