import { FormIndex, type Match, replaceMatches } from "./form-index";

/** A line of a dump: its place in the text, from behind the offset on, and what it may mean. */
interface DumpLine {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly string[];
}

const LEAST_OFFSET = 6;
const MOST_OFFSET = 16;
/** Programs write at most so many bytes a line, and two characters for one. */
const MOST_TOKENS = 32;
const MOST_LINE_CHARS = 400;

/** How tokens are read as bytes; null for one that can't be. */
type Reading = (token: string) => readonly number[] | null;

const hexBytes: Reading = (token) => {
  if (!/^(?:[\da-f]{2}){1,8}$/i.test(token)) return null;
  return Array.from({ length: token.length / 2 }, (_, index) =>
    Number.parseInt(token.slice(2 * index, 2 * index + 2), 16),
  );
};
const octalBytes: Reading = (token) => {
  if (!/^[0-3][0-7]{2}$/.test(token)) return null;
  return [Number.parseInt(token, 8)];
};
const octalWords: Reading = (token) => {
  if (!/^[01][0-7]{5}$/.test(token)) return null;
  const word = Number.parseInt(token, 8);
  return [word & 255, word >> 8];
};
const characters: Reading = (token) => {
  if (token.length === 1) return [token.charCodeAt(0)];
  return /^[0-3][0-7]{2}$/.test(token) ? [Number.parseInt(token, 8)] : /^\\.$/.test(token) ? [0] : null;
};
/** As `xxd`, `hexdump` and `od` write them. */
const READINGS: readonly Reading[] = [
  hexBytes,
  (token) => hexBytes(token)?.toReversed() ?? null,
  octalBytes,
  octalWords,
  characters,
];

/**
 * Finds secrets in dumps: lines of an offset, bytes as numbers or characters, and for some programs the text beside
 * them. A line that has some of a secret keeps only its offset.
 */
export function createDumpFinder(secrets: readonly string[]): (text: string, replacement: string) => string {
  const index = new FormIndex(secrets.map((secret) => ({ text: Buffer.from(secret).toString("latin1") })));
  return (text, replacement) => {
    const matches = dumpsIn(text).flatMap((lines) => linesWith(lines, index));
    return replaceMatches(text, matches, replacement);
  };
}

/** Lines that follow each other. */
function dumpsIn(text: string): DumpLine[][] {
  const dumps: DumpLine[][] = [];
  let isNext = false;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const start = offsetEnd(text, at, end);
    const line = start < 0 ? null : { start, end, tokens: tokensOf(text.slice(start, end)) };
    if (line && isNext) dumps.at(-1)?.push(line);
    else if (line) dumps.push([line]);
    isNext = line !== null;
    at = end + 1;
  }
  return dumps;
}

/** Whether a line, or one of which only the beginning is known, begins as one of a dump does. */
export function isDumpLine(text: string, { from, end, isCut }: LinePlace): boolean {
  if (!isCut || end - from > MOST_LINE_CHARS) return offsetEnd(text, from, end) >= 0;
  const isOffset = /^[\da-f]*$/i.test(text.slice(from, Math.min(end, from + MOST_OFFSET + 1)));
  return isOffset ? end - from <= MOST_OFFSET : offsetEnd(text, from, end) >= 0;
}

interface LinePlace {
  readonly from: number;
  readonly end: number;
  /** More of it may come. */
  readonly isCut: boolean;
}

/** Where the bytes begin; -1 if the line begins with no offset. */
function offsetEnd(text: string, from: number, end: number): number {
  if (end - from > MOST_LINE_CHARS) return -1;
  let at = from;
  while (at < end && at - from <= MOST_OFFSET && isHexDigit(text.charCodeAt(at))) at += 1;
  if (at - from < LEAST_OFFSET || at - from > MOST_OFFSET || at === end) return -1;
  const behind = text.charAt(at);
  return behind === ":" || behind === " " || behind === "\t" ? at + 1 : -1;
}

function isHexDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}

function tokensOf(line: string): string[] {
  return line.trim().split(/\s+/, MOST_TOKENS);
}

/** The lines with a part of a secret, whichever way their tokens are read. */
function linesWith(lines: readonly DumpLine[], index: FormIndex<{ readonly text: string }>): Match[] {
  const found = new Set<DumpLine>();
  for (const reading of READINGS) {
    const ends: number[] = [];
    let bytes = "";
    for (const { tokens } of lines) {
      bytes += bytesOf(tokens, reading);
      ends.push(bytes.length);
    }
    for (const { start, length } of index.find(bytes)) {
      for (const [number, line] of lines.entries()) {
        if ((ends[number] ?? 0) > start && (ends[number - 1] ?? 0) < start + length) found.add(line);
      }
    }
  }
  return lines.filter((line) => found.has(line)).map(({ start, end }) => ({ start, length: end - start }));
}

/** Up to the first token that is none, where the text beside the bytes begins, and at most a line's bytes. */
function bytesOf(tokens: readonly string[], reading: Reading): string {
  const bytes: number[] = [];
  for (const token of tokens) {
    const read = reading(token);
    if (read === null || bytes.length + read.length > MOST_BYTES) break;
    bytes.push(...read);
  }
  return String.fromCharCode(...bytes);
}

const MOST_BYTES = 16;
