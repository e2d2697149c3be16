import { expect, test } from "vitest";
import { type BlamedLine, blameNext } from "./blame-lines";

function blame(...texts: readonly string[]): [string, number][] {
  const lines = texts.reduce<BlamedLine[]>((before, text, at) => blameNext(before, text, at + 1), []);
  return lines.map(({ text, version }) => [text, version]);
}

test("lines keep the version that they came with, wherever they move to", () => {
  expect(blame("a\nb\nc\n", "new\na\nb\nc\n", "new\na\nc\nend\n")).toEqual([
    ["new", 2],
    ["a", 1],
    ["c", 1],
    ["end", 3],
  ]);
});

test.each([
  ["an empty document has no lines", ["a\n", ""], []],
  ["what comes back after a deletion is new", ["a\n", "", "a\n"], [["a", 3]]],
  ["a final line break is no line", ["a", "a\n"], [["a", 1]]],
  [
    "empty lines are lines",
    ["a\n\nb\n"],
    [
      ["a", 1],
      ["", 1],
      ["b", 1],
    ],
  ],
] as const)("%s", (_, texts, lines) => {
  expect(blame(...texts)).toEqual(lines);
});

test("a document may have more lines than a call has arguments", () => {
  const many = "x\n".repeat(300_000);
  expect(blame(many, `${many}end\n`).at(-1)).toEqual(["end", 2]);
});
