import { cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { RunBudget } from "@/lib/schema/usage/budget";
import { withQueries } from "@/lib/testing/react/with-queries";
import { RunBudgets } from "./run-budgets";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const OWN: RunBudget = {
  id: "agent:coder:run:r",
  budgetId: null,
  scope: "agent",
  scopeId: "coder",
  name: "coder",
  period: "run",
  usd: 2,
  tokens: null,
  on_reach: "wait",
  added: { usd: 1, tokens: 0 },
  used: { usd: 1.5, tokens: 0 },
  reserved: { usd: 0.25, tokens: 0 },
};
const DAY: RunBudget = {
  ...OWN,
  id: "bud_1:day:2026-11-23",
  budgetId: "bud_1",
  scope: "user",
  scopeId: "ana",
  name: "Ana Lima",
  period: "day",
  usd: 5,
  added: { usd: 0, tokens: 0 },
  reserved: { usd: 0, tokens: 0 },
  used: { usd: 5, tokens: 0 },
};

function show(budgets: readonly RunBudget[]) {
  const fetched = vi.fn(async () => Response.json({ budgets, nextCursor: null }));
  vi.stubGlobal("fetch", fetched);
  render(<RunBudgets runId="r" isLive={false} />, { wrapper: withQueries() });
  return fetched;
}

test("each limit of the run has a line with what is used of it, what was added, and what is reserved", async () => {
  show([OWN, DAY]);
  const [run, day] = await screen.findAllByRole("listitem");
  expect(run?.textContent).toBe("this run$1.50 of $3$0.25 reserved");
  expect(day?.textContent).toBe("Ana Lima, a day$5 of $5");
});

test("a run without a limit has no section", async () => {
  const fetched = show([]);
  await waitFor(() => expect(fetched).toHaveBeenCalled());
  expect(screen.queryByText("Budgets")).toBeNull();
});
