import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { SidePanel } from "./side-panel";

afterEach(cleanup);

test.each([
  ["running", "In progress"],
  ["waiting", "In progress"],
  ["ended", "Stopped"],
] as const)("a todo in progress of a run that is %s is called %s", (work, word) => {
  const todos = [{ id: "1", title: "Fix", status: "in_progress" as const }];
  render(<SidePanel todos={todos} work={work} files={null} />);
  expect(screen.getByRole("img", { name: word })).toBeTruthy();
});

test("without a plan there is no section for one", () => {
  render(<SidePanel todos={[]} work="ended" files={null} />);
  expect(screen.queryByText("Plan")).toBeNull();
});
