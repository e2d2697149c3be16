import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter, type UrlUpdateEvent } from "nuqs/adapters/testing";
import { useRef } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { TraceLead } from "@/components/trace/trace-head";
import { useTraceFilters } from "@/lib/client/trace/use-trace-filters";
import { withQueries } from "@/lib/testing/react/with-queries";
import { TraceFilters } from "./trace-filters";

const SHELL = { viewer: { role: "member" } } as unknown as Shell;
/** Longer than the field's debounce. */
const PAUSE_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Filters() {
  const state = useTraceFilters();
  return <TraceFilters state={state} isAdmin={false} searchRef={useRef(null)} />;
}

function open(searchParams: string) {
  const written: string[] = [];
  const onUrlUpdate = (event: UrlUpdateEvent) => void written.push(event.queryString);
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter searchParams={searchParams} onUrlUpdate={onUrlUpdate} hasMemory>
      <Queries>
        <ShellProvider value={SHELL}>
          <Filters />
        </ShellProvider>
      </Queries>
    </NuqsTestingAdapter>,
  );
  return written;
}

const field = () => screen.getByRole("searchbox", { name: "Search traces" });
const pause = () => act(() => vi.advanceTimersByTimeAsync(PAUSE_MS));

test("an opened list leaves the address alone, which would call back a click on a link", async () => {
  const written = open("?q=otters");
  await pause();
  expect(written).toEqual([]);
});

test("letters typed slowly stay in the field that has the focus, and each rest reaches the address", async () => {
  const written = open("");
  const first = field();
  first.focus();
  for (const typed of ["o", "ot", "ott"]) {
    fireEvent.change(field(), { target: { value: typed } });
    await pause();
    expect(document.activeElement).toBe(first);
    expect(first).toHaveProperty("value", typed);
  }
  expect(written).toEqual(["?q=o", "?q=ot", "?q=ott"]);
});

test("leaving a field searches at once, before a click on a row could be undone", async () => {
  const written = open("");
  fireEvent.change(field(), { target: { value: "otters" } });
  fireEvent.blur(field());
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(written).toEqual(["?q=otters"]);
  await pause();
  expect(written).toHaveLength(1);
});

test("clearing the filters empties the field, and it can be typed in again", async () => {
  const written = open("?q=otters&period=24h");
  fireEvent.click(screen.getByRole("button", { name: "Clear" }));
  await pause();
  expect(field()).toHaveProperty("value", "");
  fireEvent.change(field(), { target: { value: "otters" } });
  await pause();
  expect(written).toEqual(["", "?q=otters"]);
});

test("the back link of a trace leads to the list as it was filtered, or to all traces", async () => {
  const linkFrom = async (searchParams: string) => {
    open(searchParams);
    await pause();
    cleanup();
    render(<TraceLead />);
    const href = screen.getByRole("link", { name: "Back to traces" }).getAttribute("href");
    cleanup();
    return href;
  };
  expect(await linkFrom("?status=failed&q=otters")).toBe("/traces?q=otters&status=failed");
  expect(await linkFrom("")).toBe("/traces");
});

const FAILED = { status: "failed", agentId: "coder", since: "2026-11-19T23:00:00.000Z" };

async function search(text: string, answer: object) {
  vi.stubGlobal("fetch", async () => Response.json(answer));
  const written = open("?period=7d&tool=fetch");
  fireEvent.change(field(), { target: { value: text } });
  fireEvent.keyDown(field(), { key: "Enter" });
  await pause();
  return written;
}
const parameters = (written: readonly string[]) => Object.fromEntries(new URLSearchParams(written.at(-1)));

test("Enter turns what words mean into filters, and says what is left as text", async () => {
  const written = await search("failed runs of coder since friday about invoices", {
    filters: FAILED,
    rest: "invoices",
  });
  expect(parameters(written)).toEqual({
    ...{ q: "invoices", status: "failed", agent: "coder", tool: "fetch", from: FAILED.since },
  });
  const line = screen.getByText(/^3 filters from/u).textContent;
  expect(line).toBe(
    "3 filters from “failed runs of coder since friday about invoices”. “invoices” is searched as text",
  );
  fireEvent.click(screen.getByRole("button", { name: "Undo" }));
  await pause();
  expect(parameters(written)).toEqual({ period: "7d", tool: "fetch" });
  expect(screen.queryByText(/filters from/u)).toBeNull();
});

test("words that became filters can be searched as text after all", async () => {
  const written = await search("failed", { filters: { status: "failed" }, rest: "" });
  expect(screen.getByText(/filter from/u).textContent).toBe("1 filter from “failed”");
  fireEvent.click(screen.getByRole("button", { name: "Search it as text" }));
  await pause();
  expect(parameters(written)).toEqual({ q: "failed", period: "7d", tool: "fetch" });
});

test("words that mean no filter stay a search", async () => {
  const written = await search("otters", { filters: {}, rest: "otters" });
  expect(parameters(written)).toEqual({ q: "otters", period: "7d", tool: "fetch" });
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});
