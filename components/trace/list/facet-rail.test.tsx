import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { NuqsTestingAdapter, type UrlUpdateEvent } from "nuqs/adapters/testing";
import { afterEach, expect, it, vi } from "vitest";
import { useTraceFilters } from "@/lib/client/trace/use-trace-filters";
import { withQueries } from "@/lib/testing/react/with-queries";
import { FacetRail } from "./facet-rail";
import { FilterChips } from "./filter-chips";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TOOLS = [
  { value: "execute", label: "execute", count: 12 },
  { value: "fetch", label: "fetch", count: 3 },
];
const COUNTED = {
  runs: 15,
  facets: [
    { name: "agent", values: [{ value: "a", label: "Asks", count: 15 }] },
    { name: "tool", values: TOOLS },
    { name: "person", values: [{ value: "u", label: "Ada", count: 15 }] },
  ],
  countedAt: new Date().toISOString(),
};

function Filters() {
  const state = useTraceFilters();
  return (
    <>
      <FilterChips state={state} />
      <FacetRail state={state} isAdmin={false} />
    </>
  );
}

function open(searchParams: string) {
  const written: string[] = [];
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json(COUNTED);
  });
  const onUrlUpdate = (event: UrlUpdateEvent) => void written.push(event.queryString);
  const Queries = withQueries();
  render(
    <NuqsTestingAdapter searchParams={searchParams} onUrlUpdate={onUrlUpdate} hasMemory>
      <Queries>
        <Filters />
      </Queries>
    </NuqsTestingAdapter>,
  );
  return { written, asked };
}

it("offers each value with its count, and puts what is ticked into the address", async () => {
  const { written } = open("");
  const tool = await screen.findByRole("checkbox", { name: /execute/u });
  expect(tool.closest("label")?.textContent).toContain("12");
  expect(screen.queryByRole("checkbox", { name: /Ada/u })).toBeNull();
  fireEvent.click(tool);
  await vi.waitFor(() => expect(written).toEqual(["?tool=execute"]));
});

it("asks for what the address says, and takes back one filter of several", async () => {
  const { written, asked } = open("?tool=execute,gone&agent=a&minCost=0.5&hasError=true");
  await screen.findByRole("checkbox", { name: /gone/u });
  const query = new URLSearchParams(asked[0]?.split("?")[1]);
  expect(Object.fromEntries(query)).toEqual({
    tool: "execute,gone",
    agentId: "a",
    minCostUsd: "0.5",
    hasError: "true",
  });
  const chips = screen.getByRole("list", { name: "Filters in force" });
  expect(chips.textContent).toContain("AgentAsks");
  expect(chips.textContent).toContain("$0.5 or more");
  fireEvent.click(screen.getByRole("button", { name: /Tool used\s*gone/u }));
  await vi.waitFor(() => expect(written.at(-1)).toContain("tool=execute&"));
});
