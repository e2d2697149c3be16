/** What comes instead of the text from the place that was found to `end`. */
export interface Replacement {
  readonly end: number;
  readonly text: string;
}

/**
 * The text with a replacement at every place that `pattern` finds and `replace` wants; `replace` gets the index behind
 * what was found, and null leaves the place as it is.
 */
export async function replaceFound(
  text: string,
  pattern: RegExp,
  replace: (at: number) => Promise<Replacement | null>,
): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index < end) continue;
    const replacement = await replace(found.index + found[0].length);
    if (replacement === null) continue;
    parts.push(text.slice(end, found.index), replacement.text);
    end = replacement.end;
  }
  return parts.join("") + text.slice(end);
}

/** An address of a style sheet, with or without quotation marks; null if it does not end. */
export function readAddress(text: string, at: number): { readonly href: string; readonly end: number } | null {
  const quote = text.charAt(at);
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1);
    return end <= at + 1 ? null : { href: text.slice(at + 1, end), end: end + 1 };
  }
  let end = at;
  while (end < text.length && !/[\s"'();]/u.test(text.charAt(end))) end += 1;
  return end === at ? null : { href: text.slice(at, end), end };
}
