import { createHash, createHmac } from "node:crypto";
import type { HookSignature } from "@/lib/schema/webhooks/webhook";
import { isSameSecret } from "@/lib/server/platform/secrets/is-same-secret";

/** How far the sender's clock may be off. */
const TOLERANCE_MS = 300_000;
const STANDARD_PREFIX = "whsec_";

/** A request as received: signatures cover its bytes. */
export interface SignedRequest {
  readonly headers: Headers;
  readonly body: Uint8Array;
}

interface Rules {
  readonly signature: HookSignature;
  /** The header that carries a plain HMAC. */
  readonly header: string;
  /** The currently valid secrets. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
}

/** `key` is the same for a repeat of the request. */
export type Verified = { readonly ok: true; readonly key: string } | { readonly ok: false; readonly why: string };

export function verifyRequest(request: SignedRequest, rules: Rules): Verified {
  if (rules.signature === "standard") return verifyStandard(request, rules);
  if (rules.signature === "none") return verifyBearer(request, rules);
  const header = rules.signature === "github" ? "x-hub-signature-256" : rules.header;
  const given = request.headers.get(header);
  if (given === null) return refuse(`The header ${header} is missing.`);
  const isValid = rules.secrets.some((secret) =>
    isSameSecret(given, `sha256=${createHmac("sha256", secret).update(request.body).digest("hex")}`),
  );
  return isValid ? { ok: true, key: digest(request.body) } : refuse("The signature does not match the body.");
}

/** https://www.standardwebhooks.com: `v1,<base64 HMAC-SHA256 of "id.timestamp.body">`, several separated by spaces. */
function verifyStandard({ headers, body }: SignedRequest, { secrets, nowMs }: Rules): Verified {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  const signatures = headers.get("webhook-signature");
  if (!id || !timestamp || !signatures) {
    return refuse("One of the headers webhook-id, webhook-timestamp and webhook-signature is missing.");
  }
  if (id.length > 200 || !/^\d{1,12}$/.test(timestamp)) return refuse("webhook-id or webhook-timestamp is malformed.");
  const isValid = signatures
    .split(" ")
    .some((given) => secrets.some((secret) => isSameSecret(given, standardSignature(secret, { id, timestamp, body }))));
  if (!isValid) return refuse("The signature does not match the body.");
  if (Math.abs(nowMs - Number(timestamp) * 1_000) > TOLERANCE_MS) {
    return refuse("The timestamp is more than 5 minutes off.");
  }
  return { ok: true, key: id };
}

interface StandardMessage {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: string;
  readonly body: Uint8Array | string;
}

export function standardSignature(secret: string, { id, timestamp, body }: StandardMessage): string {
  const key = Buffer.from(secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : secret, "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}

function verifyBearer({ headers, body }: SignedRequest, { secrets }: Rules): Verified {
  const given = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1]?.trim();
  if (given === undefined) return refuse("The bearer token is missing.");
  return secrets.some((secret) => isSameSecret(given, secret))
    ? { ok: true, key: digest(body) }
    : refuse("The bearer token is not this webhook's.");
}

function digest(body: Uint8Array): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}

function refuse(why: string): Verified {
  return { ok: false, why };
}
