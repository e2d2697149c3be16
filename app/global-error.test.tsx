import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import GlobalError from "./global-error";

afterEach(() => {
  cleanup();
  document.documentElement.className = "";
});

function show(): string {
  render(<GlobalError error={new Error("x")} retry={vi.fn()} />, { container: document as unknown as HTMLElement });
  return document.documentElement.className;
}

describe("the page in place of a frame that threw", () => {
  it("stays dark where the page was dark", () => {
    document.documentElement.className = "font dark";
    expect(show()).toContain("dark");
    expect(document.body.textContent).toContain("This page could not be shown");
  });

  it("stays light where the page was light", () => {
    document.documentElement.className = "font light";
    expect(show()).not.toContain("dark");
  });
});
