import { expect, test } from "vitest";
import { toTelegramHtml } from "./to-html";

test.for<[string, string, string]>([
  ["bold, italics and strikethrough", "**a** *b* _c_ ~~d~~", "<b>a</b> <i>b</i> <i>c</i> <s>d</s>"],
  ["one in another", "**a *b* ~~c~~**", "<b>a <i>b</i> <s>c</s></b>"],
  ["bold italics", "***a***", "<i><b>a</b></i>"],
  ["one tilde as written", "~5 and ~10, ~a~", "~5 and ~10, ~a~"],
  ["stars and underscores of no mark", "2 * 3 * 4 snake_case_name", "2 * 3 * 4 snake_case_name"],
  ["a heading", "## Two **words**", "<b>Two words</b>"],
  ["code in a line", "`a < b`", "<code>a &lt; b</code>"],
  ["marks in code as written", "`*a* ~~b~~`", "<code>*a* ~~b~~</code>"],
  ["a code block", "```ts\nif (a && b) {}\n```", '<pre><code class="language-ts">if (a &amp;&amp; b) {}</code></pre>'],
  ["a code block without a language", "```\n*a*\n```", "<pre>*a*</pre>"],
  ["an open code block", "```\na", "<pre>a</pre>"],
  [
    "a link",
    "[*a* page](https://example.org/?a=1&b=2)",
    '<a href="https://example.org/?a=1&amp;b=2"><i>a</i> page</a>',
  ],
  ["a bare link", "https://example.org", "https://example.org"],
  ["a link to nothing a browser opens", "[x](javascript:alert(1))", "x"],
  ["a list", "- one\n- *two*\n  - three", "• one\n• <i>two</i>\n    • three"],
  ["a numbered list", "3. one\n4. two", "3. one\n4. two"],
  ["a quote", "> one\n> *two*", "<blockquote>one\n<i>two</i></blockquote>"],
  ["a quote in a quote", "> one\n> > two", "<blockquote>one\n\n&gt; two</blockquote>"],
  ["HTML as written", "<b>x</b> <script>", "&lt;b&gt;x&lt;/b&gt; &lt;script&gt;"],
  ["paragraphs and lines", "a\nb\n\nc", "a\nb\n\nc"],
])("shows %s", ([, markdown, html]) => expect(toTelegramHtml(markdown)).toBe(html));

test("shows text that is nested without end", () => {
  expect(toTelegramHtml(`${">".repeat(5_000)} x`)).toContain("x");
});
