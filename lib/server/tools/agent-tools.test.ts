import { expect, test } from "vitest";
import { toolFilter } from "./agent-tools";

test("a tool that is not named does not belong to the agent", () => {
  expect(["calculate", "weather"].filter(toolFilter(["calculate"]))).toEqual(["calculate"]);
});

test("globs name several tools, and deny overrides allow", () => {
  const isListed = toolFilter({ allow: ["crm_*", "calculate"], deny: ["crm_delete*"] });
  expect(["crm_find", "crm_delete_all", "calculate", "other"].filter(isListed)).toEqual(["crm_find", "calculate"]);
});

test("an empty list has nothing", () => {
  expect(["calculate"].filter(toolFilter([]))).toEqual([]);
});
