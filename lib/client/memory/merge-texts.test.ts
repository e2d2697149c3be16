import { expect, test } from "vitest";
import { mergeTexts } from "./merge-texts";

const BASE = "# Memory\n- one\n- two\n- three\n- four\n";

test.each([
  [
    "different lines are both kept",
    BASE.replace("one", "1"),
    BASE.replace("four", "4"),
    BASE.replace("one", "1").replace("four", "4"),
  ],
  [
    "lines added in different places are both kept",
    `top\n${BASE}`,
    BASE.replace("- three\n", "- three\n- more\n"),
    `top\n${BASE.replace("- three\n", "- three\n- more\n")}`,
  ],
  [
    "a line that one removed and another that the other changed",
    BASE.replace("- one\n", ""),
    BASE.replace("four", "4"),
    BASE.replace("- one\n", "").replace("four", "4"),
  ],
  ["the same change of both is one", BASE.replace("one", "1"), BASE.replace("one", "1"), BASE.replace("one", "1")],
  ["a change of one alone", BASE, BASE.replace("one", "1"), BASE.replace("one", "1")],
  ["the same line changed by both has to be chosen", BASE.replace("one", "1"), BASE.replace("one", "I"), null],
  ["lines beside each other have to be chosen", BASE.replace("one", "1"), BASE.replace("two", "2"), null],
  ["additions in one place have to be chosen", `${BASE}mine\n`, `${BASE}theirs\n`, null],
])("%s", (_, mine, theirs, merged) => {
  expect(mergeTexts(BASE, mine, theirs)).toBe(merged);
  expect(mergeTexts(BASE, theirs, mine)).toBe(merged);
});
