import { expect, test } from "vitest";
import { toolNames } from "./agent-tools";

test("a tool has the agent's id with _ for -, and no two tools have one name", () => {
  const ids = ["a-b", "a_b", "find-runs", "find_runs", "plain"];
  expect(Object.fromEntries(toolNames(ids))).toEqual({
    "a-b": "a-b",
    a_b: "a_b",
    "find-runs": "find-runs",
    find_runs: "agent_find_runs",
    plain: "plain",
  });
});
