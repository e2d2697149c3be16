import { Marked } from "marked";
import { parseMarkdown } from "@/lib/text/markdown/parse-markdown";

const marked = new Marked({
  renderer: {
    // HTML written by the model is shown, not interpreted.
    html: ({ text }) => escapeHtml(text),
    // A remote picture would tell its host that the mail was read.
    image: ({ href, text }) => linkOf(href, escapeHtml(text)),
    link({ href, tokens }) {
      return linkOf(href, this.parser.parseInline(tokens));
    },
  },
});

/** The simple HTML part of a mail: no scripts, no remote pictures, no styles except for code. */
export function toMailHtml(markdown: string): string {
  return `<!doctype html><html><body>${bodyOf(markdown)}</body></html>`;
}

function bodyOf(markdown: string): string {
  const tokens = parseMarkdown(markdown, { breaks: true });
  return tokens === null ? `<pre>${escapeHtml(markdown)}</pre>` : marked.parser(tokens);
}

function linkOf(href: string, shown: string): string {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return shown;
  return `<a href="${escapeHtml(href)}">${shown === "" ? escapeHtml(href) : shown}</a>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
