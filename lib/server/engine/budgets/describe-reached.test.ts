import { expect, test } from "vitest";
import type { BudgetAsk } from "@/lib/schema/runs/budget-ask";
import { reachedText, refusedText, saysBudgetReached } from "./describe-reached";

const ask: BudgetAsk = {
  account: "agent:coder:run:run1",
  budgetId: null,
  scope: "agent",
  scopeId: "coder",
  period: "run",
  name: "coder",
  capUsd: 1,
  capTokens: null,
  spentUsd: 0.9,
  spentTokens: 100,
  reservedUsd: 0,
  reservedTokens: 0,
  nextUsd: 0.2,
  nextTokens: 50,
  raise: { by: "owner", maxUsd: null },
  raisers: [],
};
const refused = { kind: "budget", toolCallId: "b1", by: "u1", byName: "Ada" } as const;

test("the notice of every end at a budget is known as one, that of another limit is not", () => {
  const notices = [
    reachedText(ask, "stop"),
    reachedText(ask, "final_answer"),
    refusedText(ask, { ...refused, decision: "deny" }),
    refusedText(ask, { ...refused, decision: "deny", args: { final_answer: true } }),
    refusedText(ask, { ...refused, decision: "expired" }),
  ];
  expect(notices.filter((notice) => !saysBudgetReached(notice))).toEqual([]);
  expect(saysBudgetReached("Stopped: the run has made 25 steps, the most that its agent allows.")).toBe(false);
});
