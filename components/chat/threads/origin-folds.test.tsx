import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { OriginFolds } from "./origin-folds";

const AT = "2026-11-20T08:00:00.000Z";
const GROUPS = [
  { origin: "schedule", triggerId: "brief", title: "Morning brief", threads: 6, lastAt: AT },
  { origin: "schedule", triggerId: null, title: "Old one", threads: 1, lastAt: AT },
  { origin: "draft", triggerId: "coder", title: "Coder", threads: 2, lastAt: AT },
] as const;

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open() {
  render(<OriginFolds groups={GROUPS} currentId="th_1" />, { wrapper: withQueries() });
}

test("kinds are folded with their count, and those without threads are absent", () => {
  open();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Schedules7", "Drafts2"]);
  expect(screen.queryByRole("link")).toBeNull();
});

test("a schedule opens to its threads, which are asked for only then, and stays open after a reload", async () => {
  const asked: string[] = [];
  const row = { agentId: "a", agentName: "A", pinned: false, archived: false, activeRunId: null };
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    const thread = { ...row, id: "th_1", title: "Morning brief", status: "failed", createdAt: AT, updatedAt: AT };
    return Response.json({ threads: [thread], nextCursor: null });
  });
  open();
  fireEvent.click(screen.getByRole("button", { name: /^Schedules/ }));
  expect(asked).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: /^Morning brief/ }));
  const link = await within(await screen.findByRole("list", { name: "Morning brief" })).findByRole("link");
  expect(link.getAttribute("href")).toBe("/threads/th_1");
  expect(link.getAttribute("aria-current")).toBe("page");
  expect(asked).toEqual([expect.stringMatching(/origin=schedule&triggerId=brief/)]);
  cleanup();
  open();
  expect(screen.getByRole("button", { name: /^Morning brief/ }).getAttribute("aria-expanded")).toBe("true");
});
