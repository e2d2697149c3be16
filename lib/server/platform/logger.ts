import pino, { type DestinationStream, type Logger } from "pino";
import { env } from "./env";
import { processState } from "./process-state";
import { redactText } from "./redact";

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
 * JSON lines on stdout at RINGMASTER_LOG_LEVEL. Fields whose name marks them as secret, and text that looks like a
 * key anywhere, are replaced. One per process: `logger().child({noun: "run", runId})` for context.
 */
export function logger(): Logger {
  return processState("logger", () => createLogger(env().logLevel));
}

/** A separate logger for a child process or a test; writes to stdout when no `destination` is given. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: "[redacted]" },
      serializers: { error: serializeError, err: serializeError },
      hooks: { streamWrite: redactText },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}

function serializeError(error: unknown): unknown {
  return error instanceof Error ? pino.stdSerializers.err(error) : error;
}
