import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, expect, it, vi } from "vitest";
import { ShellProvider } from "@/components/shell/shell-context";
import type { Problem } from "@/lib/schema/traces/problem";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ProblemsPage } from "./problems-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const NOW = new Date().toISOString();
const PROBLEM: Problem = {
  id: "prb_1",
  title: "fetch fails: HTTP <n>",
  kind: "tool_error",
  agentId: "a",
  tool: "fetch",
  firstVersion: 3,
  firstSeenAt: NOW,
  lastSeenAt: NOW,
  runs: 35,
  people: 4,
  perDay: Array.from({ length: 28 }, (_, day) => (day > 25 ? 5 : 0)),
  state: "open",
  resolvedInVersion: null,
  sampleRunIds: ["run_1"],
};
const viewer = { id: "u", name: "Ada", email: "ada@example.org", role: "admin" as const, scopes: [] };
const shell = { viewer, go: vi.fn(), openPalette: vi.fn(), setPageKeys: vi.fn() };

function open(problems: readonly Problem[], isAdmin = true) {
  const changes: [string, unknown][] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    if (init.method === "PATCH") {
      changes.push([path, JSON.parse(String(init.body))]);
      return new Response(null, { status: 204 });
    }
    if (path === "/api/traces/difference") return Response.json({ selected: 35, rest: 90, differences: [] });
    return Response.json(path.startsWith("/api/problems") ? { problems } : { agents: [] });
  });
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter hasMemory>
      <Queries>
        <ShellProvider value={shell}>
          <ProblemsPage isAdmin={isAdmin} />
        </ShellProvider>
      </Queries>
    </NuqsTestingAdapter>,
  );
  return changes;
}

it("says what goes wrong, how often and since when, and leads to its runs", async () => {
  open([PROBLEM, { ...PROBLEM, id: "prb_2", title: "Gone", state: "resolved", resolvedInVersion: 4 }]);
  const row = await screen.findByRole("row", { name: /fetch fails/u });
  for (const words of ["Tool error", "35", "4", "since v3"]) expect(row.textContent).toContain(words);
  expect(screen.getByRole("img", { name: "On 2 of 28 days" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: PROBLEM.title }));
  const detail = within(screen.getByRole("complementary", { name: "Problem" }));
  const runs = detail.getByRole("link", { name: "Show its 35 runs" });
  expect(runs.getAttribute("href")).toBe("/traces?problemId=prb_1");
  expect(await detail.findByText("Nothing: these 35 runs are like the 90 others.")).toBeTruthy();
  fireEvent.keyDown(document.body, { key: "Escape" });
  await vi.waitFor(() => expect(screen.queryByRole("complementary")).toBeNull());
  expect(screen.queryByText("Gone")).toBeNull();
  fireEvent.click(screen.getByRole("radio", { name: /Resolved/u }));
  expect(await screen.findByText("Gone")).toBeTruthy();
});

it("lets administrators resolve a problem, and nobody else", async () => {
  const changes = open([PROBLEM]);
  fireEvent.click(await screen.findByRole("button", { name: /^Resolve/u }));
  await vi.waitFor(() => expect(changes).toEqual([["/api/problems/prb_1", { state: "resolved" }]]));
  cleanup();
  open([PROBLEM], false);
  await screen.findByText(PROBLEM.title);
  expect(screen.queryByRole("button", { name: /^Resolve/u })).toBeNull();
});

it("says that there is none", async () => {
  open([]);
  expect(await screen.findByText("No problems in 28 days")).toBeTruthy();
});
