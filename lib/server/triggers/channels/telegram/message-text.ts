import type { MessageEntity } from "grammy/types";

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const NOTHING: Span = { start: 0, end: 0 };

/** How kinds of text are written in Markdown; kinds that it can't write stay plain. */
const MARKS: Readonly<Record<string, string>> = { bold: "**", italic: "*", strikethrough: "~~", code: "`" };

const QUOTES = new Set<MessageEntity["type"]>(["blockquote", "expandable_blockquote"]);

/** A text of Telegram with its formatting as Markdown. */
export function markdownOf(text: string, entities: readonly MessageEntity[], omitted: Span = NOTHING): string {
  const inserted = new Insertions();
  const outerFirst = entities.toSorted((one, other) => one.offset - other.offset || other.length - one.length);
  for (const entity of outerFirst) insertMarks(inserted, text, entity);
  return inserted.applyTo(text, omitted).trim();
}

/** What stands between the characters of a text, by position. */
class Insertions {
  readonly #closing = new Map<number, string>();
  readonly #opening = new Map<number, string>();

  /** Called for outer kinds before inner ones. */
  around(start: number, end: number, [open, close]: readonly [string, string]): void {
    this.#opening.set(start, `${this.#opening.get(start) ?? ""}${open}`);
    this.#closing.set(end, `${close}${this.#closing.get(end) ?? ""}`);
  }

  applyTo(text: string, { start, end }: Span): string {
    const isDoubled = end > start && text[end] === " " && (start === 0 || text[start - 1] === " ");
    const rest = isDoubled ? end + 1 : end;
    const shown: string[] = [];
    for (let at = 0; at <= text.length; at += 1) {
      shown.push(this.#closing.get(at) ?? "", this.#opening.get(at) ?? "");
      if (at < start || at >= rest) shown.push(text[at] ?? "");
    }
    return shown.join("");
  }
}

function insertMarks(inserted: Insertions, text: string, entity: MessageEntity): void {
  const covered = text.slice(entity.offset, entity.offset + entity.length);
  // Marks next to white space mean nothing in Markdown.
  const start = entity.offset + (covered.length - covered.trimStart().length);
  const end = start + covered.trim().length;
  if (end <= start) return;
  const marks = marksOf(entity, text.slice(start, end));
  if (QUOTES.has(entity.type)) insertQuote(inserted, text, { start, end });
  else if (marks) inserted.around(start, end, marks);
}

function marksOf(entity: MessageEntity, covered: string): readonly [string, string] | null {
  if (entity.type === "pre") {
    const fence = "`".repeat(Math.max(3, longestRun(covered) + 1));
    return [`${fence}${entity.language ?? ""}\n`, `\n${fence}`];
  }
  if (entity.type === "code" && covered.includes("`")) {
    const fence = "`".repeat(longestRun(covered) + 1);
    return [`${fence} `, ` ${fence}`];
  }
  if (entity.type === "text_link") {
    return ["[", `](${entity.url.replaceAll("(", "%28").replaceAll(")", "%29").replaceAll(" ", "%20")})`];
  }
  const mark = MARKS[entity.type];
  return mark === undefined ? null : [mark, mark];
}

/** Code needs more backticks around it than it has in a row. */
function longestRun(code: string): number {
  return Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
}

function insertQuote(inserted: Insertions, text: string, { start, end }: Span): void {
  inserted.around(start, end, ["> ", text[end] === "\n" ? "\n" : ""]);
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    inserted.around(at + 1, at + 1, ["> ", ""]);
  }
}
