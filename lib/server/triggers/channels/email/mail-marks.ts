import { FOOTER_EDGES, FOOTERS, MAIL_PROGRAMS } from "./mail-phrases";

/** No line of a mail program is longer. */
const MOST_MARK_CHARACTERS = 120;
const FEWEST_DASHES = 2;
const FEWEST_UNDERSCORES = 20;
/** Also the hyphens and dashes of Unicode: Proton writes its mark with U+2010. */
const DASHES = "-_=‐‑‒–—―−";

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

/** No program says more of itself. */
const MOST_FOOTER_WORDS = 12;
const MOST_LINK_CHARACTERS = 500;

/** Whether a line was added by a mail program below what was written. */
export function isFooter(line: string): boolean {
  if (line.length > MOST_MARK_CHARACTERS + MOST_LINK_CHARACTERS) return false;
  const text = withoutLinks(line).trim().toLowerCase();
  if (text.length > MOST_MARK_CHARACTERS || text.split(" ").length > MOST_FOOTER_WORDS) return false;
  if (FOOTERS.some((start) => text.startsWith(start))) return true;
  // A program does not write a sentence of several parts.
  if (/[,;!?]/.test(text) || !containsOne(text, MAIL_PROGRAMS)) return false;
  return FOOTER_EDGES.some(([start, end]) => text.startsWith(start) && text.endsWith(end));
}

/** `Proton Mail` of `[Proton Mail](https://…)`, `Outlook` of `Outlook<https://…>`, `Outlook (https://…)`. */
function withoutLinks(line: string): string {
  return line
    .replace(/<[^<>]{1,500}>/g, "")
    .replace(/\]\([^()]{1,500}\)/g, "")
    .replace(/ \( ?https?:[^()]{1,500}\)/g, "")
    .replaceAll("[", "");
}

/** What a line says without the marks that only direct how it is written, as in Hebrew and Arabic. */
export function withoutDirections(line: string): string {
  return line.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trimEnd();
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
