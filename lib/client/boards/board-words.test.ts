import { expect, test } from "vitest";
import { wokenText } from "./board-words";

test.each([
  [{ results: 0, questions: 0, failures: 0 }, "Not woken yet."],
  [{ results: 1, questions: 0, failures: 0 }, "Woken by 1 result."],
  [{ results: 2, questions: 0, failures: 1 }, "Woken by 2 results and 1 failure."],
  [{ results: 2, questions: 1, failures: 3 }, "Woken by 2 results, 1 question, and 3 failures."],
])("names only what has woken the lead: %j", (woken, text) => {
  expect(wokenText({ woken })).toBe(text);
});
