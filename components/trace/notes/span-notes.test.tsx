import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { useTraceSelection } from "@/lib/client/trace/use-trace-selection";
import { toastStore } from "@/lib/client/ui/toast-store";
import type { Note } from "@/lib/schema/traces/note";
import type { Scope } from "@/lib/schema/users/user";
import { withQueries } from "@/lib/testing/react/with-queries";
import { useNotesTab } from "./use-notes-tab";

const note = (id: string, more: Partial<Note> = {}): Note => ({
  id,
  runId: "run",
  spanId: null,
  text: `Text of ${id}`,
  authorId: "ada",
  authorName: "Ada",
  createdAt: new Date(0).toISOString(),
  editedAt: null,
  ...more,
});

let stored: Note[] = [];
let sent: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];

beforeEach(() => {
  stored = [];
  sent = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body = "null" }: RequestInit = {}) => {
    if (method === "GET") return Response.json({ notes: stored });
    sent.push({ method, path, body: JSON.parse(String(body)) });
    if (method === "DELETE") return new Response(null, { status: 204 });
    stored = [...stored, note("new", { text: "Stored" })];
    return Response.json(note("new"));
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  for (const { id } of toastStore.read()) toastStore.close(id);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Tab() {
  const selection = useTraceSelection([], null);
  const { tab, counts, write } = useNotesTab("run", "root", selection);
  return (
    <>
      <button type="button" onClick={write}>
        write
      </button>
      <h2>{tab.label}</h2>
      <output>{JSON.stringify(Object.fromEntries(counts))}</output>
      {tab.content}
    </>
  );
}

function show(span: string, scopes: readonly Scope[] = ["read", "chat"]) {
  const shell = { viewer: { id: "ada", scopes } } as unknown as Shell;
  render(
    <NuqsTestingAdapter hasMemory searchParams={{ span }}>
      <ShellProvider value={shell}>
        <Tab />
      </ShellProvider>
    </NuqsTestingAdapter>,
    { wrapper: withQueries() },
  );
}

const list = async (name: string) => within(await screen.findByRole("list", { name }));
const isShown = (text: string) => screen.queryByText(text) !== null;

test("a span's notes stand above those of the run, and the root span has those of the run", async () => {
  stored = [note("a"), note("b", { spanId: "call", text: "Of the **call**" }), note("c", { spanId: "root" })];
  show("call");
  expect((await list("Notes on this span")).getByText("call").tagName).toBe("STRONG");
  expect((await list("Notes on the run")).getByText("Text of a")).toBeDefined();
  expect(screen.getByRole("heading", { name: "Notes 1" })).toBeDefined();
  expect(screen.getByRole("status").textContent).toBe('{"root":2,"call":1}');
  cleanup();
  show("root");
  expect((await list("Notes on the run")).getAllByRole("listitem")).toHaveLength(2);
  expect(screen.queryByRole("list", { name: "Notes on this span" })).toBeNull();
});

test("without notes a sentence says so, and the key puts the cursor into the field", async () => {
  show("call");
  expect(await screen.findByText(/^No notes on this span yet\./u)).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "write" }));
  await waitFor(() => expect(document.activeElement?.tagName).toBe("TEXTAREA"));
});

test("a note is sent by Ctrl and Enter, and the emptied field keeps the cursor for the next one", async () => {
  show("call");
  const field = await screen.findByRole("textbox", { name: "New note on this span" });
  fireEvent.change(field, { target: { value: "Slow, see the proxy" } });
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(isShown("Stored")).toBe(true));
  expect(sent).toEqual([
    { method: "POST", path: "/api/notes", body: { runId: "run", spanId: "call", text: "Slow, see the proxy" } },
  ]);
  const next = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "New note on this span" });
  expect([next.value, document.activeElement]).toEqual(["", next]);
});

test("the author edits in place, and Escape leaves the note as it is", async () => {
  stored = [note("a", { spanId: "call" })];
  show("call");
  fireEvent.click(await screen.findByRole("button", { name: "Edit note" }));
  fireEvent.keyDown(screen.getByRole("textbox", { name: "Edit note" }), { key: "Escape" });
  expect(isShown("Text of a")).toBe(true);
  fireEvent.click(screen.getByRole("button", { name: "Edit note" }));
  const field = screen.getByRole("textbox", { name: "Edit note" });
  fireEvent.change(field, { target: { value: "Better" } });
  fireEvent.click(screen.getByRole("button", { name: /^Save note/u }));
  await waitFor(() => expect(sent).toEqual([{ method: "PATCH", path: "/api/notes/a", body: { text: "Better" } }]));
});

test("a deleted note is gone at once, comes back with Undo, and is deleted on the server a moment later", async () => {
  stored = [note("a", { spanId: "call" })];
  show("call");
  const remove = await screen.findByRole("button", { name: "Delete note" });
  vi.useFakeTimers();
  fireEvent.click(remove);
  expect(isShown("Text of a")).toBe(false);
  toastStore.read()[0]?.onUndo?.();
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await waitFor(() => expect(isShown("Text of a")).toBe(true));
  expect(sent).toEqual([]);
  vi.useFakeTimers();
  fireEvent.click(screen.getByRole("button", { name: "Delete note" }));
  vi.advanceTimersByTime(5_000);
  vi.useRealTimers();
  await waitFor(() => expect(sent).toEqual([{ method: "DELETE", path: "/api/notes/a", body: null }]));
});

test("others' notes are not edited, administrators delete them, and a viewer only reads", async () => {
  stored = [note("a", { spanId: "call", authorId: "grace", authorName: "Grace" })];
  const names = async () => {
    await screen.findByText("Grace");
    return screen.getAllByRole("button").flatMap((button) => button.getAttribute("aria-label") ?? []);
  };
  show("call");
  expect(await names()).toEqual([]);
  cleanup();
  show("call", ["read", "chat", "admin"]);
  expect(await names()).toEqual(["Delete note"]);
  cleanup();
  show("call", ["read"]);
  await names();
  expect(screen.queryByRole("textbox")).toBeNull();
});
