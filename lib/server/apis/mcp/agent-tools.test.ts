import { expect, test } from "vitest";
import { processServices } from "@/lib/server/platform/services";
import { toolNames } from "./agent-tools";

test("a tool has the agent's id with _ for -, and no two tools have one name", () => {
  const ids = ["a-b", "a_b", "find-runs", "find_runs", "plain"];
  expect(Object.fromEntries(toolNames(processServices(), ids))).toEqual({
    "a-b": "a-b",
    a_b: "a_b",
    "find-runs": "find-runs",
    find_runs: "agent_find_runs",
    plain: "plain",
  });
});
