import { expect, test } from "vitest";
import { THEN } from "@/lib/schema/permissions/what-if";
import { budgetSentence, whatIfSentence } from "./what-if-sentences";

const FOUND = {
  ...{ calls: 412, unknown: 0, isCut: false, promptsSaved: 0, newlyAsked: 0, newlyAllowed: 0, newlyDenied: 0 },
  ...{ deniedByPeople: 0, changed: [], saved: [], wildcards: [] },
  now: { allowed: 0, asked: 0, denied: 0 },
  [THEN]: { allowed: 0, asked: 0, denied: 0 },
};
const sentence = (change: Partial<typeof FOUND>, days = 30) => whatIfSentence({ ...FOUND, ...change }, days);

test.each([
  [{}, "Nothing would have been different."],
  [{ promptsSaved: 61, newlyAllowed: 61 }, "Of 412 calls in 30 days: 61 prompts fewer"],
  [{ newlyAsked: 1, newlyDenied: 2 }, "Of 412 calls in 30 days: 1 prompt more, 2 newly denied"],
  [{ newlyAllowed: 3, isCut: true }, "Of the newest 412 calls in 30 days: 3 newly allowed"],
  [{ calls: 0 }, "No calls in 30 days to learn from."],
  [{ calls: 0, unknown: 7 }, "Too little was recorded of the 7 calls in 30 days to judge them."],
])("what would have changed is one sentence: %j", (change, text) => {
  expect(sentence(change)).toEqual({ text, warning: null });
});

test("what a person had denied is said apart", () => {
  const { warning } = sentence({ promptsSaved: 5, newlyAllowed: 5, deniedByPeople: 2 });
  expect(warning).toBe("2 newly allowed that a person had denied");
});

test.each([
  [{ reached: 3 }, "stop", "In 30 days it would have stopped 3 runs of 120."],
  [{ reached: 120 }, "wait", "In 30 days it would have made 120 runs wait."],
  [
    { reached: 1, unknown: 2 },
    "warn",
    "In 30 days it would have been shown as reached in 1 run of 120. The cost of 2 runs is unknown.",
  ],
  [{}, "stop", "In 30 days none of 120 runs would have reached it."],
  [{ runs: 0 }, "stop", "No runs in 30 days to learn from."],
] as const)("what a budget would have done is one sentence: %j", (change, onReach, text) => {
  const found = { runs: 120, unknown: 0, reached: 0, notStarted: 0, periods: 1, changed: [], ...change };
  expect(budgetSentence(found, onReach, 30)).toBe(text);
});
