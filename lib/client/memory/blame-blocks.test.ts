import { expect, test } from "vitest";
import { blameBlocks, cutLines, lineIdOf, lineOfBlock, withoutLines } from "./blame-blocks";

const line = (text: string, version: number) => ({
  id: "ml_x",
  line: 0,
  text,
  version,
  author: "user" as const,
  authorName: null,
  at: "2026-11-01T00:00:00.000Z",
});
const BLAME = [line("# Memory", 1), line("- tea", 1), line("- Berlin", 2), line("- morning", 1)];

const blocks = (text: string) =>
  blameBlocks(BLAME, text).map(({ origin, start, lines }) => [origin?.version ?? null, start, lines.join("|")]);

test("lines that came with one version and stand together are a block", () => {
  expect(blocks("# Memory\n- tea\n- Berlin\n- morning\n")).toEqual([
    [1, 1, "# Memory|- tea"],
    [2, 3, "- Berlin"],
    [1, 4, "- morning"],
  ]);
});

test("what has been typed and not saved is nobody's yet", () => {
  expect(blocks("# Memory\n- coffee\n- Berlin\n- morning\nnew")).toEqual([
    [1, 1, "# Memory"],
    [null, 2, "- coffee"],
    [2, 3, "- Berlin"],
    [1, 4, "- morning"],
    [null, 5, "new"],
  ]);
  expect(blocks("")).toEqual([]);
});

test("lines are taken out", () => {
  expect(withoutLines("a\nb\nc\nd\n", 2, 2)).toBe("a\nd\n");
});

test("the cut begins with the first line that no model sees whole", () => {
  const text = "abc\ndef\nghi\njkl";
  const cut = (from: number, to: number) => cutLines({ from, to, reason: "" }, text);
  expect(cut(4, 15)).toEqual({ from: 2, to: Number.POSITIVE_INFINITY });
  expect(cut(5, 9)).toEqual({ from: 3, to: 3 });
  expect(cut(0, 15).from).toBe(1);
});

test("a line of a block has its number and its id; only a saved line with text has one", () => {
  const named = BLAME.map((known, at) => ({ ...known, id: `ml_${at}` }));
  const [first, typed] = blameBlocks(named, "# Memory\n- tea\nnew\n\n- Berlin\n");
  if (!first || !typed) throw new Error("Two blocks are expected.");
  const tea = lineOfBlock(first, 1);
  expect(tea).toMatchObject({ start: 2, lines: ["- tea"], ids: ["ml_1"] });
  expect(lineIdOf(tea)).toBe("ml_1");
  expect(lineIdOf(first)).toBeNull();
  expect(lineIdOf(lineOfBlock(typed, 0))).toBeNull();
  expect(lineIdOf({ ...tea, lines: [" "] })).toBeNull();
});
