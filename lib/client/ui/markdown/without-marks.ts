/** Markdown's text as it reads on the page: code as written, elsewhere without its marks. */
export function withoutMarks(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?(?:```|$))/u)
    .map((part) => (part.startsWith("```") ? part.replace(/^```.*\n?|\n?```$/gu, "") : withoutInlineMarks(part)))
    .join("");
}

function withoutInlineMarks(markdown: string): string {
  return markdown
    .replace(/!?\[([^\][]*)\]\([^)[]*\)/gu, "$1")
    .replace(/\*\*|__|~~|`/gu, "")
    .replace(/(?<!\p{L})[*_](?=\S)|(?<=\S)[*_](?!\p{L})/gu, "");
}

/** The same in a few words of running text: no headings, bullets or quotation marks at the start of a line. */
export function excerptOf(markdown: string): string {
  return withoutMarks(markdown)
    .replace(/^[ \t]*(?:#{1,6}|[-*+>]|\d+[.)])[ \t]+/gmu, "")
    .replace(/\s+/gu, " ")
    .trim();
}
