/** An `@` that begins a word at the end of the text, with what follows it. */
export const MENTION = /(^|\s)@(\S*)$/;

export function mentionIn(text: string): string | null {
  return MENTION.exec(text)?.[2] ?? null;
}
