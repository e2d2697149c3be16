/**
 * The key of a run that a request with an `Idempotency-Key` starts: who sent which key to which address, and what it
 * asked for. Both are SHA-256 in hexadecimal.
 */
export function requestKey(sent: string, body: string): string {
  return `${sent}.${body}`;
}

/** Who sent which key to which address; null for keys of other kinds, such as those of triggers. */
export function senderOfKey(key: string): string | null {
  return /^([\da-f]{64})\.[\da-f]{64}$/.exec(key)?.[1] ?? null;
}
