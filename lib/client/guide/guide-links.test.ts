import { expect, test } from "vitest";
import { anchorOf, guideHref } from "./guide-links";

test.each([
  ["guide/traces.md", "sandbox.md", "/guide/sandbox"],
  ["guide/automation/schedules.md", "../tools.md#rules", "/guide/tools#rules"],
  ["guide/tools.md", "connect/mcp.md", "/guide/connect/mcp"],
  ["guide/tools.md", "../reference/http.md", "/guide/reference/http"],
  ["guide/tools.md", "#rules", "/guide/tools#rules"],
  ["guide/tools.md", "../README.md", "/guide"],
  ["guide/tools.md", "../design/runs.md", null],
  ["guide/tools.md", "../../CONTRIBUTING.md", null],
  ["guide/tools.md", "https://example.org/guide/x.md", null],
])("in %s, %s leads to %s", (from, target, href) => expect(guideHref(from, target)).toBe(href));

test("an anchor is what GitHub makes of the heading", () => {
  expect(anchorOf("Two runs, side by side")).toBe("two-runs-side-by-side");
  expect(anchorOf("`allowed-tools` and rules")).toBe("allowed-tools-and-rules");
});
