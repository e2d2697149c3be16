/** An `@` that starts a word at the end of the text, and what follows it. */
export const MENTION = /(^|\s)@(\S*)$/;

export function mentionIn(text: string): string | null {
  return MENTION.exec(text)?.[2] ?? null;
}
