import { HEADERS } from "./mail-phrases";

/** How many lines of a mail's headers are looked at. */
const MOST_LINES = 12;
/** A longer name is not that of a header. */
const MOST_NAME_CHARACTERS = 24;
const MOST_VALUE_CHARACTERS = 1_000;

/** Whether the headers of another mail begin here, as programs show them above a mail they forward or answer. */
export function areHeadersAt(lines: readonly string[], at: number, isBelowRule: boolean): boolean {
  const { names, values } = headersAt(lines, at);
  if (names.length < 3) return false;
  const has = (words: readonly string[]) => names.some((name) => words.includes(name));
  const facts = [has(HEADERS.to), has(HEADERS.subject), values.some(isWithAddress), values.some(isWithTime)];
  const count = facts.filter(Boolean).length;
  // "From: Berlin, To: Paris, Date: Monday" is a person's own: only a mail has addresses, times and a subject.
  if (has(HEADERS.from) && has(HEADERS.date)) return count >= (isBelowRule ? 1 : 3);
  return isBelowRule && values.some(isWithAddress) && values.some(isWithTime);
}

/** Whether a line is the first header of a mail, such as "From: Ada". */
export function isMailHeader(line: string): boolean {
  const header = readHeader(line);
  if (!header) return false;
  return isWithAddress(header.value) || Object.values(HEADERS).some((words) => words.includes(header.name));
}

function headersAt(lines: readonly string[], at: number): { readonly names: string[]; readonly values: string[] } {
  const names: string[] = [];
  const values: string[] = [];
  for (const line of lines.slice(at, at + MOST_LINES)) {
    const header = readHeader(line);
    if (header) {
      names.push(header.name);
      values.push(header.value);
    } else if (line.trim() === "" || names.length === 0) break;
    // Long headers are wrapped.
    else values[values.length - 1] += ` ${line.slice(0, MOST_VALUE_CHARACTERS).trim()}`;
  }
  return { names, values };
}

/** Outlook writes names in bold. */
function readHeader(line: string): { readonly name: string; readonly value: string } | null {
  const plain = line.slice(0, MOST_VALUE_CHARACTERS).replaceAll("*", "").replaceAll("：", ":");
  const colon = plain.indexOf(":");
  if (colon < 1 || colon > MOST_NAME_CHARACTERS) return null;
  const name = plain.slice(0, colon).trim().toLowerCase();
  const value = plain.slice(colon + 1).trim();
  return name === "" || value === "" || name.split(" ").length > 3 ? null : { name, value };
}

function isWithAddress(value: string): boolean {
  const at = value.indexOf("@");
  return at > 0 && value.indexOf(".", at) > at + 1;
}

/** A year, or an hour with its minutes. */
export function isWithTime(value: string): boolean {
  return /(?:^|\D)(?:19|20)\d\d(?:\D|$)|\p{Nd}[:.]\p{Nd}\p{Nd}/u.test(value);
}
