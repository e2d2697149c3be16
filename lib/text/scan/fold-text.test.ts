import { expect, test } from "vitest";
import { foldText } from "./fold-text";

test.each(["\ufdfa", "\ufdfb", "\u3316", "\u33af", "\ufb03"])("%s makes a text at most six times as long", (sign) => {
  const folded = foldText(sign.repeat(1_000));
  for (const text of Object.values(folded)) expect(text.length).toBeLessThanOrEqual(6_000);
});

test.each([
  ["marks in the wrong order", "\u0301\u0316"],
  ["marks with half-width signs", "\uff9e\u0301"],
  ["marks with something invisible between them", `${"\u0301\u0316".repeat(8)}\u200b`],
  ["letters with several marks each", `a${"\u0301\u0316".repeat(8)}`],
])("a long run of %s costs about what other letters cost", (_, unit) => {
  const LENGTH = 200_000;
  const fastest = (text: string) => {
    const times = Array.from({ length: 3 }, () => {
      const startedAt = performance.now();
      foldText(text);
      return performance.now() - startedAt;
    });
    return Math.min(...times);
  };
  const text = `a${unit.repeat(LENGTH / unit.length)}`;
  expect(fastest(text)).toBeLessThan(20 * fastest("é ".repeat(LENGTH / 2)));
});

test.each([
  ["i\u0301gnore", "ignore"],
  ["i\u0316\u0301gno\u0308re", "ignore"],
  [`i${"\u0301".repeat(40)}gnore`, "ignore"],
  ["\uff76\uff9e", "\u30ab"],
])("%j is read as %j", (written, read) => {
  expect(foldText(written).latin).toBe(read);
});
