import { RE2JS } from "re2js";
import { type GrepMatch, WorkspaceError } from "@/lib/agent/workspace";
import { MAX_LINE_CHARS } from "./limits";

const MAX_PATTERN_CHARS = 1_000;
/** A longer line is searched up to here, so that one line can't hold the event loop. */
const MAX_SEARCHED_CHARS = 65_536;
const TURN_MS = 8;

/** Throws WorkspaceError with what is wrong for a pattern that RE2 refuses (look-around, back references). */
export function compileSearch(pattern: string, caseSensitive: boolean): RE2JS {
  if (pattern.length > MAX_PATTERN_CHARS) {
    throw new WorkspaceError("invalid_pattern", `The pattern is longer than ${MAX_PATTERN_CHARS} characters.`);
  }
  try {
    return RE2JS.compile(pattern, caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WorkspaceError("invalid_pattern", `The pattern is not a valid RE2 regular expression: ${reason}.`);
  }
}

/** A file with a NUL byte in its first 8 KB is not text (git's rule). */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_192).includes(0);
}

/** Matching lines of one file, at most `limit`. Lets other work run every few milliseconds. */
export async function searchLines(file: string, bytes: Uint8Array, search: RE2JS, limit: number): Promise<GrepMatch[]> {
  if (isBinary(bytes)) return [];
  const matches: GrepMatch[] = [];
  let turnEnds = performance.now() + TURN_MS;
  let number = 0;
  for (const line of lines(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes))) {
    number += 1;
    if (search.test(line.slice(0, MAX_SEARCHED_CHARS))) matches.push({ file, line: number, text: cutLine(line) });
    if (matches.length >= limit) break;
    if (performance.now() < turnEnds) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    turnEnds = performance.now() + TURN_MS;
  }
  return matches;
}

/** A line as grep gives it back: without its end, and not longer than a model wants to read. */
export function cutLine(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS)}…` : line;
}

function* lines(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const line = end === -1 ? text.slice(start) : text.slice(start, end);
    yield line.endsWith("\r") ? line.slice(0, -1) : line;
    start = end === -1 ? text.length : end + 1;
  }
}
