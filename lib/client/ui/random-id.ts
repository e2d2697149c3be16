/**
 * A unique name. By hand: `crypto.randomUUID` is available on HTTPS and loopback only, and in a home or office network
 * the pages come over plain HTTP.
 */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
