import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { BlameBlock } from "@/lib/client/memory/blame-blocks";
import type { MemoryDetail } from "@/lib/schema/files/memory";
import { withQueries } from "@/lib/testing/react/with-queries";
import { LineRecall } from "./line-recall";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "2026-11-20T12:00:00.000Z";
const thread = (title: string, changes: boolean) => ({ id: title, title, prompts: 3, lastAt: AT, changes });
const USES = {
  ...{ prompts: 9, otherThreads: 1, changedThreads: 1, since: AT },
  threads: [thread("Weekly report", true), thread("Date fix", false)],
};
const origin = {
  ...{ id: "ml_1", line: 1, text: "- tea", version: 1, author: "user" as const, authorName: "Ada", at: AT },
};
const block = (...lines: string[]): BlameBlock => ({ origin, start: 4, lines, ids: lines.map((_, at) => `ml_${at}`) });

function show(shown: BlameBlock, onWithdraw: (() => void) | null = vi.fn()) {
  const onBlock = vi.fn();
  const fetched = vi.fn(async (_url: string) => Response.json(USES));
  vi.stubGlobal("fetch", fetched);
  const current = { version: 3 } as MemoryDetail;
  render(<LineRecall current={current} block={shown} onBlock={onBlock} onWithdraw={onWithdraw} />, {
    wrapper: withQueries(),
  });
  return { onBlock, urls: () => fetched.mock.calls.map(([url]) => url) };
}

test("a line says where it was used, and which next prompts change without it", async () => {
  const onWithdraw = vi.fn();
  const { urls } = show(block("- tea"), onWithdraw);
  const used = await screen.findByRole("region", { name: "Where it was used" });
  expect(within(used).getByText("It was in 9 prompts of 3 threads. You can't open 1.")).toBeTruthy();
  expect(
    within(used)
      .getAllByRole("link")
      .map(({ textContent }) => textContent),
  ).toEqual(["Weekly report", "Date fix"]);
  const changed = screen.getByRole("region", { name: "If it is withdrawn" });
  expect(
    within(changed)
      .getAllByRole("link")
      .map(({ textContent }) => textContent),
  ).toEqual(["Weekly report"]);
  fireEvent.click(within(changed).getByRole("button", { name: /^Withdraw/ }));
  expect(onWithdraw).toHaveBeenCalledOnce();
  expect(urls()).toEqual(["/api/memory/lines/ml_0/uses"]);
});

test("of several lines, one is chosen first; empty ones are left out", () => {
  const { onBlock, urls } = show(block("- tea", "", "- Berlin"));
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["4- tea", "6- Berlin"]);
  fireEvent.click(screen.getByRole("button", { name: /Berlin/ }));
  expect(onBlock).toHaveBeenCalledExactlyOnceWith({ origin, start: 6, lines: ["- Berlin"], ids: ["ml_2"] });
  expect(urls()).toEqual([]);
});

test("while the text is being edited, nothing is withdrawn", async () => {
  show(block("- tea"), null);
  const button = await screen.findByRole("button", { name: /^Withdraw/ });
  expect(button.hasAttribute("disabled") || button.getAttribute("aria-disabled") === "true").toBe(true);
});
