import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withQueries } from "@/lib/testing/react/with-queries";
import { MemoryDocumentView } from "./memory-document-view";

const AT = "2026-11-20T12:00:00.000Z";
const DOCUMENT = {
  ...{ id: "md_1", path: "MEMORY.md", kind: "long_term", agentId: "coder", agentName: "Coder", userId: "u1" },
  ...{ userName: "Ada", threadId: null, sizeChars: 6, version: 1, updatedAt: AT, tokens: 2, inPrompt: "always" },
  updatedBy: { author: "user", name: "Ada", runId: null },
  ...{ content: "- tea\n", cut: null },
};
const LINE = { id: "ml_1", line: 1, text: "- tea", version: 1, author: "user", authorName: "Ada", at: AT };
const USES = { prompts: 2, threads: [], otherThreads: 1, changedThreads: 1, since: AT };

function answerOf(url: string): unknown {
  if (url.endsWith("/blame")) return [LINE];
  if (url.endsWith("/uses")) return USES;
  return url.includes("/versions") ? { versions: [], nextCursor: null } : DOCUMENT;
}

beforeEach(() => vi.stubGlobal("fetch", async (url: string) => Response.json(answerOf(url))));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const isWide = (matches: boolean) => vi.stubGlobal("matchMedia", () => ({ matches }));
const chooseLine = async () => {
  render(<MemoryDocumentView id="md_1" back={null} onDeleted={vi.fn()} />, { wrapper: withQueries() });
  fireEvent.click(await screen.findByText("- tea"));
};

test("where there is no room beside the text, a chosen line opens the drawer that says where it was used", async () => {
  isWide(false);
  await chooseLine();
  const drawer = await screen.findByRole("dialog");
  expect(await within(drawer).findByText("It was in 2 prompts of 1 thread. You can't open it.")).toBeTruthy();
});

test("where there is room, it stands beside the text", async () => {
  isWide(true);
  await chooseLine();
  const history = screen.getByRole("complementary", { name: "History" });
  expect(await within(history).findByText("It was in 2 prompts of 1 thread. You can't open it.")).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
});
