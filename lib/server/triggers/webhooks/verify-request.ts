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

/** What identifies a request: an id inside the signature, or the hash of its body, with the sender's own id if any. */
export type RequestIdentity =
  | { readonly signedId: string }
  | { readonly bodyHash: string; readonly unsignedId: string | null };

export type Verified =
  | { readonly ok: true; readonly identity: RequestIdentity }
  | { readonly ok: false; readonly why: string };

export function verifyRequest(request: SignedRequest, rules: Rules): Verified {
  if (rules.signature === "standard") return verifyStandard(request, rules);
  if (rules.signature === "none") return verifyBearer(request, rules);
  const header = rules.signature === "github" ? "x-hub-signature-256" : rules.header;
  const given = request.headers.get(header);
  if (given === null) return refuse(`The header ${header} is missing.`);
  const isValid = rules.secrets.some((secret) =>
    isSameSecret(given, `sha256=${createHmac("sha256", secret).update(request.body).digest("hex")}`),
  );
  return isValid ? { ok: true, identity: bodyOf(request) } : refuse("The signature does not match the body.");
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
  return { ok: true, identity: { signedId: id } };
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

function verifyBearer(request: SignedRequest, { secrets }: Rules): Verified {
  const { headers } = request;
  const given = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1]?.trim();
  if (given === undefined) return refuse("The bearer token is missing.");
  return secrets.some((secret) => isSameSecret(given, secret))
    ? { ok: true, identity: bodyOf(request) }
    : refuse("The bearer token is not this webhook's.");
}

/** Headers in which senders name a delivery; a delivery that is sent again has the same id. */
const ID_HEADERS = ["webhook-id", "x-github-delivery", "x-webhook-id", "idempotency-key"];
const MAX_ID_CHARS = 200;

function bodyOf({ headers, body }: SignedRequest): RequestIdentity {
  const ids = ID_HEADERS.map((name) => headers.get(name)?.trim() ?? "");
  const unsignedId = ids.find((id) => id !== "" && id.length <= MAX_ID_CHARS) ?? null;
  return { bodyHash: `sha256:${createHash("sha256").update(body).digest("hex")}`, unsignedId };
}

function refuse(why: string): Verified {
  return { ok: false, why };
}
