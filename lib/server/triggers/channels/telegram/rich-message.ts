import type { Message } from "grammy/types";
import { type Content, describeContent } from "./describe-content";
import { knownContent } from "./update-fields";

/** Telegram's own limits. */
const MOST_DEPTH = 16;
const MOST_BLOCKS = 500;

export interface RichContent {
  /** As Markdown, as far as that can say it. */
  readonly text: string;
  /** The names that it mentions, as written: `@lab_bot`. */
  readonly mentions: readonly string[];
  /** Its pictures, films, sounds and documents. */
  readonly media: readonly Content[];
}

const NOTHING: RichContent = { text: "", mentions: [], media: [] };

type Fields = Readonly<Record<string, unknown>>;

/** A message with headings, lists and tables (Bot API 10.1); nothing for any other. */
export function richContentOf({ rich_message: rich }: Partial<Message>): RichContent {
  return rich ? new RichReader().read(rich.blocks) : NOTHING;
}

/** How kinds of text are written in Markdown; the others stay plain. */
const MARKS: Readonly<Record<string, string>> = { bold: "**", italic: "*", strikethrough: "~~", code: "`" };

/** Reads every block and text by itself: what is of a kind that is not known is read by the text that it holds. */
class RichReader {
  readonly #mentions: string[] = [];
  readonly #media: Content[] = [];
  #blocks = 0;

  read(blocks: unknown): RichContent {
    const text = this.#blocksOf(blocks, 0).trim();
    return { text, mentions: this.#mentions, media: this.#media };
  }

  #blocksOf(blocks: unknown, depth: number): string {
    if (!Array.isArray(blocks) || depth > MOST_DEPTH) return "";
    const shown = blocks.map((block) => (isFields(block) ? this.#block(block, depth) : ""));
    return shown.filter((text) => text !== "").join("\n\n");
  }

  #block(block: Fields, depth: number): string {
    this.#blocks += 1;
    if (this.#blocks > MOST_BLOCKS) return "";
    const text = this.#inline(block.text, depth + 1);
    switch (block.type) {
      case "heading":
        return `${"#".repeat(typeof block.size === "number" ? Math.min(6, Math.max(1, block.size)) : 1)} ${text}`;
      case "pre":
        return `\`\`\`${typeof block.language === "string" ? block.language : ""}\n${text}\n\`\`\``;
      case "divider":
        return "---";
      case "mathematical_expression":
        return `$$${String(block.expression ?? "")}$$`;
      case "list":
        return this.#list(block.items, depth);
      case "blockquote":
      case "expandable_blockquote":
      case "pullquote":
        return prefixed(this.#whole(block, text, depth), "> ", "> ");
      case "table":
        return [this.#table(block.cells, depth), this.#inline(block.caption, depth + 1)].filter(Boolean).join("\n");
      default:
        return this.#whole(block, text, depth);
    }
  }

  /** What a block may hold, of whatever kind it is. */
  #whole(block: Fields, text: string, depth: number): string {
    const summary = this.#inline(block.summary, depth + 1);
    const inner = this.#blocksOf(block.blocks, depth + 1);
    const caption = isFields(block.caption) ? this.#inline(block.caption.text, depth + 1) : "";
    const credit = this.#inline(block.credit, depth + 1);
    return [summary, text, inner, this.#mediaIn(block), caption, credit].filter(Boolean).join("\n");
  }

  #mediaIn(block: Fields): string {
    const kind = MEDIA.find((name) => block[name] !== undefined && block[name] !== null);
    if (kind === undefined) return "";
    const content = knownContent({ [kind === "voice_note" ? "voice" : kind]: block[kind] });
    this.#media.push(content);
    return describeContent(content);
  }

  #list(items: unknown, depth: number): string {
    if (!Array.isArray(items)) return "";
    const shown = items.filter(isFields).map((item) => {
      const label = typeof item.label === "string" && /^\w{1,9}[.)]$/.test(item.label) ? item.label : "-";
      const box = item.has_checkbox === true ? `[${item.is_checked === true ? "x" : " "}] ` : "";
      return prefixed(this.#blocksOf(item.blocks, depth + 1), `${label} ${box}`, "  ");
    });
    return shown.join("\n");
  }

  #table(rows: unknown, depth: number): string {
    if (!Array.isArray(rows)) return "";
    const lines = rows.filter(Array.isArray).map((row: unknown[]) => {
      const cells = row.map((cell) => (isFields(cell) ? this.#inline(cell.text, depth + 1) : ""));
      return `| ${cells.join(" | ")} |`;
    });
    return lines.join("\n");
  }

  #inline(text: unknown, depth: number): string {
    if (typeof text === "string") return text;
    if (depth > 2 * MOST_DEPTH) return "";
    if (Array.isArray(text)) return text.map((part) => this.#inline(part, depth + 1)).join("");
    if (!isFields(text)) return "";
    const inner = this.#inline(text.text, depth + 1);
    if (text.type === "mention") this.#mentions.push(inner);
    return marked(text, inner);
  }
}

/** A formatted text as Markdown; `inner` is what it formats. */
function marked({ type, alternative_text: alternative, expression, url }: Fields, inner: string): string {
  if (type === "custom_emoji") return typeof alternative === "string" ? alternative : "";
  if (type === "mathematical_expression") return `$${String(expression ?? "")}$`;
  if (type === "url" && inner !== url) return `[${inner}](${String(url ?? "")})`;
  const mark = inner.trim() === "" ? "" : (MARKS[String(type)] ?? "");
  return `${mark}${inner}${mark}`;
}

const MEDIA = ["photo", "video", "animation", "audio", "document", "voice_note", "location"] as const;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function prefixed(text: string, first: string, rest: string): string {
  return text
    .split("\n")
    .map((line, at) => `${at === 0 ? first : rest}${line}`)
    .join("\n");
}
