import { expect, test } from "vitest";
import { editDistance, nearestName } from "./nearest-name";

test("the distance counts insertions, deletions and replacements", () => {
  expect([editDistance("kitten", "sitting"), editDistance("", "abc"), editDistance("same", "same")]).toEqual([3, 3, 0]);
});

test("the nearest of the known names is the one that was meant", () => {
  expect(nearestName("--prot", ["--help", "--port", "--data"])).toBe("--port");
  expect(nearestName("anything", [])).toBeUndefined();
});
