import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { SharedWithYou } from "./shared-with-you";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("somebody with no project to read is told how threads reach them", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ projects: [], nextCursor: null }));
  render(<SharedWithYou />, { wrapper: withQueries() });
  expect(await screen.findByText("Nothing is shared with you yet")).toBeTruthy();
});
