/** The text between tags of its name. */
export function inTags(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

/** Text that someone else wrote, so that it can't end the tag it is in and go on as if it were the prompt. */
export function keepInTag(tag: string, text: string): string {
  return text.replaceAll(new RegExp(`<(/?\\s*${tag}\\b)`, "gi"), "&lt;$1");
}
