import type { OtlpSettings } from "@/lib/server/platform/telemetry/otlp-settings";
import { VERSION } from "@/lib/server/platform/version";
import type { OtlpSpan } from "./to-otlp-span";

/** The version of the conventions that `names.ts` follows. */
const SCOPE = { name: "ringmaster", version: VERSION };
const SAMPLED = 1;

/** An ExportTraceServiceRequest in protobuf. The encoder is loaded by the first call. */
export async function encodeSpans(
  spans: readonly OtlpSpan[],
  { serviceName, resource: further }: Pick<OtlpSettings, "serviceName" | "resource">,
): Promise<Uint8Array<ArrayBuffer>> {
  const { ProtobufTraceSerializer } = await import("@opentelemetry/otlp-transformer");
  const attributes = { ...further, "service.name": serviceName, "service.version": VERSION };
  const resource = { attributes, getRawAttributes: () => Object.entries(attributes), merge: () => resource };
  const encoded = ProtobufTraceSerializer.serializeRequest(
    spans.map((span) => ({
      name: span.name,
      kind: span.kind,
      spanContext: () => ({ traceId: span.traceId, spanId: span.spanId, traceFlags: SAMPLED }),
      ...(span.parent && {
        parentSpanContext: { ...span.parent, traceId: span.traceId, traceFlags: SAMPLED },
      }),
      startTime: toParts(span.startedAtMs),
      endTime: toParts(span.endedAtMs),
      duration: toParts(span.endedAtMs - span.startedAtMs),
      ended: true,
      status: span.status,
      attributes: span.attributes,
      resource,
      instrumentationScope: SCOPE,
      links: [],
      events: [],
      droppedAttributesCount: 0,
      droppedEventsCount: 0,
      droppedLinksCount: 0,
    })),
  );
  if (encoded === undefined) throw new Error("The spans could not be encoded.");
  return new Uint8Array(encoded);
}

/** Seconds and nanoseconds. */
function toParts(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1_000_000)];
}

/** What a collector says of spans that it did not take although it took the request; null if it took all. */
export async function readPartialSuccess(body: Uint8Array): Promise<{ rejected: number; reason: string } | null> {
  if (body.byteLength === 0) return null;
  const { ProtobufTraceSerializer } = await import("@opentelemetry/otlp-transformer");
  const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(body);
  const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
  return rejected === 0 ? null : { rejected, reason: partialSuccess?.errorMessage ?? "" };
}
