import { z } from "zod";
import { trimEndOf } from "@/lib/schema/trim-characters";

const text = z
  .string()
  .trim()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

const address = text.refine((value) => value === undefined || /^https?:$/.test(protocolOf(value)), {
  message: "must be an http:// or https:// address",
});

/** Names and values with `=`, separated by commas; values percent-encoded, as OpenTelemetry writes them. */
const pairs = text.transform((value, context) => {
  const entries = (value ?? "").split(",").filter((entry) => entry.trim() !== "");
  return Object.fromEntries(
    entries.map((entry): [string, string] => {
      const [, name = "", found = ""] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(entry) ?? [];
      const decoded = decode(found.trim());
      if (name === "" || decoded === null) context.addIssue("must be a list such as name=value, other=value");
      return [name, decoded ?? ""];
    }),
  );
});

function decode(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}

function protocolOf(value: string): string {
  return URL.canParse(value) ? new URL(value).protocol : "";
}

const PROTOBUF = "http/protobuf";

/** OpenTelemetry's own variables, as far as they say something about traces that leave the server. */
export const OTLP_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_EXPORTER_OTLP_PROTOCOL: text,
  OTEL_SERVICE_NAME: text,
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: text,
} as const;

/** Where finished traces are sent, and what of them. */
export interface OtlpSettings {
  /** The whole address, with `/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Further attributes of the resource, such as `deployment.environment.name`. */
  readonly resource: Readonly<Record<string, string>>;
  /** Whether prompts, replies, arguments and results are sent too. */
  readonly withContent: boolean;
}

const CAPTURES: ReadonlySet<string> = new Set(["true", "1", "span_only", "span_and_event"]);

/** Null if no traces leave the server. */
export function readOtlpSettings(values: z.infer<z.ZodObject<typeof OTLP_VARIABLES>>): OtlpSettings | null {
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${trimEndOf(base, /\//)}/v1/traces`);
  if (url === undefined) return null;
  const capture = values.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT ?? "";
  const { "service.name": named, ...resource } = values.OTEL_RESOURCE_ATTRIBUTES;
  return {
    url,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME ?? named ?? "ringmaster",
    resource,
    withContent: CAPTURES.has(capture.toLowerCase()),
  };
}

/** The protocol that was asked for if traces are to be sent by another one than this server speaks. */
export function otherProtocol(values: z.infer<z.ZodObject<typeof OTLP_VARIABLES>>): string | null {
  const asked = values.OTEL_EXPORTER_OTLP_PROTOCOL ?? PROTOBUF;
  return readOtlpSettings(values) === null || asked === PROTOBUF ? null : asked;
}
