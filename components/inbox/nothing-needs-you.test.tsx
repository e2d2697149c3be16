import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import type { InboxOutlook } from "@/lib/schema/inbox/inbox-outlook";
import { withQueries } from "@/lib/testing/react/with-queries";
import { NothingNeedsYou } from "./nothing-needs-you";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SHELL = { viewer: { scopes: ["chat"] } } as unknown as Shell;

function show(outlook: InboxOutlook) {
  vi.stubGlobal("fetch", async () => Response.json(outlook));
  const { container } = render(
    <ShellProvider value={SHELL}>
      <NothingNeedsYou />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  return () => container.textContent;
}

it("says what runs now and what starts next, and leads there", async () => {
  const dueAt = new Date(Date.now() + 18 * 3_600_000).toISOString();
  const text = show({ runningThreads: 2, nextSchedule: { id: "trg1", name: "Morning brief", dueAt } });
  const threads = await screen.findByRole("link", { name: "2 threads" });
  expect(threads.getAttribute("href")).toBe("/");
  expect(screen.getByRole("link", { name: "Morning brief" }).getAttribute("href")).toBe("/automations/schedules/trg1");
  expect(text()).toContain("2 threads run now.");
  expect(text()).toContain("Morning brief starts in 18 h.");
});

it("is silent about what there is none of", async () => {
  const text = show({ runningThreads: 1, nextSchedule: null });
  await screen.findByRole("link", { name: "1 thread" });
  expect(text()).toContain("1 thread runs now.");
  expect(text()).not.toContain("starts");
});
