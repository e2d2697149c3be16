/**
 * The object that a partial JSON text has begun; unclosed strings, lists and objects end where the text ends. Null if
 * there is none yet, or if the text is not JSON.
 */
export function readPartialObject(text: string): Readonly<Record<string, unknown>> | null {
  const value = parse(text) ?? parse(closed(text));
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whatever is nested deeper is shown without what is in it: each value is closed by as many marks as are open. */
const MAX_DEPTH = 100;

/** The text up to its last complete value, with everything open closed. */
function closed(text: string): string {
  const place: Place = { closers: [], isKey: false, end: 0, ends: "" };
  let index = 0;
  while (index < text.length && place.closers.length <= MAX_DEPTH) {
    if (text[index] === '"') {
      const close = endOfString(text, index + 1);
      if (!place.isKey) keep(place, close === null ? lastWhole(text, index + 1) : close + 1, close === null ? '"' : "");
      if (close === null) break;
      index = close;
    } else {
      passMark(place, text[index] ?? "", index);
    }
    index += 1;
  }
  return text.slice(0, place.end) + place.ends;
}

/**
 * State of the JSON scan: what is open, whether a name comes next, and the end of the last complete value with what
 * closes it.
 */
interface Place {
  readonly closers: string[];
  isKey: boolean;
  end: number;
  ends: string;
}

function keep(place: Place, end: number, extra = ""): void {
  place.end = end;
  place.ends = extra + place.closers.toReversed().join("");
}

function passMark(place: Place, mark: string, index: number): void {
  const { closers } = place;
  if (mark === "{" || mark === "[") closers.push(mark === "{" ? "}" : "]");
  if (mark === "}" || mark === "]") closers.pop();
  // A number or word is complete once a comma follows it.
  if (mark === ",") keep(place, index);
  else if ("{}[]".includes(mark)) keep(place, index + 1);
  if (mark === "{" || mark === ",") place.isKey = closers.at(-1) === "}";
  else if (mark === ":" || mark === "[") place.isKey = false;
}

/** Index of the quotation mark that closes a string; null if the string is open. */
function endOfString(text: string, from: number): number | null {
  let close = text.indexOf('"', from);
  while (close !== -1) {
    let slashes = 0;
    while (text[close - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return close;
    close = text.indexOf('"', close + 1);
  }
  return null;
}

/** A truncated escape waits for its rest, as does the first half of a surrogate pair. */
function lastWhole(text: string, from: number): number {
  const open = /(?:\\u[\da-fA-F]{0,3}|\\)$/u.exec(text.slice(Math.max(from, text.length - 6)));
  if (open === null) return text.length;
  const start = text.length - open[0].length;
  let slashes = 0;
  while (start - 1 - slashes >= from && text[start - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 0 ? start : text.length;
}
