import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { callKey, DecisionsProvider } from "@/lib/client/chat/asks/use-decisions";
import type { BudgetAsk } from "@/lib/schema/runs/budget-ask";
import { BudgetCard } from "./budget-card";

afterEach(cleanup);

const BUDGET: BudgetAsk = {
  account: "a",
  budgetId: null,
  scope: "agent",
  scopeId: "coder",
  name: "coder",
  period: "run",
  capUsd: 0.5,
  capTokens: null,
  spentUsd: 0.471,
  spentTokens: 900,
  reservedUsd: 0,
  reservedTokens: 0,
  nextUsd: 0.064,
  nextTokens: 4_096,
  raise: { by: "owner", maxUsd: null },
  raisers: [],
};

function show(budget: Partial<BudgetAsk> = {}, role = "member") {
  const decide = vi.fn(async () => undefined);
  render(
    <ShellProvider value={{ viewer: { role } } as unknown as Shell}>
      <DecisionsProvider value={{ decide, firstCall: callKey("run_1", "budget_1"), asked: null }}>
        <BudgetCard runId="run_1" toolCallId="budget_1" budget={{ ...BUDGET, ...budget }} askedAtMs={null} />
      </DecisionsProvider>
    </ShellProvider>,
  );
  return decide;
}

const asked = (decision: object) => ["run_1", { tool_call_id: "budget_1", ...decision }];

test("it says what is spent, what the next call may cost and whose budget it is", () => {
  show();
  expect(screen.getByRole("heading").textContent).toBe("This run has reached its budget of $0.50. Continue?");
  const text = screen.getByRole("region").textContent;
  expect(text).toContain("$0.471 spent of $0.50");
  expect(text).toContain("The next call may cost up to $0.064, which does not fit.");
  expect(text).toContain("Budget$0.50 for a run of coder");
});

test("y adds a dollar, n stops", () => {
  const decide = show();
  fireEvent.keyDown(document.body, { key: "y" });
  expect(decide.mock.calls).toEqual([asked({ decision: "allow", args: { add_usd: 1 } })]);
  cleanup();
  const second = show();
  fireEvent.keyDown(document.body, { key: "n" });
  expect(second.mock.calls).toEqual([asked({ decision: "deny" })]);
});

test("separators in a number of tokens are not a decimal point", () => {
  const decide = show({ capUsd: null, capTokens: 5_000, nextUsd: null });
  const field = screen.getByRole("textbox", { name: "Another number of tokens" });
  fireEvent.change(field, { target: { value: "20,000" } });
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  expect(decide.mock.calls).toEqual([asked({ decision: "allow", args: { add_tokens: 20_000 } })]);
});

test("another amount is added, and a text that is no amount is refused", () => {
  const decide = show();
  const field = screen.getByRole("textbox", { name: "Another amount in dollars" });
  fireEvent.change(field, { target: { value: "much" } });
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  expect([decide.mock.calls.length, screen.getByRole("alert").textContent]).toEqual([
    0,
    expect.stringMatching(/2\.50/),
  ]);
  expect(field).toHaveProperty("value", "much");
  fireEvent.change(field, { target: { value: "2,50" } });
  fireEvent.click(screen.getByRole("button", { name: "Add" }));
  expect(decide.mock.calls).toEqual([asked({ decision: "allow", args: { add_usd: 2.5 } })]);
});

test("what the button adds is enough for the next call", () => {
  show({ spentUsd: 4, nextUsd: 0.5 });
  expect(screen.getByRole("button", { name: /^Add \$4/ })).toBeTruthy();
  cleanup();
  show({ capUsd: null, capTokens: 5_000, spentTokens: 480_000 });
  expect(screen.getByRole("button", { name: /^Add 480,000 tokens/ })).toBeTruthy();
});

test("it can answer with what it has", () => {
  const decide = show();
  fireEvent.click(screen.getByRole("button", { name: "Answer with what it has" }));
  expect(decide.mock.calls).toEqual([asked({ decision: "deny", args: { final_answer: true } })]);
});

const OF_ANA: Partial<BudgetAsk> = {
  scope: "user",
  name: "Ana Lima",
  period: "day",
  capUsd: 5,
  spentUsd: 5,
  raise: { by: "admins", maxUsd: null },
  raisers: ["Mara Klein"],
};

test("a budget of which something is left is not spent, but too small for the next call", () => {
  show({ ...OF_ANA, spentUsd: 4.99 });
  expect(screen.getByRole("heading").textContent).toBe(
    "The budget of $5 a day for Ana Lima does not cover the next call.",
  );
});

test("whoever may not raise it sees who can, and can only stop", () => {
  const decide = show(OF_ANA);
  expect(screen.getByRole("region").textContent).toContain("Mara Klein has been asked to raise it.");
  expect(screen.getByRole("heading").textContent).toBe("The budget of $5 a day for Ana Lima is spent.");
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Stop/)]);
  fireEvent.keyDown(document.body, { key: "y" });
  expect(decide).not.toHaveBeenCalled();
});

test("two who can raise it are named in a sentence", () => {
  show({ ...OF_ANA, raisers: ["Mara Klein", "Jonas Thal"] });
  expect(screen.getByRole("region").textContent).toContain("Mara Klein and Jonas Thal have been asked to raise it.");
});

test("an administrator raises it", () => {
  const decide = show(OF_ANA, "admin");
  fireEvent.click(screen.getByRole("button", { name: /^Add \$1/ }));
  expect(decide.mock.calls).toEqual([asked({ decision: "allow", args: { add_usd: 1 } })]);
});
