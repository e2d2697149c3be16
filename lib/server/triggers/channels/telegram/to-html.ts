import type { MarkedToken, Token, Tokens } from "marked";
import { parseMarkdown } from "@/lib/text/markdown/parse-markdown";

/** Deeper nesting than in any human text is shown as written. */
const MOST_DEPTH = 20;

/** Markdown as the HTML that Telegram shows; what it can't show is left as written. */
export function toTelegramHtml(markdown: string): string {
  const tokens = parseMarkdown(markdown);
  return tokens === null ? escapeHtml(markdown) : blocks(tokens, { depth: 0, isQuoted: false });
}

interface Place {
  readonly depth: number;
  /** Telegram nests no quotes. */
  readonly isQuoted: boolean;
}

function blocks(tokens: readonly Token[], place: Place): string {
  if (place.depth > MOST_DEPTH) return escapeHtml(tokens.map(({ raw }) => raw).join(""));
  const shown = tokens.map((token) => block(token as MarkedToken, place)).filter((text) => text !== "");
  return shown.join("\n\n");
}

function block(token: MarkedToken, place: Place): string {
  switch (token.type) {
    case "space":
    case "def":
      return "";
    case "heading":
      return bold(inline(token.tokens));
    case "code":
      return codeBlock(token);
    case "blockquote":
      return quote(token, place);
    case "list":
      return list(token, place);
    case "table":
      return `<pre>${escapeHtml(token.raw.trim())}</pre>`;
    case "hr":
      return "———";
    case "paragraph":
      return inline(token.tokens);
    case "text":
      return token.tokens ? inline(token.tokens) : escapeHtml(token.text);
    default:
      return escapeHtml(token.raw.trim());
  }
}

function bold(html: string): string {
  return `<b>${html.replaceAll("<b>", "").replaceAll("</b>", "")}</b>`;
}

function codeBlock({ text, lang = "", raw }: Tokens.Code): string {
  const isFenced = raw.trimStart().startsWith("```") || raw.trimStart().startsWith("~~~");
  const name = /^[\w+#-]+/.exec(isFenced ? lang.trim() : "")?.[0];
  if (name === undefined) return `<pre>${escapeHtml(text)}</pre>`;
  return `<pre><code class="language-${name}">${escapeHtml(text)}</code></pre>`;
}

function quote({ tokens }: Tokens.Blockquote, { depth, isQuoted }: Place): string {
  const inner = blocks(tokens, { depth: depth + 1, isQuoted: true });
  if (!isQuoted) return `<blockquote>${inner}</blockquote>`;
  return inner
    .split("\n")
    .map((line) => `&gt; ${line}`)
    .join("\n");
}

function list({ items, ordered, start }: Tokens.List, place: Place): string {
  return items.map((item, index) => listItem(item, ordered ? `${Number(start) + index}. ` : "• ", place)).join("\n");
}

function listItem({ tokens, task, checked }: Tokens.ListItem, marker: string, { depth, isQuoted }: Place): string {
  const own = tokens.filter(({ type }) => type !== "checkbox");
  const box = task ? (checked ? "☑ " : "☐ ") : "";
  const inner = { depth: depth + 1, isQuoted };
  if (depth >= MOST_DEPTH) return `${marker}${box}${escapeHtml(own.map(({ raw }) => raw).join(""))}`;
  const parts = own.map((token) => block(token as MarkedToken, inner)).filter((text) => text !== "");
  const [first = "", ...rest] = parts.join("\n").split("\n");
  // The lines of a code block keep their own white space.
  const indent = parts.some((part) => part.includes("<pre>")) ? "" : "    ";
  return [`${marker}${box}${first}`, ...rest.map((line) => `${indent}${line}`)].join("\n");
}

function inline(tokens: readonly Token[]): string {
  return tokens.map((token) => inlineToken(token as MarkedToken)).join("");
}

function inlineToken(token: MarkedToken): string {
  switch (token.type) {
    case "strong":
      return bold(inline(token.tokens));
    case "em":
      return `<i>${inline(token.tokens)}</i>`;
    case "del":
      // One tilde means "about", as in "~5".
      return token.raw.startsWith("~~") ? `<s>${inline(token.tokens)}</s>` : `~${inline(token.tokens)}~`;
    case "codespan":
      return `<code>${escapeHtml(token.text)}</code>`;
    case "br":
      return "\n";
    case "link":
      return link(token.href, inline(token.tokens));
    case "image":
      return link(token.href, escapeHtml(token.text));
    case "text":
      return token.tokens ? inline(token.tokens) : escapeHtml(token.text);
    case "escape":
      return escapeHtml(token.text);
    default:
      return escapeHtml(token.raw);
  }
}

/** Telegram makes links of bare addresses itself. */
function link(href: string, label: string): string {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return label === "" ? escapeHtml(href) : label;
  const address = escapeHtml(href).replaceAll('"', "&quot;");
  return label === address || `mailto:${label}` === address ? label : `<a href="${address}">${label || address}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
