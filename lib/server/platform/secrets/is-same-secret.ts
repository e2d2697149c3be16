import "server-only";
import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Compares a given secret or signature with the expected one, in a time that says nothing about where they differ. Any
 * text may be given: a header's letters beyond ASCII make two texts of equal length differ in bytes.
 */
export function isSameSecret(given: string, expected: string): boolean {
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}
