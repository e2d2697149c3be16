import { expect, test } from "vitest";
import { mentionIn } from "./mention";
import { withPrompt, withResource } from "./use-mcp-offers";

test.each([
  ["@", ""],
  ["Read @forge:no", "forge:no"],
  ["ada@example.org", null],
  ["@forge note", null],
  ["/stop", null],
])("%j mentions %j", (text, expected) => {
  expect(mentionIn(text)).toBe(expected);
});

test("a prompt takes the place of its command and follows what was typed instead", () => {
  expect(withPrompt("/forge:re", "Review this")).toBe("Review this");
  expect(withPrompt("Something else ", "Review this")).toBe("Something else\n\nReview this");
});

test("a resource takes the place of its mention and follows what was typed instead", () => {
  expect(withResource("@", "BLOCK")).toBe("BLOCK\n");
  expect(withResource("Read @for", "BLOCK")).toBe("Read\n\nBLOCK\n");
  expect(withResource("Read this", "BLOCK")).toBe("Read this\n\nBLOCK\n");
});
