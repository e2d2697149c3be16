import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useThreadSelection } from "@/lib/client/chat/threads/use-thread-selection";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { ThreadList, type ThreadListProps } from "./thread-list";

afterEach(cleanup);

const AT = new Date().toISOString();

function thread(id: string, change: Partial<ThreadSummary> = {}): ThreadSummary {
  return {
    id,
    agentId: "a",
    agentName: "A",
    title: `Thread ${id}`,
    pinned: false,
    archived: false,
    status: "completed",
    activeRunId: null,
    createdAt: AT,
    updatedAt: AT,
    ...change,
  };
}

function propsOf(threads: ThreadSummary[]): ThreadListProps {
  const nothing = () => undefined;
  return {
    onRename: nothing,
    onShare: nothing,
    onPin: nothing,
    onArchive: nothing,
    onDelete: nothing,
    groups: threads.length > 0 ? [{ name: "Today", threads }] : [],
    currentId: "1",
    search: "",
    onSearch: nothing,
    isArchive: false,
    onArchiveView: nothing,
    placeholder: null,
    onLoadMore: null,
    isLoadingMore: false,
  };
}

function show(threads: ThreadSummary[], change: Partial<ThreadListProps> = {}) {
  return render(<ThreadList {...propsOf(threads)} {...change} />);
}

async function choose(name: string) {
  const button = screen.getByRole("button", { name: "Thread actions" });
  fireEvent.keyDown(button, { key: "ArrowDown" });
  fireEvent.keyUp(button, { key: "ArrowDown" });
  fireEvent.click(await screen.findByRole("menuitem", { name }));
}

describe("the thread list", () => {
  it("marks the thread that is open", () => {
    show([thread("1"), thread("2")]);
    expect(screen.getByRole("link", { name: /Thread 1/u }).getAttribute("aria-current")).toBe("page");
    expect(screen.getByRole("link", { name: /Thread 2/u }).getAttribute("aria-current")).toBeNull();
  });

  it("shows what is running before what is queued, and nothing for what is well", () => {
    show([thread("1", { status: "queued", activeRunId: "r" }), thread("2", { status: "failed" }), thread("3")]);
    expect(screen.getAllByRole("img").map((ring) => ring.getAttribute("aria-label"))).toEqual(["Running", "Failed"]);
  });

  it("deletes, pins and renames from the menu of a row", async () => {
    const [onDelete, onPin, onRename] = [vi.fn(), vi.fn(), vi.fn()];
    const row = thread("1");
    show([row], { onDelete, onPin, onRename });
    await choose("Delete");
    await choose("Pin");
    await choose("Rename");
    for (const called of [onDelete, onPin, onRename]) expect(called).toHaveBeenCalledExactlyOnceWith(row);
  });

  it("is one stop of Tab per row, whose actions an arrow leads to and back", async () => {
    show([thread("1")], { selected: new Set() });
    const link = screen.getByRole("link", { name: /Thread 1/u });
    const stops = document.querySelectorAll('nav li :is(a, button, input):not([tabindex="-1"])');
    expect([...stops]).toEqual([link]);
    link.focus();
    fireEvent.keyDown(link, { key: "ArrowRight" });
    const actions = screen.getByRole("button", { name: "Thread actions" });
    expect(document.activeElement).toBe(actions);
    fireEvent.keyDown(actions, { key: "ArrowLeft" });
    expect(document.activeElement).toBe(link);
  });

  it("ticks threads with a click, with x, and with Shift up to one", () => {
    const rows = ["1", "2", "3", "4"].map((id) => thread(id));
    function Page() {
      const { ids, toggle } = useThreadSelection(rows.map(({ id }) => id));
      return <ThreadList {...propsOf(rows)} selected={ids} onSelect={toggle} />;
    }
    render(<Page />);
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    fireEvent.keyDown(screen.getByRole("link", { name: /Thread 2/u }), { key: "x" });
    const ticked = () => screen.getAllByRole<HTMLInputElement>("checkbox").map(({ checked }) => checked);
    expect(ticked()).toEqual([false, true, false, false]);
    const isFollowed = fireEvent.click(screen.getByRole("link", { name: /Thread 4/u }), { shiftKey: true });
    expect(isFollowed).toBe(false);
    expect(ticked()).toEqual([false, true, true, true]);
    fireEvent.click(screen.getByRole("checkbox", { name: "Select Thread 3" }));
    expect(ticked()).toEqual([false, true, false, true]);
    fireEvent.keyDown(screen.getByRole("link", { name: /Thread 2/u }), { key: "x", ctrlKey: true });
    expect(ticked()).toEqual([false, true, false, true]);
  });

  it("offers the export as files of the server", async () => {
    show([thread("1")]);
    const button = screen.getByRole("button", { name: "Thread actions" });
    fireEvent.keyDown(button, { key: "ArrowDown" });
    const item = await screen.findByRole("menuitem", { name: "Export Markdown" });
    expect(item.getAttribute("href")).toBe("/api/threads/1/export?format=md");
  });
});
