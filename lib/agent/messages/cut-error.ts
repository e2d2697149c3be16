const MAX_ERROR_CHARS = 20_000;
/** As far back a cut looks for the end of a word. */
const LONGEST_WORD = 500;

/** The beginning of an error's text: what an extension throws may be a megabyte, and stands in the run and its trace. */
export function cutError(text: string): string {
  if (text.length <= MAX_ERROR_CHARS) return text;
  const kept = beginningOf(text, MAX_ERROR_CHARS);
  return `${kept}… (${(text.length - kept.length).toLocaleString("en")} more characters)`;
}

/**
 * At most `maxChars` of a text, to the end of a word: half a secret would not be recognised where secrets are removed
 * and texts are masked.
 */
export function beginningOf(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  for (let end = maxChars; end > Math.max(0, maxChars - LONGEST_WORD); end -= 1) {
    if (/\s/.test(text.charAt(end))) return text.slice(0, end).toWellFormed();
  }
  return text.slice(0, maxChars).toWellFormed();
}
