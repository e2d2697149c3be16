import { expect, test } from "vitest";
import type { BoardSummary } from "@/lib/schema/boards/board";
import { budgetShare, reservedShare, wokenText } from "./board-labels";

test.each([
  [{ results: 0, questions: 0, failures: 0 }, "Not woken yet."],
  [{ results: 1, questions: 0, failures: 0 }, "Woken by 1 result."],
  [{ results: 2, questions: 0, failures: 1 }, "Woken by 2 results and 1 failure."],
  [{ results: 2, questions: 1, failures: 3 }, "Woken by 2 results, 1 question, and 3 failures."],
])("names only what has woken the lead: %j", (woken, text) => {
  expect(wokenText({ woken })).toBe(text);
});

test.each([
  ["what is spent and what is reserved", 5, 1, 0.5, [0.2, 0.1]],
  ["at most what is left as reserved", 5, 4.5, 2, [0.9, 0.1]],
  ["nothing as reserved once all is spent", 5, 6, 2, [1, 0]],
  ["nothing without a budget", null, 1, 0.5, [null, 0]],
])("the ring shows %s", (_, cap, used, reserved, [spentShare, rest]) => {
  const amount = (usd: number) => ({ usd, tokens: 0 });
  const facts = {
    budget: { usd: cap, tokens: null },
    used: amount(used),
    reserved: amount(reserved),
    added: amount(0),
  };
  const board = facts as BoardSummary;
  expect(budgetShare(board)).toBe(spentShare);
  expect(reservedShare(board)).toBeCloseTo(rest ?? 0);
});
