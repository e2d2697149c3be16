import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { dayOf } from "@/lib/client/usage/usage-days";
import type { UsageFigures } from "@/lib/schema/usage/usage-report";
import { withQueries } from "@/lib/testing/react/with-queries";
import { UsagePage } from "./usage-page";

vi.mock("@/components/shell/page-head", () => ({ PageHead: ({ actions }: { actions: ReactNode }) => actions }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TODAY = dayOf(new Date());

const figures = (changes: Partial<UsageFigures>): UsageFigures => ({
  runs: 1,
  failed: 0,
  inputTokens: 900,
  cachedReadTokens: 450,
  cachedWriteTokens: 0,
  outputTokens: 100,
  reasoningTokens: 0,
  costUsd: 1,
  knownCostUsd: 1,
  unpricedTokens: 0,
  partialRuns: 0,
  p50Ms: 17_900,
  p95Ms: 121_000,
  ...changes,
});

function show(reply: (url: URL) => object) {
  vi.stubGlobal("fetch", async (path: string) => {
    if (path === "/api/budgets") return Response.json({ budgets: [], nextCursor: null });
    return Response.json(reply(new URL(path, "http://localhost")));
  });
  const Queries = withQueries();
  render(<UsagePage />, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <NuqsTestingAdapter hasMemory>
        <Queries>{children}</Queries>
      </NuqsTestingAdapter>
    ),
  });
}

const period = { from: "2026-11-01T00:00:00.000Z", to: "2026-12-01T00:00:00.000Z" };

test("an unknown price is no zero: it is told beside the sum, in the chart's table and by model", async () => {
  const unknown = figures({ costUsd: null, knownCostUsd: 0, unpricedTokens: 1_000 });
  show(({ searchParams }) => {
    if (searchParams.get("by") === "model") {
      return { ...period, rows: [{ model: "ollama:qwen", ...unknown }], total: unknown };
    }
    const rows = [
      { day: TODAY, agent: "coder", agentName: "Coder", ...figures({}) },
      { day: TODAY, agent: "writer", agentName: "Writer", ...unknown },
    ];
    const total = figures({
      runs: 2,
      partialRuns: 1,
      costUsd: null,
      knownCostUsd: 1,
      unpricedTokens: 1_000,
      inputTokens: 1_800,
    });
    return { ...period, rows, total };
  });
  const table = await screen.findByRole("table", { name: "Usage by agent" });
  const cells = within(table).getAllByRole("row").slice(1);
  expect(cells.map((row) => within(row).getAllByRole("cell")[4]?.textContent)).toEqual([
    "$1",
    "unknown",
    "$1 + unknown",
  ]);
  expect(await screen.findByText(/1k of ollama:qwen/)).toBeTruthy();
  expect(screen.getByText(/^1 run has calls that were cut off/)).toBeTruthy();
  expect(screen.getAllByRole("link", { name: /\$1 \+ unknown, 2 runs/ })[0]?.getAttribute("href")).toBe(
    `/traces?day=${TODAY}`,
  );
  fireEvent.click(screen.getByRole("button", { name: "Show table" }));
  expect(within(screen.getByRole("table", { name: "Cost by day" })).getAllByRole("row")).toHaveLength(31);
});

test("the CSV has what the page shows", async () => {
  show(() => ({ ...period, rows: [], total: figures({ runs: 0 }) }));
  await screen.findByText("Nothing was used");
  const href = screen.getByRole("link", { name: "CSV" }).getAttribute("href") ?? "";
  const { searchParams } = new URL(href, "http://localhost");
  expect([searchParams.get("by"), searchParams.get("format")]).toEqual(["day,agent", "csv"]);
});

test("by group the sum and the days count a run of a person in two groups once", async () => {
  show(({ searchParams }) => {
    const by = searchParams.get("by");
    const groups = [
      { ...figures({}), day: TODAY, group: "grp_a", groupName: "Research" },
      { ...figures({}), day: TODAY, group: "grp_b", groupName: "Support" },
    ];
    const rows = by === "day,group" ? groups : [{ ...figures({}), day: TODAY, agent: "a", agentName: "A" }];
    return { ...period, rows, total: figures({}) };
  });
  fireEvent.click(await screen.findByRole("button", { name: /Shown by/ }));
  fireEvent.click(await screen.findByRole("option", { name: "By day, group" }));
  await screen.findByText("Research");
  const table = screen.getByRole("table", { name: "Usage by group" });
  const cells = (name: string) =>
    within(within(table).getByRole("row", { name: new RegExp(`^${name}`) })).getAllByRole("cell");
  expect(cells("Research")[4]?.textContent).toBe("$1");
  expect(cells("Support")[4]?.textContent).toBe("$1");
  await screen.findByText(/count in both rows, and once in the sum/);
  expect(cells("All")[4]?.textContent).toBe("$1");
});
