import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter, type UrlUpdateEvent } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FilterChips } from "@/components/trace/list/filter-chips";
import { useTraceFilters } from "@/lib/client/trace/use-trace-filters";
import type { ChartBucket, TraceCharts as Charts } from "@/lib/schema/traces/list/charts";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ChartsButton, TraceCharts } from "./trace-charts";

const HOUR_MS = 3_600_000;
const START_MS = Date.parse("2026-11-20T10:00:00Z");
const hour = (place: number) => new Date(START_MS + place * HOUR_MS).toISOString();
const WIDTH_PX = 400;

function bucketOf(place: number, statuses: Record<string, number>): ChartBucket {
  const runs = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const times = runs === 0 ? { p50Ms: null, p95Ms: null } : { p50Ms: 3_000, p95Ms: 12_000 };
  const figures = { costUsd: runs / 2, unpricedRuns: 0, inputTokens: runs * 100, outputTokens: runs * 10 };
  return { since: hour(place), until: hour(place + 1), runs, statuses, ...times, ...figures };
}

const BUCKETS = [{ completed: 3, failed: 1 }, {}, { completed: 2 }, { running: 1 }].map((statuses, place) =>
  bucketOf(place, statuses as Record<string, number>),
);
const { since: _, until: __, ...total } = bucketOf(0, { completed: 5, failed: 1, running: 1 });
const CHARTS: Charts = { unit: "hour", timezone: "UTC", buckets: BUCKETS, total, countedAt: hour(4) };

/** What was asked about differences. */
let bodies: unknown[] = [];

beforeEach(() => {
  bodies = [];
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 0, WIDTH_PX, 40));
});
afterEach(() => {
  // The browser keeps that they are open.
  for (const button of screen.queryAllByRole("button", { name: "Charts", expanded: true })) fireEvent.click(button);
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function List() {
  const state = useTraceFilters();
  return (
    <>
      <ChartsButton />
      <FilterChips state={state} />
      <TraceCharts state={state} />
      <output>{`${state.filters.since} ${state.filters.until}`}</output>
    </>
  );
}

/** The list with its charts opened. */
async function open(searchParams = "", charts = CHARTS) {
  const written: string[] = [];
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit = {}) => {
    if (path === "/api/traces/difference") {
      bodies.push(JSON.parse(String(body)));
      return Response.json({ selected: 1, rest: 6, differences: [] });
    }
    if (!path.startsWith("/api/traces/charts")) return Response.json({ runs: 7, facets: [], countedAt: hour(4) });
    asked.push(new URLSearchParams(path.split("?")[1]));
    return Response.json(charts);
  });
  const onUrlUpdate = (event: UrlUpdateEvent) => void written.push(event.queryString);
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter searchParams={searchParams} onUrlUpdate={onUrlUpdate} hasMemory>
      <Queries>
        <List />
      </Queries>
    </NuqsTestingAdapter>,
  );
  expect(asked).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Charts" }));
  const slider = await screen.findByRole("slider", { name: /^Time/u });
  const period = () => new URLSearchParams(written.at(-1) ?? "");
  return { slider, written, asked, period };
}

it("asks for nothing until it is opened, then for the list's filters in this browser's time zone", async () => {
  const { asked } = await open("?status=failed");
  expect(asked[0]?.get("status")).toBe("failed");
  expect(asked[0]?.get("timezone")).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
  fireEvent.click(screen.getByRole("button", { name: "Charts" }));
  expect(screen.queryByRole("slider")).toBeNull();
});

it("narrows the list to what is dragged over, in the address, and shows what is around it", async () => {
  const { slider, period, asked } = await open();
  const [plot] = slider.querySelectorAll("[data-plot]");
  if (!plot) throw new Error("There is no plot.");
  fireEvent.pointerDown(plot, { clientX: 350, button: 0, pointerType: "mouse" });
  fireEvent.pointerMove(plot, { clientX: 150, pointerType: "mouse" });
  fireEvent.pointerUp(plot, { clientX: 150, pointerType: "mouse" });
  await waitFor(() => expect([period().get("from"), period().get("to")]).toEqual([hour(1), hour(4)]));
  expect(screen.getByRole("status", { hidden: true }).textContent).toBe(`${hour(1)} ${hour(4)}`);
  expect(asked.every((query) => !query.has("since"))).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: /^Started/u }));
  await waitFor(() => expect(period().has("from")).toBe(false));
});

it("moves with the arrow keys, extends with Shift, chooses with Enter and clears with Escape", async () => {
  const { slider, period, written } = await open();
  const press = (key: string, shiftKey = false) => fireEvent.keyDown(slider, { key, shiftKey });
  press("Home");
  expect(slider.getAttribute("aria-valuetext")).toContain("3 completed, 1 failed; median ≈ 3.0 s");
  expect(written).toEqual([]);
  press("Enter");
  await waitFor(() => expect([period().get("from"), period().get("to")]).toEqual([hour(0), hour(1)]));
  press("ArrowRight");
  expect(slider.getAttribute("aria-valuetext")).toContain("no runs");
  press("ArrowRight", true);
  press("ArrowRight", true);
  await waitFor(() => expect([period().get("from"), period().get("to")]).toEqual([hour(1), hour(4)]));
  press("Escape");
  await waitFor(() => expect(period().has("from")).toBe(false));
});

it("begins at the brush that the address has", async () => {
  const { slider } = await open(`?from=${hour(2)}&to=${hour(3)}`);
  expect(slider.getAttribute("aria-valuenow")).toBe("2");
});

it("says what is different about the runs of the brush, against those around it", async () => {
  await open(`?from=${hour(2)}&to=${hour(3)}&status=failed`);
  fireEvent.click(screen.getByRole("button", { name: "What is different?" }));
  await screen.findByRole("dialog", { name: /this time/u });
  const within = { since: hour(2), until: hour(3), status: "failed" };
  await waitFor(() =>
    expect(bodies).toEqual([{ selection: { filters: within }, base: { filters: { status: "failed" } } }]),
  );
});

it("ignores times in the address that are none", async () => {
  await open("?from=nonsense&to=2026");
  expect(screen.getByRole("status", { hidden: true }).textContent).toBe(" ");
});

it("has a table of the bars that have runs, and says how many each status has", async () => {
  await open();
  const table = screen.getByRole("table", { name: "Runs by time" });
  const rows = within(table).getAllByRole("row");
  expect(rows).toHaveLength(5);
  expect(rows[1]?.textContent).toContain("4, 3 completed, 1 failed");
  expect(rows[1]?.textContent).toContain("25 %");
  expect(rows[4]?.textContent).toMatch(/^All/u);
});

it("shows the axis of a time without runs", async () => {
  const empty = { ...CHARTS, buckets: [0, 1].map((place) => bucketOf(place, {})) };
  const { slider } = await open("", { ...empty, total: { ...total, runs: 0, statuses: {}, p50Ms: null, p95Ms: null } });
  expect(slider.querySelectorAll("[data-plot]")).toHaveLength(5);
  expect(slider.textContent).toContain("Runs0");
  expect(slider.getAttribute("aria-valuetext")).toContain("no runs");
});
