import { MIN_SECRET_CHARS } from "@/lib/schema/new-secret";

/** A way in which a secret may be written. */
export interface SecretForm {
  readonly text: string;
  /** It reads like words or a number: it counts only where it stands by itself, so that no other text is garbled. */
  readonly standsAlone: boolean;
}

/**
 * The secret as it is, in JSON (also in JSON within JSON), in an address, and inside any text that was encoded as
 * base64. Longest first.
 */
export function formsOf(secret: string): SecretForm[] {
  if (secret.length < MIN_SECRET_CHARS) return [];
  const once = inJson(secret);
  const inAddress = encodeURIComponent(secret.toWellFormed());
  const written = [secret, once, inJson(once), inAddress, inAddress.replaceAll("%20", "+"), lowerEscapes(inAddress)];
  const encoded = base64Forms(secret);
  const standsAlone = !(/\d/.test(secret) && /\p{L}/u.test(secret));
  return [
    ...[...new Set(written)].map((text) => ({ text, standsAlone })),
    ...[...new Set(encoded)].map((text) => ({ text, standsAlone: false })),
  ]
    .filter(({ text }) => text.length >= MIN_SECRET_CHARS)
    .sort((a, b) => b.text.length - a.text.length);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function lowerEscapes(address: string): string {
  return address.replaceAll(/%[0-9A-F]{2}/g, (written) => written.toLowerCase());
}

/** Of base64 the characters that hold only the secret: it may begin at any of three places in a group. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((whole.byteLength * 8) / 6);
    return [whole.toString("base64").slice(from, to), whole.toString("base64url").slice(from, to)];
  });
}
