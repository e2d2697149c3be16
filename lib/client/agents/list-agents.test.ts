import { expect, it } from "vitest";
import { costText, type ListedAgent, matchesSearch, sumActivity } from "./list-agents";

const day = (runs: number, failed: number, costUsd: number, unknownCosts = 0) => {
  return { day: "2026-11-23", runs, failed, costUsd, unknownCosts };
};

it("sums the last days only, and has no rate without runs", () => {
  const activity = { days: [day(100, 100, 9), day(3, 1, 1.5), day(1, 0, 0.5, 1)] };
  expect(sumActivity(activity, 2)).toEqual({ runs: 4, failedShare: 0.25, costUsd: 2, unknownCosts: 1 });
  expect(sumActivity({ days: [day(0, 0, 0)] }, 7).failedShare).toBeNull();
});

it("never shows an unknown cost as none", () => {
  const sums = { runs: 2, failedShare: 0, costUsd: 41.2, unknownCosts: 0 };
  expect(costText(sums)).toBe("$41.20");
  expect(costText({ ...sums, unknownCosts: 1 })).toBe("$41.20 + unknown");
  expect(costText({ ...sums, costUsd: 0, unknownCosts: 2 })).toBe("unknown");
  expect(costText({ ...sums, runs: 0, costUsd: 0 })).toBe("");
});

it("finds an agent by words of its name, prompt and tools", () => {
  const agent = {
    id: "coder",
    name: "Coder",
    description: "",
    model: "a:b",
    tools: ["execute"],
    system_prompt: "Careful.",
  };
  expect(matchesSearch(agent as unknown as ListedAgent, "careful EXEC")).toBe(true);
  expect(matchesSearch(agent as unknown as ListedAgent, "careful otter")).toBe(false);
});
