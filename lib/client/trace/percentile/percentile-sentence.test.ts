import { expect, test } from "vitest";
import { percentileSentence } from "./percentile-sentence";

const found = {
  ...{ tool: "execute", tookMs: 900, calls: 1_240, of: "everybody" as const },
  ...{ slowerThan: 0.978, fasterThan: 0.02, p95Ms: 1_200 },
};

test.each([
  [{}, "Slower than 97 % of 1,240 execute calls of this agent in 30 days (p95 1.2 s)"],
  [
    { slowerThan: 0.1, fasterThan: 0.899, of: "own" as const },
    "Faster than 89 % of your 1,240 execute calls by this agent in 30 days (p95 1.2 s)",
  ],
  [{ calls: 10_000 }, "Slower than 97 % of the last 10,000 execute calls of this agent in 30 days (p95 1.2 s)"],
  [{ slowerThan: 0, fasterThan: 0 }, null],
])("the place of a call among others is one sentence: %j", (more, words) => {
  expect(percentileSentence({ ...found, ...more })).toBe(words);
});
