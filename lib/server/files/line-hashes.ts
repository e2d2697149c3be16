import { hash } from "node:crypto";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";

/** Digits per line: two different lines of one document have the same in one of 10^12 documents with 1,000 lines. */
const DIGITS = 16;

/**
 * The first 16 hexadecimal digits of the SHA-256 of each line (without its line break), in order, without separators;
 * null for content that is not text. A line break at the end begins no line.
 */
export function lineHashes(content: Uint8Array): string | null {
  const text = decodeOrNull(content);
  if (text === null) return null;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map(lineHash).join("");
}

/** Of one line, without its line break. */
export function lineHash(line: string): string {
  return hash("sha256", line, "hex").slice(0, DIGITS);
}
