/** Replaces the middle of text longer than `maxChars` with a marker, keeping its first and last characters (D-24). */
export function cutMiddle(
  text: string,
  { maxChars, head, tail }: { readonly maxChars: number; readonly head: number; readonly tail: number },
): { readonly text: string; readonly truncatedChars: number } {
  const truncatedChars = text.length - head - tail;
  if (text.length <= maxChars || truncatedChars <= 0) return { text, truncatedChars: 0 };
  const start = text.slice(0, head).toWellFormed();
  const end = text.slice(text.length - tail).toWellFormed();
  return { text: `${start}\n\n... (truncated ${truncatedChars} characters) ...\n\n${end}`, truncatedChars };
}
