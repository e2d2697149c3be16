import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { Markdown } from "./markdown";

afterEach(cleanup);

test("shows the start of a text of millions of characters, and all of it on request", () => {
  const { container } = render(<Markdown text={`${"word ".repeat(100_000)}the end`} />);
  expect(container.textContent).toContain("500,007 characters in all");
  expect(container.textContent).not.toContain("the end");
  fireEvent.click(screen.getByRole("button", { name: "Show all" }));
  expect(container.textContent).toContain("the end");
});

test("formats an answer of 120,000 characters", async () => {
  const { container } = render(<Markdown text={`${"A **bold** word.\n\n".repeat(7_000)}`} />);
  await waitFor(() => expect(container.querySelectorAll("strong").length).toBe(7_000));
});
