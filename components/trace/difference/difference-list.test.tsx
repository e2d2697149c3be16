import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Differences } from "@/lib/schema/traces/difference";
import { withQueries } from "@/lib/testing/react/with-queries";
import { DifferenceList } from "./difference-list";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(found: Differences) {
  vi.stubGlobal("fetch", async () => Response.json(found));
  const asked = { selection: { filters: { problemId: "prb_1" } } };
  const Queries = withQueries();
  render(
    <Queries>
      <DifferenceList asked={asked} hrefOf={(facet, value) => `/traces?${facet}=${value}`} />
    </Queries>,
  );
}

const shares = { share: 0.93, baseShare: 0.2, runs: 41, baseRuns: 200 };

it("shows both shares with their counts, and leads to the list where it can be narrowed", async () => {
  show({
    ...{ selected: 44, rest: 1000 },
    differences: [
      { facet: "tool", value: "execute", label: "execute", ...shares },
      { facet: "weekday", value: "1", label: "1", ...shares },
    ],
  });
  const link = await screen.findByRole("link", { name: "Tool used execute" });
  expect(link.getAttribute("href")).toBe("/traces?tool=execute");
  expect(screen.getAllByText("93 %, 41 runs")).toHaveLength(2);
  expect(screen.getAllByText("20 %, 200 runs")).toHaveLength(2);
  expect(screen.getByText("Monday").closest("a")).toBeNull();
});

it("says that nothing is different, and that too few runs say nothing", async () => {
  show({ selected: 44, rest: 1000, differences: [] });
  expect(await screen.findByText("Nothing: these 44 runs are like the 1,000 others.")).toBeDefined();
  cleanup();
  show({ selected: 4, rest: 1000, differences: [] });
  expect(await screen.findByText("Fewer than 5 runs. Nothing can be compared.")).toBeDefined();
  cleanup();
  show({ selected: 44, rest: 4, differences: [] });
  expect(await screen.findByText("Fewer than 5 other runs. Nothing can be compared.")).toBeDefined();
});
