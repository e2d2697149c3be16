import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { loadMarkCloser } from "@/lib/client/ui/markdown/markdown";
import { markdownExtensions } from "@/lib/client/ui/markdown/markdown-extensions";
import { MarkdownReader } from "@/lib/client/ui/markdown/markdown-reader";
import { loadExtras } from "./load-extras";
import { Markdown } from "./markdown";

beforeAll(() => loadExtras(false));
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
    "[x](/admin/people)",
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

  test("a picture from elsewhere is named with its site, and loaded in a frame only by a click", () => {
    const page = show("![a chart](https://pictures.example/x.png?a=1&amp;b=2)");
    expect(page.querySelector("img,iframe")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Show image from pictures.example: a chart" }));
    const frame = page.querySelector("iframe");
    expect(frame?.getAttribute("src")).toBe(
      `/api/frames/image?src=${encodeURIComponent("https://pictures.example/x.png?a=1&b=2")}`,
    );
    expect(frame?.getAttribute("sandbox")).toBe("allow-scripts");
  });

  test("a picture without an address of another site is only named", () => {
    const page = show("![](data:image/png;base64,x) ![a chart](/api/me) ![](javascript:alert(1))");
    expect(page.querySelector("img,button")).toBeNull();
    expect(page.textContent).toBe("[image] [image: a chart] [image]");
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

describe("math", () => {
  test.each([
    "It costs $5 and $10",
    "from $20,000 to $30,000",
    "**$5**–**$10**",
    "$5/$10",
    "US$5 or A$6$",
    "It costs $5 and then 3$",
    "a \\$5 or \\$6",
    "$ x $",
    "`$x$`",
    "$x",
  ])("%s has no formula", (text) => {
    expect(formulas(text)).toEqual([]);
  });

  test.each([
    ["$x_1 + y^2$", ["x_1 + y^2"]],
    ["so $2x+1$, and $n$.", ["2x+1", "n"]],
    ["\\(a*b*c\\)", ["a*b*c"]],
    ["$$\na\n= b\n$$", ["a\n= b"]],
    ["So:\n$$x$$\nand", ["x"]],
    ["So:\n\\[\nx\n\\]", ["x"]],
    ["- one\n\n  $$x$$", ["x"]],
    ["| a |\n| - |\n| $x$ |", ["x"]],
  ])("%j has formulas", (text, expected) => {
    expect(formulas(text)).toEqual(expected);
  });

  test("a formula is drawn, for eyes and for screen readers", async () => {
    const page = show("Take $x^2$.");
    await waitFor(() => expect(page.querySelector("math")).not.toBeNull());
    expect(page.querySelector("code")).toBeNull();
    // From now on drawn at once, without showing its source first.
    expect(show("Then $y$.").querySelector("math")).not.toBeNull();
  });

  test("what is no formula, or would make a link, stays as it was written", async () => {
    const page = show("See $\\frac{$ and $\\href{javascript:alert(1)}{x}$ and $z$.");
    await waitFor(() => expect(page.querySelector("math")).not.toBeNull());
    expect(page.querySelector("a")).toBeNull();
    expect(page.textContent).toContain("$\\frac{$");
  });

  test("a formula that still streams is not shown until its end comes", async () => {
    expect(show("So:\n\n$$\na_1 *", true).textContent).toBe("So:");
    expect(show("So $x^2$ and $y^", true).textContent).not.toContain("y");
    const page = show("So $x^2$ and $y^2$", true);
    await waitFor(() => expect(page.querySelectorAll("math")).toHaveLength(2));
  });

  test("a formula wider than the text is reached with the keyboard, one that fits is no stop", async () => {
    const page = show("$$x$$");
    await waitFor(() => expect(page.querySelector("math")).not.toBeNull());
    expect(page.querySelector("[tabindex]")).toBeNull();
    const width = vi.spyOn(HTMLElement.prototype, "scrollWidth", "get").mockReturnValue(900);
    const wide = show("$$y$$");
    expect(within(wide).getByRole("group", { name: "Formula" }).tabIndex).toBe(0);
    width.mockRestore();
  });
});

/** The TeX of all formulas in a text. */
function formulas(text: string): string[] {
  const found: string[] = [];
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    if ("type" in value && value.type === "math" && "text" in value) found.push(String(value.text));
    for (const inner of Object.values(value)) visit(inner);
  };
  visit(new MarkdownReader().read(text, false, markdownExtensions)?.tokens);
  return found;
}

describe("footnotes", () => {
  const TEXT = "One[^b] and two[^a], again[^b].\n\n[^a]: The **second**.\n[^b]: The first,\n  longer.\n\nThe end.";

  test("have letters in the order of their mention, and stand below the text", () => {
    const page = show(TEXT);
    expect(page.querySelector("p")?.textContent).toBe("Onea and twob, againa.");
    const notes = within(screen.getByRole("region", { name: "Footnotes" })).getAllByRole("listitem");
    expect(notes.map(({ textContent }) => textContent?.replaceAll(/\s+/gu, " "))).toEqual([
      "The first, longer. ↩",
      "The second. ↩",
    ]);
  });

  test("a letter leads to its note, and the note back to the text", () => {
    show(TEXT);
    fireEvent.click(screen.getByRole("button", { name: "Footnote b" }));
    expect(document.activeElement?.textContent).toContain("The second.");
    fireEvent.click(screen.getByRole("button", { name: "Back to where footnote b is mentioned" }));
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Footnote b");
  });

  test("go on with two letters after z, as the list below does", () => {
    const ids = Array.from({ length: 28 }, (_, index) => `n${index}`);
    const page = show(`${ids.map((id) => `[^${id}]`).join(" ")}\n\n${ids.map((id) => `[^${id}]: Note.`).join("\n")}`);
    expect(page.querySelector("p")?.textContent).toMatch(/^a b .* y z aa ab$/u);
    expect(page.querySelector("ol")?.className).toContain("list-[lower-alpha]");
  });

  test("a mention without a note is text", () => {
    expect(show("See [^1].").textContent).toBe("See [^1].");
  });
});

describe("details", () => {
  test("are folded below their summary, with Markdown in both", () => {
    const page = show(
      "Before\n<details>\n<summary>How **it** works</summary>\n\n- one\n\n```\n</details>\n```\n</details>\n\nAfter",
    );
    const details = page.querySelector("details");
    expect(details?.open).toBe(false);
    expect(details?.querySelector("summary strong")?.textContent).toBe("it");
    expect(details?.querySelector("li")?.textContent).toBe("one");
    expect(details?.textContent).not.toContain("After");
    expect(page.textContent).toContain("After");
  });

  test("may be open, and stand in each other", () => {
    const page = show("<details open><summary>a</summary>\n\n<details>\n\nb\n\n</details>\n\nc\n\n</details>\n\nd");
    const [outer, inner] = page.querySelectorAll("details");
    expect([outer?.open, inner?.open]).toEqual([true, false]);
    expect(inner?.textContent).toBe("Detailsb");
    expect(outer?.textContent).not.toContain("d");
  });

  test("hold no elements but their own", () => {
    expect(
      show("<details onclick=x ontoggle=alert(1)><summary><img src=x></summary><script>x</script></details>").innerHTML,
    ).not.toMatch(/<script|<img|ontoggle|onclick/u);
  });
});

test("a diff has a ground for what was added and removed", () => {
  const page = show("```diff\n--- a/x\n+++ b/x\n-old\n+new\n same\n```");
  expect([...page.querySelectorAll(".bg-diff-add,.bg-diff-del")].map((line) => line.textContent)).toEqual([
    "-old",
    "+new",
  ]);
});
