import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import { loadMarkCloser } from "@/lib/client/ui/text/markdown";
import { Markdown } from "./markdown";

afterEach(cleanup);
const show = (text: string, isStreaming = false) =>
  render(<Markdown text={text} isStreaming={isStreaming} />).container;
const links = (text: string) => [...show(text).querySelectorAll("a")].map((link) => link.getAttribute("href"));

describe("the look of Markdown", () => {
  test("headings, lists, quotations, rules and words are the elements they say", () => {
    const page = show("# Top\n\n1. one\n2. **two** *three* ~~four~~ `five`\n\n> said\n\n---\n\n- a\n  - b");
    expect(
      [...page.querySelectorAll("h2,ol,strong,em,del,code,blockquote,hr,ul ul")].map((node) => node.tagName),
    ).toEqual(["H2", "OL", "STRONG", "EM", "DEL", "CODE", "BLOCKQUOTE", "HR", "UL"]);
    expect(page.textContent).toBe("Toponetwo three four fivesaidab");
  });

  test("a list continues where it was cut off", () => {
    expect(show("7. seven").querySelector("ol")?.start).toBe(7);
  });

  test("a table has heads, cells and their alignment", () => {
    show("| File | Lines |\n| --- | ---: |\n| a.py | **4** |");
    expect(screen.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(["File", "Lines"]);
    expect(screen.getByRole("cell", { name: "4" }).style.textAlign).toBe("right");
  });

  test("tasks have a box that says whether they are done, in loose lists too", () => {
    for (const text of ["- [x] one\n- [ ] two", "- [x] one\n\n- [ ] two"]) {
      const boxes = within(show(text)).getAllByRole("checkbox");
      expect(boxes.map((box) => box.getAttribute("aria-label"))).toEqual(["Done", "To do"]);
      cleanup();
    }
  });

  test("code keeps what it says and names its language", () => {
    const page = show("```python title=x\nif a < b && c:\n    pass\n```\n\n    indented &amp;");
    expect([...page.querySelectorAll("figure")].map((figure) => figure.textContent)).toEqual([
      "pythonif a < b && c:    pass",
      "textindented &amp;",
    ]);
  });

  test("character references are the characters, except in code", () => {
    expect(show("a &amp; b &lt;T&gt; &#8594; &#x2713; &mdash; &Zcaron; &nothing; `&amp;`").textContent).toBe(
      "a & b <T> → ✓ — Ž &nothing; &amp;",
    );
  });

  test("a link that is defined below leads where the definition says", () => {
    expect(links("See [the page][1].\n\n[1]: https://a.example/x")).toEqual(["https://a.example/x"]);
  });

  test.each(["", "- ", "> ", "> - "])("a definition that arrives later turns what was text into a link: %s", (lead) => {
    const { container, rerender } = render(<Markdown text={`${lead}See [the page].`} isStreaming />);
    rerender(<Markdown text={`${lead}See [the page].\n\n[the page]: https://a.example/x\n`} isStreaming />);
    expect(container.querySelector("a")?.href).toBe("https://a.example/x");
  });

  test("bare addresses are links", () => {
    expect(links("https://a.example/?x=1&y=2 and www.b.example")).toEqual([
      "https://a.example/?x=1&y=2",
      "http://www.b.example/",
    ]);
  });

  test("marks that are not closed yet are closed while the text streams", async () => {
    await loadMarkCloser();
    expect(show("It is **very", true).querySelector("strong")?.textContent).toBe("very");
    expect(show("See [the pa", true).querySelector("a")).toBeNull();
  });

  test("a code block that is not closed yet is one already", () => {
    expect(show("```ts\nconst a", true).querySelector("figure")?.textContent).toBe("tsconst a");
  });
});

describe("untrusted Markdown", () => {
  test("HTML never becomes elements; what it says stays to be read", () => {
    const page = show(
      'a <b>bold</b> H<sub>2</sub>O<br>new <img src=x onerror="alert(1)">\n\n<script>alert(1)</script>\n\n<div>\n\nin\n\n</div>\n\n<!-- no -->',
    );
    expect(page.querySelector("script,img,b,sub,iframe")).toBeNull();
    expect(page.querySelectorAll("br")).toHaveLength(1);
    expect(page.textContent).toBe('a bold H2Onew <img src=x onerror="alert(1)"><script>alert(1)</script>in');
  });

  test.each([
    "[x](javascript:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](JAVASCRIPT&colon;alert(1))",
    "[x](data:text/html,hi)",
    "[x](vbscript:x)",
    "[x](/admin/users)",
    "[x](//evil.example)",
    "[x](#top)",
    "[x](blob:https://a.example/1)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    '<a href="https://evil.example" onclick="alert(1)">x</a>',
  ])("%s is text, not a link", (text) => {
    expect(links(text)).toEqual([]);
  });

  test("links to pages and mailboxes open outside and say nothing of this page", () => {
    expect(links("[x](https://a.example/?x=1&amp;y=2) [m](mailto:a@b.example)")).toEqual([
      "https://a.example/?x=1&y=2",
      "mailto:a@b.example",
    ]);
    for (const link of screen.getAllByRole("link")) {
      expect([link.getAttribute("target"), link.getAttribute("rel")]).toEqual([
        "_blank",
        "noopener noreferrer nofollow",
      ]);
    }
  });

  test("a picture from elsewhere is named, never loaded", () => {
    const page = show("![a chart](https://evil.example/x.png) ![](data:image/png;base64,x)");
    expect(page.querySelector("img")).toBeNull();
    expect(page.textContent).toBe("[image: a chart] [image]");
  });

  test("shows what nests deeper than anything meant to be read as it is written", () => {
    const deep = ">".repeat(20_000);
    expect(show(`${deep}x`).textContent).toBe(`${deep}x`);
  });

  test("shows a paragraph of nothing but marks as it is written", () => {
    const marks = "_a_".repeat(30_000);
    expect(show(marks).textContent).toBe(marks);
  });
});
