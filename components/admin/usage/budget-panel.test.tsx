import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Budget } from "@/lib/schema/usage/budget";
import { withQueries } from "@/lib/testing/react/with-queries";
import { BudgetDialog } from "./budget-dialog";
import { BudgetPanel } from "./budget-panel";

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

const BUDGET: Budget = {
  id: "bud_1",
  scope: "user",
  scopeId: "ana",
  name: "Ana Lima",
  period: "day",
  usd: 5,
  tokens: null,
  on_reach: "wait",
  used: { usd: 5, tokens: 900 },
  reserved: { usd: 0, tokens: 0 },
  added: { usd: 0, tokens: 0 },
  reachedAt: null,
  reachedCount: 4,
  waiting: [{ runId: "r", threadId: "t", title: "Quarterly numbers" }],
  createdAt: "2026-11-01T00:00:00.000Z",
};

test("a budget says what is used and reserved, what happens at the cap, and who waits", async () => {
  const engineering = { ...BUDGET, id: "bud_2", scope: "installation", scopeId: null, name: "", period: "month" };
  const facts = { usd: 3_000, used: { usd: 1_604, tokens: 0 }, reserved: { usd: 3.9, tokens: 0 }, waiting: [] };
  const budgets = [BUDGET, { ...engineering, ...facts, on_reach: "stop", reachedCount: 0 }];
  vi.stubGlobal("fetch", async () => Response.json({ budgets, nextCursor: null }));
  render(<BudgetPanel />, { wrapper: withQueries() });
  const [ana, all] = await screen.findAllByRole("listitem");
  expect(ana?.textContent).toContain("$5 of $5");
  expect(ana?.textContent).toMatch(
    /1 run waits.*At the cap: runs wait until an administrator adds to it.*Reached 4 times/,
  );
  expect(within(ana as HTMLElement).getByRole("link", { name: "Quarterly numbers" })).toBeTruthy();
  expect(all?.textContent).toContain("$1,604 of $3,000 $3.90 reserved");
  expect(screen.getByText("2, 1 reached")).toBeTruthy();
});

test("a form shows all its problems beside their fields and keeps what was typed", async () => {
  const fetched = vi.fn(async () => Response.json({ users: [], nextCursor: null }));
  vi.stubGlobal("fetch", fetched);
  render(<BudgetDialog budget={null} onClose={() => undefined} />, { wrapper: withQueries() });
  const dollars = screen.getByRole("textbox", { name: "US dollars" });
  fireEvent.change(dollars, { target: { value: "lots" } });
  fireEvent.change(screen.getByRole("textbox", { name: "Tokens" }), { target: { value: "1.5" } });
  fireEvent.submit(dollars.closest("form") as HTMLFormElement);
  expect(await screen.findByText("Write a number, such as 12.50.")).toBeTruthy();
  expect(screen.getByText("Write a whole number.")).toBeTruthy();
  expect(screen.getByText("Choose whom it limits.")).toBeTruthy();
  expect(dollars).toHaveProperty("value", "lots");
  expect(fetched.mock.calls.every(([path]: unknown[]) => String(path).startsWith("/api/users"))).toBe(true);
});

test("a reload keeps what was typed, and closing the form forgets it", async () => {
  vi.stubGlobal(
    "fetch",
    vi.fn(async () => Response.json({ users: [], nextCursor: null })),
  );
  const show = () => render(<BudgetDialog budget={null} onClose={() => undefined} />, { wrapper: withQueries() });
  const dollars = () => screen.getByRole<HTMLInputElement>("textbox", { name: "US dollars" });
  const { unmount } = show();
  fireEvent.change(dollars(), { target: { value: "12.50" } });
  unmount();
  const { unmount: leave } = show();
  expect(dollars().value).toBe("12.50");
  fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  leave();
  show();
  expect(dollars().value).toBe("");
});

test("saving sends what has changed, and the server's word about a field stands beside it", async () => {
  const onClose = vi.fn();
  const details = [{ path: "usd", message: "That is too much." }];
  const answers = [Response.json({ error: { code: "invalid_input", message: "usd: …", details } }, { status: 400 })];
  const fetched = vi.fn(async (_path: string, _init?: { body?: string }) => answers.pop() ?? Response.json(BUDGET));
  const tried = { runs: 4, unknown: 0, reached: 3, notStarted: 0, periods: 2, changed: [] };
  vi.stubGlobal("fetch", (path: string, init?: { body?: string }) =>
    path.endsWith("/what-if") ? Promise.resolve(Response.json(tried)) : fetched(path, init),
  );
  render(<BudgetDialog budget={BUDGET} onClose={onClose} />, { wrapper: withQueries() });
  const dollars = screen.getByRole("textbox", { name: "US dollars" });
  fireEvent.change(dollars, { target: { value: "7,500" } });
  fireEvent.submit(dollars.closest("form") as HTMLFormElement);
  expect(await screen.findByText("That is too much.")).toBeTruthy();
  expect(await screen.findByText("In 30 days it would have made 3 runs of 4 wait.")).toBeTruthy();
  fireEvent.change(dollars, { target: { value: "7.5" } });
  fireEvent.submit(dollars.closest("form") as HTMLFormElement);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(JSON.parse(fetched.mock.calls[1]?.[1]?.body ?? "")).toEqual({
    period: "day",
    usd: 7.5,
    tokens: null,
    on_reach: "wait",
  });
});
