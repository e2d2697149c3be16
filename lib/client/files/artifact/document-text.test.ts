import { expect, test } from "vitest";
import { documentMarkdown, sheetsOf } from "./document-text";

test("an Excel file is its sheets, an empty one without rows", () => {
  const text = '[Sheet "Sales \\"2026\\""]\nRow,Kg\nNorth,212\n\n[Sheet "Notes"]\n(empty)';
  expect(sheetsOf(text)).toEqual([
    { name: 'Sales "2026"', rows: "Row,Kg\nNorth,212" },
    { name: "Notes", rows: "" },
  ]);
});

test("a Word file is Markdown: lines are paragraphs, rows a table, items a list, and pages are marked", () => {
  const text =
    "[Page 1]\n# Harvest\nFirst.\nSecond.\n- north\n- south\n| Row | Kg |\n| North | 212 |\n\n[Page 2]\nThe end.";
  expect(documentMarkdown(text).split("\n\n")).toEqual([
    "**Page 1**",
    "# Harvest",
    "First.",
    "Second.",
    "- north\n- south",
    "| Row | Kg |\n| --- | --- |\n| North | 212 |",
    "---",
    "**Page 2**",
    "The end.",
  ]);
  expect(documentMarkdown("[Title] A list\n\n[Page 1]\nFirst.")).toBe("**A list**\n\nFirst.");
});

test.each([
  ["2 * 3 * 4 <b>no</b> [a](b) $x$ `c` ~d~", String.raw`2 \* 3 \* 4 \<b\>no\</b\> \[a\](b) \$x\$ \`c\` \~d\~`],
  ["1. first", String.raw`1\. first`],
  ["+ more", String.raw`\+ more`],
  ["a_b _c_ &amp; x & y", String.raw`a_b \_c\_ \&amp; x & y`],
  ["https://example.org/a-b_c?d=1&e=2", "https://example.org/a-b_c?d=1&e=2"],
  ["## A *heading*", String.raw`## A \*heading\*`],
])("the characters of %j are shown as they are", (line, markdown) => {
  expect(documentMarkdown(line)).toBe(markdown);
});
