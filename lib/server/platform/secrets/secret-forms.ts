import { MIN_SECRET_CHARS } from "@/lib/schema/new-secret";

/** A way in which a secret may be written. */
export interface SecretForm {
  readonly text: string;
  /** It reads like words or a number: it counts only where it stands by itself, so that no other text is garbled. */
  readonly standsAlone: boolean;
}

/**
 * The secret as it is, in JSON of any writer (also in JSON within JSON), in HTML, in an address, in hexadecimal, and
 * inside any text that was encoded as base64. Longest first.
 */
export function formsOf(secret: string): SecretForm[] {
  if (secret.length < MIN_SECRET_CHARS) return [];
  const once = inJson(secret);
  const inAddress = encodeURIComponent(secret.toWellFormed());
  const addresses = [
    inAddress,
    inAddress.replaceAll("%20", "+"),
    lowerEscapes(inAddress),
    encodeURIComponent(inAddress),
  ];
  const written = [secret, once, inJson(once), ...otherJson(once), inHtml(secret), ...addresses];
  const encoded = [...base64Forms(secret), ...hexForms(secret)];
  const standsAlone = !isToken(secret);
  return [
    ...[...new Set(written)].map((text) => ({ text, standsAlone })),
    ...[...new Set(encoded)].map((text) => ({ text, standsAlone: false })),
  ]
    .filter(({ text }) => text.length >= MIN_SECRET_CHARS)
    .sort((a, b) => b.text.length - a.text.length);
}

/** Whether it reads like neither words nor a number. */
export function isToken(secret: string): boolean {
  return /\d/.test(secret) && /\p{L}/u.test(secret);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** What other writers of JSON escape: Python all that is not ASCII, PHP every slash as well, Go what HTML knows. */
function otherJson(json: string): string[] {
  const escaped = (pattern: RegExp) =>
    json.replaceAll(pattern, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const ascii = escaped(/[^ -~]/g);
  return [ascii, escaped(/[<>&]/g), ...[json, ascii].map((text) => text.replaceAll("/", "\\/"))];
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function inHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** In hexadecimal of either case. */
export function hexForms(secret: string): string[] {
  const hex = Buffer.from(secret, "utf8").toString("hex");
  return [hex, hex.toUpperCase()];
}

function lowerEscapes(address: string): string {
  return address.replaceAll(/%[0-9A-F]{2}/g, (written) => written.toLowerCase());
}

/** Of base64 the characters that hold only the secret: it may begin at any of three places in a group. */
export function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor((whole.byteLength * 8) / 6);
    return [whole.toString("base64").slice(from, to), whole.toString("base64url").slice(from, to)];
  });
}
