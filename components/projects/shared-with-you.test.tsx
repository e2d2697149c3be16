import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { SharedWithYou } from "./shared-with-you";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("without projects the page says how threads are shared and who can make you a member", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ projects: [], nextCursor: null }));
  render(<SharedWithYou />, { wrapper: withQueries() });
  expect(await screen.findByText("Nothing is shared with you yet")).toBeTruthy();
});
