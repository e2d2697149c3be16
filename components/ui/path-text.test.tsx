import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { PathText } from "./path-text";

afterEach(cleanup);

test("keeps the end of a long name, which tells it from the next one", () => {
  const ends = ["report-of-the-quarter-2024-01.csv", "report-of-the-quarter-2024-02.csv"].map((name) => {
    const { container } = render(<PathText path={`data/${name}`} />);
    expect(container.textContent).toBe(`data/${name}`);
    return container.querySelector("span > span:last-child")?.textContent;
  });
  expect(ends).toEqual(["er-2024-01.csv", "er-2024-02.csv"]);
});
