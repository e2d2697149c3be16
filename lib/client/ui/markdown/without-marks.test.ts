import { expect, test } from "vitest";
import { excerptOf, withoutMarks } from "./without-marks";

test("marks are removed outside code, and code stays as written", () => {
  expect(withoutMarks("**Bold** `code` and [a link](https://example.org)\n```md\n**kept**\n```")).toBe(
    "Bold code and a link\n**kept**",
  );
});

test("an excerpt is one line of words", () => {
  const text = "My notes are in `notes/bees.md`:\n\n```md\n# Honey bees\n\n- What is known\n1. First\n```\n> quoted";
  expect(excerptOf(text)).toBe("My notes are in notes/bees.md: Honey bees What is known First quoted");
});

test("an excerpt keeps numbers and minus signs within a line", () => {
  expect(excerptOf("It fell by 2. The rest - most of it - stayed at -3.")).toBe(
    "It fell by 2. The rest - most of it - stayed at -3.",
  );
});
