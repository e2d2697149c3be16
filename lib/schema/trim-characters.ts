/** The text without the characters at its end that match `trimmed`, a pattern of one character. Takes linear time. */
export function trimEndOf(text: string, trimmed: RegExp): string {
  let end = text.length;
  while (end > 0 && trimmed.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Like `trimEndOf`, at both ends. */
export function trimOf(text: string, trimmed: RegExp): string {
  const kept = trimEndOf(text, trimmed);
  let start = 0;
  while (start < kept.length && trimmed.test(kept.charAt(start))) start += 1;
  return kept.slice(start);
}
