import type { MarkedToken, Token, Tokens } from "marked";
import { parseMarkdown } from "@/lib/text/markdown/parse-markdown";

/** Deeper nesting than in any human text is shown as written. */
const MOST_DEPTH = 20;

/**
 * Markdown as Slack's mrkdwn. Slack's control characters in the text are escaped: no answer can notify a whole channel
 * with `<!channel>`.
 */
export function toMrkdwn(markdown: string): string {
  const tokens = parseMarkdown(markdown);
  return tokens === null ? escapeSlack(markdown) : blocks(tokens, 0).trim();
}

/** Escapes the three characters that start Slack's own syntax. */
function escapeSlack(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** A person's message in Slack as plain text: names for mentions and channels, addresses for links. */
export function fromMrkdwn(text: string, botUserId: string | null): string {
  // Without the space behind the bot's name; those of a person's own, such as an indentation, stay.
  const own = text.replaceAll(/<@([^<>|]+)(?:\|[^<>]*)?> ?/g, (whole, id: string) => (id === botUserId ? "" : whole));
  return own
    .replace(/<([^<>|]+)(?:\|([^<>]*))?>/g, (_, target: string, label: string | undefined) => readable(target, label))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

function readable(target: string, label = ""): string {
  if (target.startsWith("@")) return `@${label || target.slice(1)}`;
  if (target.startsWith("#")) return `#${label || target.slice(1)}`;
  if (target.startsWith("!")) return label || `@${target.slice(1).split("^")[0]}`;
  const address = target.replace(/^mailto:/, "");
  return label === "" || label === address || label === target ? address : `${label} (${address})`;
}

function blocks(tokens: readonly Token[], depth: number): string {
  if (depth > MOST_DEPTH) return escapeSlack(tokens.map(({ raw }) => raw).join(""));
  const shown = tokens.map((token) => block(token as MarkedToken, depth)).filter((text) => text !== "");
  return shown.join("\n\n");
}

function block(token: MarkedToken, depth: number): string {
  switch (token.type) {
    case "space":
    case "def":
      return "";
    case "heading":
      return `*${inline(token.tokens).replaceAll("*", "")}*`;
    case "code":
      return codeBlock(token.text);
    case "blockquote":
      return prefixed(blocks(token.tokens, depth + 1), "> ");
    case "list":
      return list(token, depth);
    case "table":
      return codeBlock(table(token));
    case "hr":
      return "———";
    case "paragraph":
      return inline(token.tokens);
    case "text":
      return token.tokens ? inline(token.tokens) : plain(token.text);
    default:
      return escapeSlack(token.raw.trim());
  }
}

function codeBlock(code: string): string {
  return `\`\`\`\n${escapeSlack(code.replaceAll("```", "ˋˋˋ"))}\n\`\`\``;
}

function prefixed(text: string, prefix: string): string {
  return text
    .split("\n")
    .map((line) => `${prefix}${line}`)
    .join("\n");
}

function list({ items, ordered, start }: Tokens.List, depth: number): string {
  return items.map((item, index) => listItem(item, ordered ? `${Number(start) + index}. ` : "• ", depth)).join("\n");
}

function listItem({ tokens, task, checked }: Tokens.ListItem, marker: string, depth: number): string {
  const own = tokens.filter(({ type }) => type !== "checkbox");
  const box = task ? (checked ? "☑ " : "☐ ") : "";
  const parts = own.map((token) => block(token as MarkedToken, depth + 1)).filter((text) => text !== "");
  const [first = "", ...rest] = parts.join("\n").split("\n");
  const indent = depth > MOST_DEPTH ? "" : "    ";
  return [`${marker}${box}${first}`, ...rest.map((line) => `${indent}${line}`)].join("\n");
}

/** Columns of equal width, because Slack has no tables. */
function table({ header, rows }: Tokens.Table): string {
  const cells = [header, ...rows].map((row) => row.map(({ text }) => text.replaceAll(/[*_`]/g, "")));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [lines[0], rule, ...lines.slice(1)].join("\n");
}

function inline(tokens: readonly Token[]): string {
  return tokens.map((token) => inlineToken(token as MarkedToken)).join("");
}

function inlineToken(token: MarkedToken): string {
  switch (token.type) {
    case "strong":
      return `*${inline(token.tokens)}*`;
    case "em":
      return `_${inline(token.tokens)}_`;
    case "del":
      return `~${inline(token.tokens)}~`;
    case "codespan":
      return `\`${escapeSlack(token.text)}\``;
    case "br":
      return "\n";
    case "link":
      return link(token.href, inline(token.tokens));
    case "image":
      return link(token.href, plain(token.text));
    case "text":
      return token.tokens ? inline(token.tokens) : plain(token.text);
    case "escape":
      return escapeSlack(token.text);
    default:
      return escapeSlack(token.raw);
  }
}

/** Only web and mail addresses become links; any other stays text. */
function link(href: string, label: string): string {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return label === "" ? escapeSlack(href) : label;
  const address = escapeSlack(href).replaceAll("|", "%7C");
  const shown = label.replaceAll("\n", " ").replaceAll("|", "¦");
  return shown === "" || shown === address ? `<${address}>` : `<${address}|${shown}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/** Decodes entities that the model may have written itself. */
function plain(text: string): string {
  return escapeSlack(text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity));
}
