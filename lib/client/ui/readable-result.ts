/**
 * A tool's result for reading: JSON is indented, and line breaks inside its strings become lines. Everything else
 * stays as it is. The raw record keeps the exact text.
 */
export function readableResult(text: string): string {
  if (!/^\s*[[{]/u.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(/\\\\|\\n/gu, (found) => (found === "\\n" ? "\n" : found));
  } catch {
    return text;
  }
}
