import fc from "fast-check";
import { expect, test } from "vitest";
import { loadMarkCloser } from "./markdown";
import { markdownExtensions } from "./markdown-extensions";
import { MarkdownReader } from "./markdown-reader";

const BLOCKS = [
  "# Heading\n",
  "A paragraph with **strong** words,\nover two lines.\n",
  "- one\n- two\n\n  more of two\n",
  "- [x] done\n",
  "1. one\n2. two\n",
  "> said\n> again\n",
  "```ts\nconst a = 1;\n\nconst b = 2;\n```\n",
  "    indented\n",
  "| a | b |\n| - | - |\n| 1 | 2 |\n",
  "$$\na_1 + b\n$$\n",
  "See [the page][p] and [other].\n",
  "[p]: https://a.example/p\n",
  "[other]: https://a.example/other\n",
  "A note[^n].\n",
  "[^n]: What it says.\n",
  "<details>\n<summary>More</summary>\n\nInside\n\n</details>\n",
  "Title\n===\n",
  "***\n",
  "<!-- no -->\n",
];

test("a text that was read while it grew is that which is read at once", async () => {
  await loadMarkCloser();
  const documents = fc.array(fc.tuple(fc.constantFrom(...BLOCKS), fc.constantFrom("", "\n", "\n\n")), {
    maxLength: 40,
  });
  const steps = fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(documents, steps, (blocks, sizes) => {
      const text = `${"Some words. ".repeat(200)}\n\n${blocks.flat().join("")}${"\n\nThe end of it.".repeat(3)}`.repeat(
        2,
      );
      const reader = new MarkdownReader();
      for (let end = 0, step = 0; end < text.length; step += 1) {
        end += sizes[step % sizes.length] ?? 1;
        reader.read(text.slice(0, end), true, markdownExtensions);
      }
      const read = reader.read(text, false, markdownExtensions);
      const whole = new MarkdownReader().read(text, false, markdownExtensions);
      expect(read?.pieces.flat()).toEqual([...(whole?.tokens ?? [])]);
      expect(read?.definitions).toBe(whole?.definitions);
      expect(read?.footnotes).toEqual(whole?.footnotes);
    }),
    { numRuns: 60 },
  );
});

test("what stands before the end is the same list as before", () => {
  const reader = new MarkdownReader();
  const text = "Some **words** here.\n\n".repeat(1_000);
  reader.read(text, true, undefined);
  const before = reader.read(text, true, undefined)?.pieces ?? [];
  const after = reader.read(`${text}And more.`, true, undefined)?.pieces ?? [];
  expect(before.length).toBeGreaterThan(20);
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  for (const [place, piece] of before.slice(0, -1).entries()) expect(after[place]).toBe(piece);
});

test("a text that is replaced by another is read as the other", () => {
  const reader = new MarkdownReader();
  reader.read("Some words.\n\n".repeat(1_000), true, undefined);
  expect(reader.read("# Other", false, undefined)?.tokens[0]?.type).toBe("heading");
});
