import { expect, test } from "vitest";
import { beginningOf, cutError } from "./cut-error";

test("a cut is at the end of a word, so that no half of a secret is left", () => {
  const text = `${"x".repeat(90)} key-1234567890 said`;
  expect(beginningOf(text, 100)).toBe("x".repeat(90));
  expect(beginningOf(text, 105)).toBe(`${"x".repeat(90)} key-1234567890`);
  expect(beginningOf(text, 1_000)).toBe(text);
});

test("a text without spaces is cut where it must be, and between characters", () => {
  expect(beginningOf("x".repeat(2_000), 1_000)).toBe("x".repeat(1_000));
  expect(beginningOf(`${"x".repeat(999)}😀`, 1_000)).toBe(`${"x".repeat(999)}\ufffd`);
});

test("an error says how much of it was left out", () => {
  expect(cutError("short")).toBe("short");
  expect(cutError("x".repeat(1_000_000))).toBe(`${"x".repeat(20_000)}… (980,000 more characters)`);
});
