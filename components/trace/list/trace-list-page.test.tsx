import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import type { TraceSummary } from "@/lib/schema/traces/trace";
import { withQueries } from "@/lib/testing/react/with-queries";
import { TraceListPage } from "./trace-list-page";

vi.mock("./trace-filters", () => ({ TraceFilters: () => null }));
vi.mock("./facet-rail", () => ({ FacetRail: () => null }));
vi.mock("./trace-views", () => ({ TraceViews: () => null, SaveViewButton: () => null }));
vi.mock("./filter-chips", () => ({ FilterChips: () => null }));
const setUrl = vi.hoisted(() => vi.fn());
const shown = vi.hoisted((): { live: boolean; columns: string[] | null } => ({ live: true, columns: null }));
vi.mock("@/lib/client/trace/use-trace-filters", () => {
  const filters = { q: "", status: "", agentId: "", since: "", mine: false, sort: "worked" };
  const listHref = (chosen: object) => `/traces#${JSON.stringify(chosen)}`;
  const state = { setUrl, filters, isFiltered: false, clear: () => undefined };
  return { listHref, viewQuery: () => "", useTraceFilters: () => ({ ...state, url: { sort: "worked", ...shown } }) };
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Object.assign(shown, { live: true, columns: null });
});

const TRACE: TraceSummary = {
  id: "tr_1",
  runId: "run_1",
  threadId: "th_1",
  title: "One",
  message: null,
  agentId: "a",
  agentName: "Asks",
  agentVersion: 1,
  origin: { kind: "chat" },
  attended: true,
  ownerId: "u",
  ownerName: "Ada",
  model: null,
  status: "completed",
  error: null,
  errorCode: null,
  notice: null,
  steps: 1,
  cancelledBy: null,
  startedAt: new Date().toISOString(),
  durationMs: 5,
  usage: NO_USAGE,
  costUsd: null,
  timeToFirstTokenMs: null,
  waitedMs: 0,
  waitingSince: null,
};

const COUNTED = { runs: 214, facets: [], countedAt: new Date().toISOString() };
const viewer = { id: "u", name: "Ada", email: "ada@example.org", role: "member" as const, scopes: [] };
const go = vi.fn();
const shell = { viewer, go, openPalette: vi.fn(), setPageKeys: vi.fn() };

function page() {
  return (
    <ShellProvider value={shell}>
      <TraceListPage isAdmin={false} />
    </ShellProvider>
  );
}

it("asks once for the next page when the server fails at it, however often it is drawn", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.startsWith("/api/traces/facets")) return Response.json(COUNTED);
    if (!path.includes("cursor=")) return Response.json({ traces: [TRACE], nextCursor: "next" });
    asked.push(path);
    return Response.json({ error: { code: "internal", message: "Something went wrong." } }, { status: 500 });
  });
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { rerender } = render(page(), { wrapper: withQueries(queryClient) });
  await screen.findByText(/^Not refreshed/u);
  for (let times = 0; times < 5; times++) rerender(page());
  await screen.findByText(/^Not refreshed/u);
  expect(asked).toHaveLength(1);
});

it("names the agent, the time that a run worked and waited, and why it failed", async () => {
  const failed = { status: "failed" as const, errorCode: "model_failed" };
  const error = "LLM call: The provider refused the key. Check it in the settings.";
  const trace = { ...TRACE, ...failed, error, durationMs: 6200, waitedMs: 3200 };
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.startsWith("/api/traces?") ? { traces: [trace], nextCursor: null } : COUNTED),
  );
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
  render(page(), { wrapper: withQueries() });
  const row = await screen.findByRole("row", { name: /One/u });
  for (const words of ["Failed", "at the model", "The provider refused the key.", "Asks v1", "3.0 s", "3.2 s"])
    expect(row.textContent).toContain(words);
  expect(row.textContent).not.toContain("Check it");
});

it("goes from run to run with j and k", async () => {
  const traces = ["One", "Two"].map((title, index) => ({ ...TRACE, id: `t${index}`, runId: `run_${index}`, title }));
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.startsWith("/api/traces?") ? { traces, nextCursor: null } : COUNTED),
  );
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
  render(page(), { wrapper: withQueries() });
  const [first, second] = [await screen.findByRole("link", { name: "One" }), screen.getByRole("link", { name: "Two" })];
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press("j");
  expect(document.activeElement).toBe(first);
  press("j");
  press("j");
  expect(document.activeElement).toBe(second);
  press("k");
  expect(document.activeElement).toBe(first);
});

it("names a run by its message, and says on hover which thread it is in", async () => {
  const traces = [{ ...TRACE, message: "Read the page" }];
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.startsWith("/api/traces?") ? { traces, nextCursor: null } : COUNTED),
  );
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
  render(page(), { wrapper: withQueries() });
  expect((await screen.findByRole("link", { name: "Read the page" })).getAttribute("title")).toBe("One");
});

it("says by what it is sorted, and sorts by another column when its head is pressed", async () => {
  vi.stubGlobal("fetch", async (path: string) =>
    path.startsWith("/api/traces?") ? Response.json({ traces: [TRACE], nextCursor: null }) : Response.json(COUNTED),
  );
  render(page(), { wrapper: withQueries(new QueryClient()) });
  expect((await screen.findByRole("columnheader", { name: /Worked/ })).getAttribute("aria-sort")).toBe("descending");
  expect(screen.getByText("1 in total, without runs that have not ended")).toBeTruthy();
  const orders = { Waited: "waited", Cost: "cost", Tokens: "tokens", Steps: "steps", Agent: "agent", Run: "message" };
  for (const [name, sort] of Object.entries(orders)) {
    fireEvent.click(screen.getByRole("button", { name: new RegExp(`^${name}`, "u") }));
    expect(setUrl).toHaveBeenLastCalledWith({ sort });
  }
});

it.each([
  [{}, null],
  [{ unfolded: 0 }, null],
  [{ unfolded: 1 }, "1 older text is still being prepared"],
  [{ unfolded: 20_000 }, "20,000 older texts are still being prepared"],
  [{ unmasked: 1 }, "The masking rules are still being applied to 1 text, which a search leaves out."],
  [{ unmasked: 1_200 }, "The masking rules are still being applied to 1,200 texts, which a search leaves out."],
  [{ unmasked: 10_000 }, "applied to more than 10,000 texts"],
])("with %o that a search can't find yet, it says %s", async (waiting, words) => {
  vi.stubGlobal("fetch", async (path: string) =>
    path.startsWith("/api/traces?")
      ? Response.json({ traces: [TRACE], nextCursor: null, ...waiting })
      : Response.json(COUNTED),
  );
  render(page(), { wrapper: withQueries(new QueryClient()) });
  await screen.findByRole("columnheader", { name: /Worked/ });
  const line = screen.queryByText(/being (?:prepared|applied)/u)?.textContent ?? null;
  if (words === null) expect(line).toBeNull();
  else expect(line).toContain(words);
});

it("compares two ticked runs with c, and says what is different about ticked ones", async () => {
  const traces = ["One", "Two"].map((title, index) => ({ ...TRACE, id: `t${index}`, runId: `run_${index}`, title }));
  const asked: unknown[] = [];
  const difference = { facet: "model", value: "m", label: "m", share: 1, baseShare: 0, runs: 5, baseRuns: 0 };
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    if (path.startsWith("/api/traces?")) return Response.json({ traces, nextCursor: null });
    if (path !== "/api/traces/difference") return Response.json(COUNTED);
    asked.push(JSON.parse(String(init.body)));
    return Response.json({ selected: 5, rest: 9, differences: [difference] });
  });
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
  go.mockClear();
  render(page(), { wrapper: withQueries() });
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await screen.findByRole("link", { name: "One" });
  press("j");
  press("x");
  press("c");
  expect(go).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole("checkbox", { name: "Tick Two" }));
  press("c");
  expect(go).toHaveBeenCalledExactlyOnceWith("/traces/compare?a=run_0&b=run_1");
  fireEvent.click(screen.getByRole("button", { name: "What is different?" }));
  const link = await screen.findByRole("link", { name: "Model m" });
  expect(link.getAttribute("href")).toBe('/traces#{"sort":"worked","live":true,"columns":null,"model":["m"]}');
  expect(asked).toEqual([{ selection: { runIds: ["run_0", "run_1"] }, base: { filters: {} } }]);
});

it("keeps its rows while it is not live, and says how many newer runs there are", async () => {
  shown.live = false;
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    if (!path.startsWith("/api/traces?")) return Response.json(COUNTED);
    asked.push(path);
    return Response.json({ traces: path.includes("limit=50") ? [TRACE, TRACE] : [TRACE], nextCursor: null });
  });
  const client = new QueryClient();
  render(page(), { wrapper: withQueries(client) });
  const show = await screen.findByRole("button", { name: "Show them" });
  expect(show.parentElement?.textContent).toContain("2 newer runs");
  await client.invalidateQueries({ queryKey: ["traces"] });
  const lists = () => asked.filter((path) => !path.includes("limit=50")).length;
  expect(lists()).toBe(1);
  fireEvent.click(show);
  await vi.waitFor(() => expect(lists()).toBe(2));
  fireEvent.click(screen.getByRole("switch", { name: "Live" }));
  expect(setUrl).toHaveBeenLastCalledWith({ live: null });
});

it("shows the chosen columns alone, each of which can be chosen and returned to what fits", async () => {
  shown.columns = ["cost", "origin"];
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(path.startsWith("/api/traces?") ? { traces: [TRACE], nextCursor: null } : COUNTED),
  );
  render(page(), { wrapper: withQueries() });
  await screen.findByRole("columnheader", { name: /Origin/u });
  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent.replace(/[↑↓]/u, ""));
  expect(heads).toEqual(["Ticked", "Status", "Run", "Origin", "Cost"]);
  fireEvent.click(screen.getByRole("button", { name: "Columns" }));
  fireEvent.click(await screen.findByRole("checkbox", { name: "Thread" }));
  expect(setUrl).toHaveBeenLastCalledWith({ columns: ["cost", "thread", "origin"] });
  fireEvent.click(screen.getByRole("button", { name: "Show what fits" }));
  expect(setUrl).toHaveBeenLastCalledWith({ columns: null });
});
