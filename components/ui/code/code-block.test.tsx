import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { CodeBlock } from "./code-block";

afterEach(cleanup);

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
const shown = (container: HTMLElement) => container.querySelectorAll("code").length;

test("draws the beginning of a very long text, and all of it on request", () => {
  const { container } = render(<CodeBlock code={lines(5000)} title="log.txt" />);
  expect(shown(container)).toBe(2000);
  fireEvent.click(screen.getByRole("button", { name: "Show all 5,000 lines" }));
  expect(shown(container)).toBe(5000);
  expect(screen.queryByRole("button", { name: /^Show all/u })).toBeNull();
});

test("shows a text of usual length whole", () => {
  const { container } = render(<CodeBlock code={lines(2000)} isBare />);
  expect(shown(container)).toBe(2000);
  expect(screen.queryByRole("button")).toBeNull();
});
