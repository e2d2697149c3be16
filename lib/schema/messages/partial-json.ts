/**
 * The object that a text of JSON has begun to write: strings, lists and objects that are not closed end where the text
 * ends. Null while there is none, or when the text is no JSON.
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

/** The text up to its last whole value, with what is open closed. */
function closed(text: string): string {
  const closers: string[] = [];
  let end = 0;
  let ends = "";
  let index = 0;
  const keep = (at: number, extra = "") => {
    end = at;
    ends = extra + closers.toReversed().join("");
  };
  let isKey = false;
  while (index < text.length) {
    const character = text[index];
    if (character === '"') {
      const close = endOfString(text, index + 1);
      if (close === null) {
        if (!isKey) keep(lastWhole(text, index + 1), '"');
        break;
      }
      index = close;
      if (!isKey) keep(index + 1);
    } else if (character === "{" || character === "[") {
      closers.push(character === "{" ? "}" : "]");
      keep(index + 1);
    } else if (character === "}" || character === "]") {
      closers.pop();
      keep(index + 1);
    }
    if (character === "{" || character === ",") isKey = closers.at(-1) === "}";
    else if (character === ":" || character === "[") isKey = false;
    // A number or word is whole where a comma follows it.
    if (character === ",") keep(index);
    index += 1;
  }
  return text.slice(0, end) + ends;
}

/** The place of the quotation mark that ends a string; null for one that is open. */
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

/** An escape that is cut in two waits for its rest, as does the first half of a surrogate pair. */
function lastWhole(text: string, from: number): number {
  const open = /(?:\\u[\da-fA-F]{0,3}|\\)$/u.exec(text.slice(Math.max(from, text.length - 6)));
  if (open === null) return text.length;
  const start = text.length - open[0].length;
  let slashes = 0;
  while (start - 1 - slashes >= from && text[start - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 0 ? start : text.length;
}
