import { cleanup, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { SideColumn } from "./side-region";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const panel = (isSeen: boolean) => <p>{isSeen ? "Seen" : "Unseen"}</p>;

test.each([
  [true, "Seen"],
  [false, "Unseen"],
])("where the screen is wide enough is %s, the panel of the column is told %s", (matches, told) => {
  vi.stubGlobal("matchMedia", () => ({ matches, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  render(<SideColumn panel={panel} />);
  expect(screen.getByText(told)).toBeTruthy();
});

test("a server, which knows no screen, loads nothing of the panel", () => {
  expect(renderToString(<SideColumn panel={panel} />)).toContain("Unseen");
});
