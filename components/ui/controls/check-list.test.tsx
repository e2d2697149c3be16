import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { CheckList } from "./check-list";

afterEach(cleanup);

const names = () => screen.getAllByRole("checkbox").map((box) => box.closest("label")?.textContent);
const optionsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `${at}`, name: `Agent ${at}` }));

test("a long list begins with what was chosen when it opened, a short one keeps its order", () => {
  const long = <CheckList label="Members" options={optionsOf(12)} value={["7", "11"]} onChange={() => undefined} />;
  const { rerender } = render(long);
  expect(names().slice(0, 3)).toEqual(["✓Agent 7", "✓Agent 11", "Agent 0"]);
  rerender(<CheckList label="Members" options={optionsOf(12)} value={["7", "3"]} onChange={() => undefined} />);
  expect(names().slice(0, 6)).toEqual(["✓Agent 7", "Agent 11", "Agent 0", "Agent 1", "Agent 2", "✓Agent 3"]);
  cleanup();
  render(<CheckList label="Members" options={optionsOf(3)} value={["2"]} onChange={() => undefined} />);
  expect(names()).toEqual(["Agent 0", "Agent 1", "✓Agent 2"]);
});
