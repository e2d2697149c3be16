import { expect, test } from "vitest";
import { mayHaveMath, withoutOpenFormula } from "./open-formula";

test.each([
  ["So $x^", "So "],
  ["So $x^2$ and $y", "So $x^2$ and "],
  ["So $2x", "So "],
  ["First.\n\nThen \\(a", "First.\n\nThen "],
  ["Then \\[\na +", "Then "],
  ["Then\n$$\na_1 *", "Then\n"],
])("%j ends before its open formula", (text, shown) => {
  expect(withoutOpenFormula(text)).toBe(shown);
});

test.each([
  "So $x^2$.",
  "It costs $5",
  "It costs $5 and more",
  "from $20,000 to",
  "a `$x",
  "use `$HOME` now",
  "```sh\necho $HOME",
  "escaped \\$x",
  "$HOME began a paragraph.\n\nThe next",
  `$${"x".repeat(400)}`,
])("%j is shown whole", (text) => {
  expect(withoutOpenFormula(text)).toBe(text);
});

test.each([
  ["It costs $5, or $6.", false],
  ["$x$", true],
  ["$2x+1$", true],
  ["\\(x\\)", true],
  ["$$\nx", true],
])("whether %j may have formulas: %s", (text, expected) => {
  expect(mayHaveMath(text)).toBe(expected);
});
