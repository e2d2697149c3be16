/** Simple Markdown as the HTML that Telegram shows; unsupported syntax is left as written. */
export function toTelegramHtml(markdown: string): string {
  const pieces = markdown.split(/(```[^\n`]*\n[\s\S]*?(?:\n```|$))/g);
  return pieces.map((piece) => (piece.startsWith("```") ? fenced(piece) : prose(piece))).join("");
}

function fenced(block: string): string {
  const { language = "", code = "" } =
    /^```(?<language>[^\n`]*)\n(?<code>[\s\S]*?)(?:\n```)?$/.exec(block)?.groups ?? {};
  const name = /^[\w+#-]+/.exec(language.trim())?.[0];
  const open = name === undefined ? "<pre>" : `<pre><code class="language-${name}">`;
  return `${open}${escapeHtml(code)}${name === undefined ? "</pre>" : "</code></pre>"}`;
}

function prose(text: string): string {
  return text
    .split(/(`[^`\n]+`)/g)
    .map((piece) => (/^`[^`\n]+`$/.test(piece) ? `<code>${escapeHtml(piece.slice(1, -1))}</code>` : styled(piece)))
    .join("");
}

function styled(text: string): string {
  return escapeHtml(text)
    .replace(/^#{1,6} +(.+)$/gm, "<b>$1</b>")
    .replace(/\*\*(?=\S)([^*\n]*\S)\*\*/g, "<b>$1</b>")
    .replace(/\[([^\]\n]+)\]\((https?:\/\/[^\s)"]+)\)/g, '<a href="$2">$1</a>')
    .replace(/^&gt; ?(.*(?:\n&gt; ?.*)*)/gm, (_, quoted: string) => {
      return `<blockquote>${quoted.replace(/\n&gt; ?/g, "\n")}</blockquote>`;
    });
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
