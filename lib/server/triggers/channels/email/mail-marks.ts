import { FOOTERS } from "./mail-words";

/** No line of a mail program is longer. */
const MOST_MARK_CHARACTERS = 120;
const FEWEST_DASHES = 2;
const FEWEST_UNDERSCORES = 20;
const DASHES = "-_=—";

/** The words between dashes, as in "---------- Forwarded message ---------", in lower case; null for any other line. */
export function markOf(line: string): string | null {
  const text = line.trim();
  if (text.length > MOST_MARK_CHARACTERS) return null;
  let start = 0;
  while (DASHES.includes(text[start] ?? " ")) start += 1;
  let end = text.length;
  while (end > start && DASHES.includes(text[end - 1] ?? " ")) end -= 1;
  if (start < FEWEST_DASHES || text.length - end < FEWEST_DASHES) return null;
  return text.slice(start, end).trim().toLowerCase() || null;
}

/** The line that Outlook draws above the headers of a mail. */
export function isRule(line: string): boolean {
  const text = line.trim();
  return (
    text.length >= FEWEST_UNDERSCORES && text.length <= MOST_MARK_CHARACTERS && [...text].every((char) => char === "_")
  );
}

/** A line without quotation marks and emphasis. */
export function withoutQuoting(line: string): string {
  let start = 0;
  while (start < line.length && "> \t*".includes(line[start] ?? "-")) start += 1;
  let end = line.length;
  while (end > start && " \t*".includes(line[end - 1] ?? "-")) end -= 1;
  return line.slice(start, end);
}

/** Whether a line was added by a mail program below what was written. */
export function isFooter(line: string): boolean {
  const text = line.trim().toLowerCase();
  return text.length <= MOST_MARK_CHARACTERS && FOOTERS.some((start) => text.startsWith(start));
}

/** Whether a subject begins with one of these, as in "Re:" and "Re[2]:". */
export function hasPrefix(subject: string, prefixes: readonly string[]): boolean {
  const [before = "", after] = subject.slice(0, 20).replaceAll("：", ":").split(":");
  return after !== undefined && prefixes.includes((before.split("[")[0] ?? "").trim().toLowerCase());
}

export function containsOne(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some((word) => lower.includes(word));
}
