import { createHash } from "node:crypto";

// OTLP wants 16 and 8 bytes where Ringmaster has names. They are derived, so that a span that is sent again, or by
// another process, is the same span.

/** 32 hex digits. */
export function otlpTraceId(traceId: string): string {
  return digest(`trace ${traceId}`, 32);
}

/** 16 hex digits. */
export function otlpSpanId(spanId: string): string {
  return digest(`span ${spanId}`, 16);
}

function digest(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
