import { expect, test } from "vitest";
import { revealHidden } from "./reveal-hidden";

test("hidden characters are written out, in names and deep inside too", () => {
  expect(revealHidden({ "a\u202e": ["x\u200by", { deep: "\u001b[8m\u{e0041}" }], count: 3, none: null })).toEqual({
    "a\\u202e": ["x\\u200by", { deep: "\\u001b[8m\\ue0041" }],
    count: 3,
    none: null,
  });
});

test("what people write is unchanged, in any script", () => {
  for (const text of ["a\tb\r\nc\n", "naïve 漢字 שלום سلام می‌خواهم", "👩‍💻 🏳️‍🌈", "price: 5 €"])
    expect(revealHidden(text)).toBe(text);
});
