import { z } from "zod";

/** The trace of another system that a request belongs to, and its span there (W3C Trace Context). */
export const Traceparent = z.object({
  /** 32 lower-case hex digits. */
  traceId: z.string(),
  /** 16 lower-case hex digits. */
  spanId: z.string(),
});
export type Traceparent = z.infer<typeof Traceparent>;

const VERSION_00 = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;
/** Later versions may have more behind the flags. */
const LATER = /^(?!00|ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?$/;

/** What a `traceparent` header says; null for one that is absent or invalid, which W3C wants ignored. */
export function readTraceparent(header: string | null): Traceparent | null {
  const [, traceId = "", spanId = ""] = VERSION_00.exec(header ?? "") ?? LATER.exec(header ?? "") ?? [];
  return isSet(traceId) && isSet(spanId) ? { traceId, spanId } : null;
}

function isSet(id: string): boolean {
  return id.replaceAll("0", "") !== "";
}
