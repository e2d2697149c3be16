import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { NO_USAGE, showUsage } from "@/lib/schema/runs/usage";
import { SidePanel } from "./side-panel";

afterEach(cleanup);

const usage = { ...showUsage(NO_USAGE), totalTokens: 0, costUsd: 0 };

test.each([
  ["running", "In progress"],
  ["waiting", "In progress"],
  ["ended", "Stopped"],
] as const)("a todo in progress of a run that is %s is called %s", (work, word) => {
  const todos = [{ id: "1", title: "Fix", status: "in_progress" as const }];
  render(<SidePanel todos={todos} work={work} usage={usage} latestTraceId={null} budgets={null} files={null} />);
  expect(screen.getByRole("img", { name: word })).toBeTruthy();
});
