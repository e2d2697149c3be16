import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { RawConfig } from "@/lib/schema/agents/agent-api";
import type { ContextPreview, ThreadFill } from "@/lib/schema/threads/thread-context";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ContextPicture } from "./context-picture";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const EMPTY: ContextPreview = { window: 1_000, windowFrom: "assumed", rules: [], threads: [] };

function show(config: RawConfig, preview: Partial<ContextPreview> = {}) {
  vi.stubGlobal("fetch", async () => Response.json({ ...EMPTY, ...preview }));
  return render(<ContextPicture agentId="ada" config={config} />, { wrapper: withQueries() });
}

const thread = (changes: Partial<ThreadFill>): ThreadFill => ({
  threadId: "t1",
  title: "Fix it",
  isOwn: true,
  ownerName: "Mara",
  traceId: "run1",
  conversation: 100,
  messages: 2,
  compactions: 0,
  updatedAt: "2026-11-23T10:00:00.000Z",
  estimated: true,
  ...changes,
});

test("a window that nobody has told is said to be assumed, and an agent without threads what will be here", async () => {
  show({});
  expect(await screen.findByText("1,000 tokens, assumed: the model's window is unknown")).toBeTruthy();
  expect(screen.getByText(/^No threads yet\./)).toBeTruthy();
});

test("without any rule the picture says what happens then", async () => {
  const off = { enabled: false };
  show({ pruning: off, summarization: off, compaction: off });
  expect(await screen.findByText(/^No rule is active\./)).toBeTruthy();
});

test("a wrong number in a field leaves the picture as it was", async () => {
  const shown = show({ compaction: { ratio: 0.5 } });
  expect(await screen.findByText("500 tokens, 50%, after a run")).toBeTruthy();
  shown.rerender(<ContextPicture agentId="ada" config={{ compaction: { ratio: 7 } }} />);
  expect(screen.getByText("500 tokens, 50%, after a run")).toBeTruthy();
  shown.rerender(<ContextPicture agentId="ada" config={{ compaction: { ratio: 0.6 } }} />);
  expect(screen.getByText("600 tokens, 60%, after a run")).toBeTruthy();
});

test("one's own thread opens, another person's only as a trace and without its title", async () => {
  const other = thread({ threadId: "t2", title: null, isOwn: false, conversation: 2_000, compactions: 2 });
  show({}, { threads: [thread({}), other] });
  const list = await screen.findByRole("list", { name: "Latest threads, by how full they are" });
  const links = within(list).getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/threads/t1", "/traces/run1"]);
  expect(links[0]?.textContent).toContain("Fix it");
  expect(links[1]?.textContent).toMatch(/A thread of Mara.*2k · 200% · compacted 2 times/);
});
