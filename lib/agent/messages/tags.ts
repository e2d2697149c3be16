/** The text wrapped in the named tag. */
export function inTags(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

/** Escapes third-party text so that it can't close its enclosing tag and pose as the prompt. */
export function keepInTag(tag: string, text: string): string {
  return text.replaceAll(new RegExp(`<(/?\\s*${tag}\\b)`, "gi"), "&lt;$1");
}
