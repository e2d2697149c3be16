import { logger } from "@/lib/server/platform/logger";
import type { OtlpSettings } from "@/lib/server/platform/telemetry/otlp-settings";
import { VERSION } from "@/lib/server/platform/version";
import { encodeSpans, readPartialSuccess } from "./encode-spans";
import type { OtlpSpan } from "./to-otlp-span";

const TIMEOUT_MS = 10_000;
/** The answers that the protocol wants repeated; to all others the same request would get the same answer. */
const REPEATED: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MAX_REASON_CHARS = 300;
/** A collector's answer has no business being longer. */
const MAX_ANSWER_BYTES = 65_536;

/** What became of a request: `later` if it is to be repeated, after at least `afterMs` if the collector said so. */
export type SendOutcome =
  | { readonly kind: "accepted" }
  | { readonly kind: "later"; readonly reason: string; readonly afterMs: number | null }
  | { readonly kind: "refused"; readonly reason: string };

/** One POST of the spans to the collector. Never throws for what the collector, or the way to it, does. */
export async function sendSpans(spans: readonly OtlpSpan[], settings: OtlpSettings): Promise<SendOutcome> {
  const body = await encodeSpans(spans, settings);
  try {
    const reply = await fetch(settings.url, {
      method: "POST",
      body,
      headers: {
        "user-agent": `ringmaster/${VERSION}`,
        ...settings.headers,
        "content-type": "application/x-protobuf",
      },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer = await readAnswer(reply);
    if (reply.ok) {
      await notePartialSuccess(answer);
      return { kind: "accepted" };
    }
    const reason = `HTTP ${reply.status} ${printable(answer)}`.trim();
    if (!REPEATED.has(reply.status)) return { kind: "refused", reason };
    return { kind: "later", reason, afterMs: retryAfterMs(reply.headers.get("retry-after"), Date.now()) };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { kind: "later", reason: cause instanceof Error ? cause.message : String(cause), afterMs: null };
  }
}

async function readAnswer({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of body ?? []) {
    sizeBytes += part.byteLength;
    if (sizeBytes > MAX_ANSWER_BYTES) break;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function notePartialSuccess(answer: Uint8Array): Promise<void> {
  const partial = await readPartialSuccess(answer).catch(() => null);
  if (partial) logger().warn(partial, "the OTLP collector has rejected spans");
}

/** The letters of an answer that may be protobuf. */
function printable(answer: Uint8Array): string {
  const text = new TextDecoder().decode(answer).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, " ");
  return text.trim().slice(0, MAX_REASON_CHARS).toWellFormed();
}

/** Seconds or an HTTP date; null if it is neither. */
function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const ms = header.trim() !== "" && Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - nowMs;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
