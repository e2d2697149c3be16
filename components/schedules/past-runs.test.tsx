import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { PastRun } from "@/lib/schema/triggers/firing";
import type { Schedule } from "@/lib/schema/triggers/schedule";
import { withQueries } from "@/lib/testing/react/with-queries";
import { PastRuns } from "./past-runs";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-11-20T08:00:00.000Z";
const RAN: PastRun = {
  id: "f1",
  dueAt: AT,
  state: "started",
  reason: null,
  runId: "run_1",
  threadId: "th_1",
  count: 1,
  status: "completed",
  costUsd: 0.034,
  failedCalls: 0,
  startedAt: AT,
  endedAt: "2026-11-20T08:01:00.000Z",
  answer: "\nThree pull requests wait.\nThe build is green.",
  error: null,
  waitedMs: 48_000,
};

function open(firings: readonly PastRun[], nextCursor: string | null = null) {
  vi.stubGlobal("fetch", async () => Response.json({ firings, nextCursor }));
  const schedule = { id: "trg_1", monthUsd: 0.71, nextDueAt: AT, timezone: "UTC" } as Schedule;
  render(<PastRuns schedule={schedule} />, { wrapper: withQueries() });
}

test("a past run has the first line of its answer, its time, cost, thread and trace", async () => {
  open([RAN]);
  const row = (await screen.findAllByRole("row"))[1] as HTMLElement;
  const cells = within(row).getAllByRole("cell");
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("08:00"),
    "Three pull requests wait.",
    "12 s",
    "48 s",
    "$0.034",
    "ThreadTrace",
  ]);
  const links = within(row).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/threads/th_1", "/traces/run_1"]);
});

test("a failed run says why, and one that started nothing has its reason", async () => {
  open([
    { ...RAN, status: "failed", answer: null, error: "LLM call: The provider refused the key." },
    {
      ...RAN,
      id: "f2",
      state: "skipped",
      reason: "The budget of the day is spent.",
      runId: null,
      threadId: null,
      answer: null,
    },
  ]);
  expect((await screen.findByText("The provider refused the key.")).className).toContain("text-fail-text");
  const skipped = screen.getByText("The budget of the day is spent.").closest("tr") as HTMLElement;
  expect(within(skipped).queryByRole("link")).toBeNull();
});

test("without a run it says when the first will be", async () => {
  open([]);
  expect((await screen.findByText(/^No runs yet\./)).textContent).toMatch(/The first is .*08:00\.$/);
});
