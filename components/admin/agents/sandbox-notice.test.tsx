import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { SandboxNotice } from "./sandbox-notice";

afterEach(cleanup);

const show = (available: boolean, reason: string | null) =>
  render(<SandboxNotice agent={{ sandbox: { available, reason, remedy: reason && "Install bubblewrap." } }} />);

test("warns of commands that run without a sandbox, and says what to do", () => {
  show(true, "UNSAFE: commands run on this machine without a sandbox.");
  expect(screen.getByRole("heading", { name: "Commands run without a sandbox" })).toBeTruthy();
  expect(screen.getByText("Install bubblewrap.")).toBeTruthy();
});

test("commands that can't be offered say why", () => {
  show(false, "bubblewrap is not installed.");
  expect(screen.getByRole("heading", { name: "Commands are not offered to this agent" })).toBeTruthy();
});

test("a sandbox that works is not worth a word", () => {
  const { container } = show(true, null);
  expect(container.textContent).toBe("");
});
