import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { NO_USAGE, showUsage } from "@/lib/schema/runs/usage";
import { TokenCount } from "./token-count";

afterEach(cleanup);

it("shows unknown tokens as an en dash that says why, and what is known", () => {
  const usage = showUsage({ ...NO_USAGE, inputTokens: 1_200, outputTokens: 34, isUsagePartial: true });
  render(<TokenCount tokens={usage.inputTokens} usage={usage} />);
  expect(screen.getByText("–")).toBeTruthy();
  expect(screen.getByTitle(/without reporting its usage\. The other calls used 1,234 tokens/u)).toBeTruthy();
});

it("marks an estimate, for the eye and for the ear", () => {
  const usage = showUsage({ ...NO_USAGE, inputTokens: 1_234, isUsageEstimated: true });
  render(<TokenCount tokens={usage.inputTokens} usage={usage} />);
  expect(screen.getByText("~1,234")).toBeTruthy();
  expect(screen.getByText("about 1,234, estimated")).toBeTruthy();
});

it("shows known tokens as a number", () => {
  const { container } = render(<TokenCount tokens={1_234} usage={showUsage(NO_USAGE)} />);
  expect(container.textContent).toBe("1,234");
});
