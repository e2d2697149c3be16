import { RE2JS } from "re2js";
import { type GrepMatch, WorkspaceError } from "@/lib/agent/workspace/workspace";
import { MAX_LINE_CHARS } from "./limits";
import { createSearchThread, type SearchThread } from "./search-thread";
import { createSearchTime, type SearchTime } from "./search-time";

const MAX_PATTERN_CHARS = 1_000;
/** RE2's time per line is proportional to this times the line's length. */
const MAX_PROGRAM_SIZE = 2_000;
/** Longer lines are searched up to here. */
const MAX_SEARCHED_CHARS = 65_536;
/** Program size times characters: about 10 ms at worst. Searches above this run in a thread. */
const MAX_STEPS_HERE = 200_000;

/** An expression and the time left to search for it. */
export interface LineSearch {
  readonly expression: RE2JS;
  readonly time: SearchTime;
  readonly thread: SearchThread;
  /** Set by the first line that needs the thread. */
  deadline?: AbortSignal;
}

/** Throws WorkspaceError with the reason if RE2 refuses the pattern (look-around, back-references). */
export function compileSearch(pattern: string, caseSensitive: boolean, limitMs?: number): LineSearch {
  if (pattern.length > MAX_PATTERN_CHARS) {
    throw new WorkspaceError("invalid_pattern", `The pattern is longer than ${MAX_PATTERN_CHARS} characters.`);
  }
  const flags = caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const expression = compileExpression(pattern, flags);
  if (expression.programSize() > MAX_PROGRAM_SIZE) {
    throw new WorkspaceError("invalid_pattern", "The pattern is too complex; use smaller repeat counts.");
  }
  return { expression, time: createSearchTime(limitMs), thread: createSearchThread(pattern, flags) };
}

function compileExpression(pattern: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new WorkspaceError("invalid_pattern", `The pattern is not a valid RE2 regular expression: ${reason}.`);
  }
}

/** A file with a NUL byte in its first 8 KB is not text (git's rule). */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_192).includes(0);
}

/** Matching lines of one file, at most `limit`. Yields to other work every few milliseconds. */
export async function searchLines(file: string, bytes: Uint8Array, search: LineSearch, limit: number) {
  const { time } = search;
  const matches: GrepMatch[] = [];
  if (isBinary(bytes)) return matches;
  let number = 0;
  for (const line of lines(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes))) {
    number += 1;
    const text = line.slice(0, MAX_SEARCHED_CHARS);
    const isMatch = findHere(search, text) ?? (await findInThread(search, text));
    if (isMatch) matches.push({ file, line: number, text: cutLine(line) });
    if (matches.length >= limit) break;
    if (time.isDue()) await time.pause();
  }
  return matches;
}

/** Null if the search may take long. */
function findHere({ expression }: LineSearch, text: string): boolean | null {
  return expression.programSize() * text.length <= MAX_STEPS_HERE ? expression.test(text) : null;
}

function findInThread(search: LineSearch, text: string): Promise<boolean> {
  search.deadline ??= search.time.deadline();
  return search.thread.test(text, search.deadline);
}

/** A line as returned by grep: without its line break, cut to a length a model can read. */
export function cutLine(line: string): string {
  return line.length > MAX_LINE_CHARS ? `${line.slice(0, MAX_LINE_CHARS).toWellFormed()}…` : line;
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
