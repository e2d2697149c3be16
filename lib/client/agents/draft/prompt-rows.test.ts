import fc from "fast-check";
import { expect, it } from "vitest";
import { promptRows, sideBySide } from "./prompt-rows";

it("marks the words that differ in the lines that changed", () => {
  const rows = promptRows("Be careful.\nRun the tests.\nEnd.", "Be careful.\nRun all tests.\nEnd.\nReally.");
  const marked = rows.map(({ kind, oldLine, newLine, parts }) => [
    `${kind}${oldLine ?? ""}:${newLine ?? ""}`,
    parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join(""),
  ]);
  expect(marked).toContainEqual([" 1:1", "Be careful."]);
  expect(marked).toContainEqual(["-2:", "Run [the] tests."]);
  expect(marked).toContainEqual(["+:2", "Run [all] tests."]);
  expect(marked.at(-1)).toEqual(["+:4", "[Really.]"]);
});

it("shows every line of both texts once, in order", () => {
  const text = fc
    .array(fc.constantFrom("a b", "a c", "", "d e f", "g"), { maxLength: 8 })
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const rows = promptRows(before, after);
      const read = (skipped: "+" | "-") =>
        rows.filter(({ kind }) => kind !== skipped).map(({ parts }) => parts.map((part) => part.text).join(""));
      expect(read("+").join("\n")).toBe(before);
      expect(read("-").join("\n")).toBe(after);
      expect(sideBySide(rows).length).toBeLessThanOrEqual(rows.length);
    }),
  );
});
