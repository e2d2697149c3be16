import { expect, test } from "vitest";
import { rankDifferences, wilson } from "./rank-differences";

const value = (name: string, runs: number, baseRuns: number) => ({ name, runs, baseRuns });
const ranked = (values: ReturnType<typeof value>[], selected = 100, rest = 1000) =>
  rankDifferences(values, { selected, rest }).map(({ name }) => name);

test("the values whose shares are farthest apart come first, whichever of the two has more", () => {
  expect(ranked([value("near", 50, 300), value("more", 90, 100), value("less", 5, 900)])).toEqual([
    ...["less", "more", "near"],
  ]);
});

test("what may be chance is left out, and so is what few runs have on both sides", () => {
  expect(ranked([value("the same", 50, 500), value("chance", 52, 500), value("rare", 4, 0)])).toEqual([]);
});

test("a large difference among few runs comes after a smaller one among many", () => {
  const few = rankDifferences([value("few", 5, 0)], { selected: 8, rest: 8 });
  expect(few.map(({ name }) => name)).toEqual([]);
  expect(wilson(5, 8).low).toBeLessThan(wilson(500, 800).low);
});

test("with fewer than five runs on one side nothing is said, and there are at most twenty", () => {
  expect([ranked([value("a", 4, 0)], 4), ranked([value("a", 100, 0)], 100, 4)]).toEqual([[], []]);
  expect(ranked(Array.from({ length: 30 }, (_, index) => value(`${index}`, 100, 0)))).toHaveLength(20);
});
