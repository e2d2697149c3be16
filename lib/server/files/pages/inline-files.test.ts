import { describe, expect, test } from "vitest";
import { resolveIn } from "./addresses";
import { inlineFiles } from "./inline-files";

const inline = async (html: string, files: Readonly<Record<string, string>> = {}) =>
  inlineFiles(html, "site/index.html", async (path) => {
    const text = files[path];
    return text === undefined ? null : Buffer.from(text);
  });
const data = (type: string, text: string) => `data:${type};base64,${Buffer.from(text).toString("base64")}`;

describe("a page with its files in it", () => {
  test("style sheets, scripts and images of the workspace are put into it", async () => {
    const { html } = await inline(
      '<!doctype html>\n<link rel="stylesheet" href="css/a.css?v=1" media=print>\n<img alt="x" src=./a.png>\n<script src="/app.js"></script>',
      {
        "site/css/a.css": 'b { background: url(../b.gif) } @import "c.css";',
        "site/css/c.css": "i { color: red }",
        "site/b.gif": "B",
        "site/a.png": "A",
        "app.js": 'say("</script>")',
      },
    );
    expect(html).toBe(
      `<!doctype html>\n<style media="print">b { background: url("${data("image/gif", "B")}") } i { color: red }</style>\n` +
        `<img alt="x" src="${data("image/png", "A")}">\n<script>say("\\x3C/script>")</script>`,
    );
  });

  test("a script that waits for the page comes at its end", async () => {
    const { html } = await inline('<head><script defer src="a.js"></script></head>\n<p>x</p>', {
      "site/a.js": "run()",
    });
    expect(html).toBe("<head></head>\n<p>x</p><script>run()</script>");
  });

  test("a module brings the modules that it imports, and a circle ends", async () => {
    const { html } = await inline('<script type="module">import { a } from "./a.js"</script>', {
      "site/a.js": 'import "./b.js"; export const a = 1;',
      "site/b.js": 'import "./a.js"',
    });
    const b = data("text/javascript", 'import "./a.js"');
    expect(html).toBe(
      `<script type="module">import { a } from "${data("text/javascript", `import "${b}"; export const a = 1;`)}"</script>`,
    );
  });

  test("a line of the result leads back to the file that it came from", async () => {
    const { inlined, html } = await inline('<link rel=stylesheet\n href=a.css>\n<script src="b.js"></script>\n<p>', {
      "site/a.css": "a {}\nb {}\nc {}",
      "site/b.js": "one()\ntwo()",
    });
    expect(inlined).toEqual([
      { from: 1, to: 3, path: "site/a.css", replaced: 1 },
      { from: 4, to: 5, path: "site/b.js", replaced: 0 },
    ]);
    expect(html.split("\n")[4]).toBe("two()</script>");
  });

  test.each([
    '<link rel="preconnect" href="https://evil.example">',
    '<link rel="stylesheet prefetch" href="https://evil.example">',
    "<LINK REL=dns-prefetch HREF=//evil.example>",
    '<iframe srcdoc="<script>steal()</script>">',
    '<object data="x">',
    '<embed src="x">',
    '<base href="https://evil.example/">',
    '<script type="speculationrules">{"prefetch": []}</script>',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  ])("%s is taken out", async (tag) => {
    expect((await inline(`<p>a</p>${tag}<p>b</p>`)).html).toBe("<p>a</p><p>b</p>");
  });

  test.each([
    '<p a"b><link rel=preconnect href=//evil.example><p c"d>',
    '<svg><style><link rel=preconnect href="//evil.example"></style></svg>',
    '<svg><title><meta http-equiv="refresh" content="0;url=//evil.example"></title></svg>',
    '<select><style></select><meta http-equiv=refresh content="0;url=//evil.example"></style>',
    '<textarea><iframe src="//evil.example"></textarea>',
    '<!-- --!><base href="//evil.example"> -->',
    '<!--><meta http-equiv="refresh" content="0;url=//evil.example">-->',
    '<iframe><meta http-equiv="refresh" content="0;url=//evil.example"></iframe>',
    '<iframe><iframe><link rel=preconnect href="//evil.example"></iframe>',
    '<svg><script><meta http-equiv="refresh" content="0;url=//evil.example"></script></svg>',
    '<p title="<meta http-equiv=refresh content=0;url=//evil.example>">',
    '<img src=x.png alt="<meta http-equiv=refresh content=0;url=//evil.example>">',
    '<link rel="stylesheet" href="x.css"',
    '<plaintext><link rel=preconnect href="//evil.example">',
    '<noscript><meta http-equiv="refresh" content="0;url=//evil.example"></noscript>',
  ])("in %s no parser finds a tag that reaches out", async (source) => {
    const { html } = await inline(source, { "site/x.png": "X" });
    expect(html).not.toMatch(/<(?:link|iframe|base|meta)[\s/>]/iu);
  });

  test("code that compares, and code that writes pages, runs as before", async () => {
    expect((await inline("<script>for (i = 0; i <link.length; i++) ;</script>")).html).toContain("i <link.length");
    const { html } = await inline("<script>const head = '<meta charset=utf-8>';</script>");
    expect(html).toBe("<script>const head = '\\u003Cmeta charset=utf-8>';</script>");
  });

  test("a page keeps its attributes, entities, SVG and odd markup", async () => {
    const odd = [
      "<p title='a &amp; \"b\"' data-x>1 < 2 &copy; <b>c</B ></p>",
      '<svg viewBox="0 0 1 1"><linearGradient id=a /><image href="gone.png"/></svg>',
      "<table><tr><td>a<td>b</table><p>c<div>d</p>",
      '<form><form><input value="<b>"></form></form>',
      "<![CDATA[ x ]]><?php echo ?><!doctype html></nothing>",
      "<textarea>a <b> c</textarea><title>x <y></title>",
    ].join("\n");
    expect((await inline(odd)).html).toBe(odd);
  });

  test("images in SVG, in style attributes and in sets of sources are inlined", async () => {
    const { html } = await inline(
      '<svg viewBox="0 0 9 9"><image href="a.png" x=1 /></svg><p style="background: URL( \'a.png\' )" hidden>' +
        '<img srcset="a.png 2x, b.png"><video poster=a.png></video>',
      { "site/a.png": "A" },
    );
    const png = data("image/png", "A");
    expect(html).toBe(
      `<svg viewBox="0 0 9 9"><image href="${png}" x="1"/></svg><p style="background: url(&quot;${png}&quot;)" hidden>` +
        `<img srcset="${png}"><video poster="${png}"></video>`,
    );
  });

  test.each([
    ["tags without an end", "<a "],
    ["links", "<link"],
    ["attributes", "<a b='"],
    ["comments", "<!--"],
    ["scripts", "<script>"],
    ["iframes", "<iframe>"],
    ["closing scripts", "<script></script"],
    ["addresses", "<style>a{b:url("],
    ["addresses with spaces", `<style>${"url( ".repeat(20_000)}`],
    ["imports of sheets", `<style>${'@import "a'.repeat(20_000)}`],
    ["imports", `<script type=module>${"import (from '".repeat(20_000)}`],
    ["spaces in imports", `<script type=module>import${" ".repeat(200_000)}`],
    ["empty lines", `<style>a${"\n ".repeat(100_000)}`],
    ["sources", `<img srcset="${" ,".repeat(100_000)}">`],
  ])("200 KB of %s take less than 3 s", async (_what, text) => {
    const page = text.length > 1_000 ? text : text.repeat(200_000 / text.length);
    const start = performance.now();
    await inline(page, { "site/a": "" });
    expect(performance.now() - start).toBeLessThan(3_000);
  });

  test("a style sheet of another host is asked for where the policy refuses it", async () => {
    const { html } = await inline('<link rel="stylesheet" href="https://cdn.example/</style>a.css">');
    expect(html).toBe('<style>@import url("https://cdn.example/\\3C /style>a.css");</style>');
  });

  test("what is not there, of another host or in a comment stays as it is", async () => {
    const html =
      '<!-- x <p --><script src="https://cdn.example/a.js"></script><img src="gone.png"><a href="b.html">b</a>';
    expect((await inline(html)).html).toBe(html);
  });

  test.each([
    ["a.css", "site/a.css"],
    ["../b%20c.css#x", "b c.css"],
    ["/d.css", "d.css"],
    ["../../e.css", null],
    ["https://x.example/a.css", null],
    ["//x.example/a.css", null],
    ["data:text/css,", null],
    ["#top", null],
    ["%zz", null],
  ])("%s leads to %s", (href, path) => {
    expect(resolveIn("site/index.html", href)).toBe(path);
  });
});
