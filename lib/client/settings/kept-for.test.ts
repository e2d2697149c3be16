import { expect, test } from "vitest";
import { keptText, readKept } from "./kept-for";

test.each([
  ["90", "90d"],
  ["90 days", "90d"],
  ["1 day", "1d"],
  ["36h", "36h"],
  ["36 hours", "36h"],
  ["2 weeks", "2w"],
  ["1 Year", "1y"],
  ["", null],
  ["for ever", null],
  ["soon", undefined],
  ["0", undefined],
  ["-3", undefined],
  ["90 ducks", undefined],
])("reads %j as %j", (text, kept) => {
  expect(readKept(text)).toBe(kept);
});

test.each([
  ["90d", "90 days"],
  ["1d", "1 day"],
  ["36h", "36 hours"],
  [null, "for ever"],
])("says %j as %j, and reads that again", (kept, words) => {
  expect(keptText(kept)).toBe(words);
  expect(readKept(words)).toBe(kept);
});
