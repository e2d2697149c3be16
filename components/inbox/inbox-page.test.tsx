import { QueryClient } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { inboxQuery } from "@/lib/client/chat/asks/decisions";
import { APPROVALS_KEY } from "@/lib/client/http/query-keys";
import { toastStore } from "@/lib/client/ui/toast-store";
import type { AskDetail } from "@/lib/schema/inbox/ask-detail";
import type { AskOutcome } from "@/lib/schema/inbox/ask-outcome";
import type { ApprovalData } from "@/lib/schema/messages/ui-message";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { withQueries } from "@/lib/testing/react/with-queries";
import { InboxPage } from "./inbox-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SHELL = { viewer: { scopes: ["chat"] }, go: vi.fn(), setPageKeys: vi.fn() } as unknown as Shell;

/** Shown when nothing was waiting at the last check. */
function showKnownEmpty(): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
  const page = { approvals: [], total: 0, nextCursor: null };
  client.setQueryData(inboxQuery.queryKey, { pages: [page], pageParams: [null] });
  render(
    <ShellProvider value={SHELL}>
      <InboxPage />
    </ShellProvider>,
    { wrapper: withQueries(client) },
  );
  return client;
}

it("says that it could not be refreshed, and shows what it knows", async () => {
  const refusal = { error: { code: "internal", message: "The disk is full." } };
  vi.stubGlobal("fetch", async (path: string) =>
    path === "/api/inbox-notes" ? Response.json({ notes: [], total: 0 }) : Response.json(refusal, { status: 500 }),
  );
  const client = showKnownEmpty();
  await act(() => client.invalidateQueries({ queryKey: inboxQuery.queryKey }));
  expect((await screen.findByRole("alert")).textContent).toBe("Not refreshed: The disk is full.");
  expect(await screen.findByText("Nothing is waiting for you")).toBeTruthy();
});

it("does not say that nothing waits while it can't read what there is to know", async () => {
  const refusal = { error: { code: "internal", message: "The disk is full." } };
  vi.stubGlobal("fetch", async () => Response.json(refusal, { status: 500 }));
  showKnownEmpty();
  expect((await screen.findByRole("alert")).textContent).toBe("Not refreshed: The disk is full.");
  expect(screen.queryByText("Nothing is waiting for you")).toBeNull();
});

const ASK: Approval = {
  id: "a1",
  runId: "r1",
  threadId: "th_1",
  threadTitle: "Release",
  agentId: "coder",
  agentName: "Coder",
  waitingSince: new Date().toISOString(),
  kind: "approval",
  toolCallId: "c1",
  tool: "execute",
  args: { command: "git push" },
  facts: { kind: "command", gist: "git push", question: "Run this command?" },
  source: { kind: "schedule", name: "Release sync" },
};
const DETAIL: AskDetail = {
  id: "a1",
  runId: "r1",
  attended: false,
  sourcePath: "/automations/schedules/trg1",
  when: "every day at 09:00",
  dueAt: null,
  startedAt: new Date().toISOString(),
  steps: 5,
  costUsd: 0.091,
  workedMs: 48_000,
  calls: [{ toolCallId: "c0", tool: "execute", gist: "npm test", isError: false, durationMs: 2_310 }],
  said: "The tests pass.",
  told: ["push", "push", "email"].map((way) => ({
    way,
    at: "2026-11-24T09:02:00.000Z",
    state: "sent",
  })) as AskDetail["told"],
};
const NOTE = {
  id: "n1",
  kind: "board",
  title: "Board finished: 6 cards",
  detail: "",
  source: "board Docs",
  path: "/automations/boards/b1",
  createdAt: new Date().toISOString(),
};

const DECIDED: ApprovalData = {
  toolCallId: "c1",
  tool: "execute",
  args: { command: "git push" },
  status: "approved",
  scope: "once",
  requestedAtMs: Date.now(),
  decidedAtMs: Date.now(),
  decidedBy: "Ana",
  decidedVia: "page",
};

function twoAsks(): Approval[] {
  return [ASK, { ...ASK, id: "a2", runId: "r2", threadId: "th_2", threadTitle: "Other", source: undefined }];
}

/** The page with asks, by default two, and a note; a decision takes its ask out. */
function open(asks = twoAsks()) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const outcome: AskOutcome = { kind: "approval", data: DECIDED };
  let notes = [NOTE];
  const sent: [string, unknown][] = [];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit = {}) => {
    if (method === "POST" || method === "PATCH") {
      sent.push([path, JSON.parse(String(body))]);
      if (method === "PATCH") notes = [];
      else asks.shift();
      if (method === "PATCH") return new Response(null, { status: 204 });
      return Response.json({ runId: "r1", status: "queued", open: [] });
    }
    if (path === "/api/inbox-notes") return Response.json({ notes, total: notes.length });
    if (path.endsWith("/outcome")) return Response.json(outcome);
    const id = /^\/api\/approvals\/(\w+)$/.exec(path)?.[1];
    if (id !== undefined) return Response.json({ ...DETAIL, id });
    return Response.json({ approvals: asks, total: asks.length, nextCursor: null });
  });
  render(
    <ShellProvider value={SHELL}>
      <InboxPage />
    </ShellProvider>,
    { wrapper: withQueries(client) },
  );
  /** Somebody decides the first ask, and the page hears of it. */
  const decideElsewhere = async () => {
    asks.shift();
    await client.invalidateQueries({ queryKey: APPROVALS_KEY });
  };
  return { sent, decideElsewhere };
}

const list = (name: string) => screen.findByRole("list", { name });
const shown = () => screen.getByRole("region", { name: "Open item" });

it("shows how the open ask came about, who was told and the last steps, above its card", async () => {
  open();
  expect(await screen.findByText("The tests pass.")).toBeTruthy();
  const text = shown().textContent;
  expect(text).toContain("Started byschedule Release sync, every day at 09:00, started");
  expect(text).toContain("Toldpush on 2 devices, email");
  expect(text).toContain("So far5 steps, 48 s of work, $0.091");
  expect(text).toMatch(/executenpm test2\.3\d? s/);
  expect(within(shown()).getByRole("region", { name: /^Approval: execute/ })).toBeTruthy();
  expect(within(shown()).getByText("1 of 3")).toBeTruthy();
});

it("opens the next ask after a decision, moves by keys, and leads to what is open", async () => {
  const { sent } = open();
  await screen.findByText("The tests pass.");
  fireEvent.keyDown(document, { key: "y" });
  await waitFor(() => expect(sent.map(([path]) => path)).toEqual(["/api/runs/r1/decisions"]));
  await waitFor(() => expect(within(shown()).getByRole("heading", { name: "Other" })).toBeTruthy());
  fireEvent.keyDown(document, { key: "o" });
  expect(SHELL.go).toHaveBeenLastCalledWith("/threads/th_2");
  fireEvent.keyDown(document, { key: "j" });
  expect(await within(shown()).findByRole("heading", { name: "board Docs" })).toBeTruthy();
  fireEvent.keyDown(document, { key: "o" });
  expect(SHELL.go).toHaveBeenLastCalledWith("/automations/boards/b1");
});

it("says of an open ask that was decided elsewhere by whom and where, and opens another only when told to", async () => {
  const { sent, decideElsewhere } = open();
  await screen.findByText("The tests pass.");
  await decideElsewhere();
  const card = await within(shown()).findByRole("region", { name: "No longer waits: Run this command?" });
  await waitFor(() => expect(card.textContent).toContain("Allowed once by Ana, in the thread · now"));
  expect(within(card).queryByRole("button")).toBeNull();
  expect(within(shown()).getByText("The tests pass.")).toBeTruthy();
  expect(screen.getByText("The open ask was decided elsewhere.").getAttribute("role")).toBe("status");
  expect(within(await list("Waiting for you")).getAllByRole("button")).toHaveLength(1);
  fireEvent.keyDown(document, { key: "y" });
  expect(sent).toEqual([]);
  fireEvent.keyDown(document, { key: "j" });
  expect(await within(shown()).findByRole("heading", { name: "Other" })).toBeTruthy();
});

it("shows who was faster if the decision made here comes too late", async () => {
  const { decideElsewhere } = open();
  await screen.findByText("The tests pass.");
  const others = fetch;
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    if (init.method !== "POST") return others(path, init);
    await decideElsewhere();
    return Response.json({ error: { code: "conflict", message: "Allowed by Ana." } }, { status: 409 });
  });
  fireEvent.keyDown(document, { key: "y" });
  expect(await within(shown()).findByText(/Allowed once by Ana/)).toBeTruthy();
  expect(toastStore.read().at(-1)?.title).toBe("Already decided");
});

it("keeps showing the last ask after it was decided elsewhere, until the viewer goes back", async () => {
  const { decideElsewhere } = open([ASK]);
  fireEvent.click(within(await list("To know")).getByRole("button"));
  fireEvent.keyDown(document, { key: "e" });
  await waitFor(() => expect(screen.queryByRole("list", { name: "To know" })).toBeNull());
  await decideElsewhere();
  expect(await within(shown()).findByText(/Allowed once by Ana/)).toBeTruthy();
  expect(screen.getByText("Nothing else is waiting for you.")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Back to the list" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Open item" })).toBeNull());
  expect(screen.getByText("Nothing is waiting for you")).toBeTruthy();
});

it("takes out with e what is only to be known, never an ask, and Undo brings it back", async () => {
  const { sent } = open();
  await screen.findByText("The tests pass.");
  fireEvent.keyDown(document, { key: "e" });
  expect(sent).toEqual([]);
  fireEvent.click(within(await list("To know")).getByRole("button"));
  fireEvent.keyDown(document, { key: "e" });
  await waitFor(() => expect(sent).toEqual([["/api/inbox-notes/n1", { done: true }]]));
  await waitFor(() => expect(screen.queryByRole("list", { name: "To know" })).toBeNull());
  await waitFor(() => expect(toastStore.read().at(-1)?.title).toBe("Done: Board finished: 6 cards"));
  toastStore.read().at(-1)?.onUndo?.();
  await waitFor(() => expect(sent.at(-1)).toEqual(["/api/inbox-notes/n1", { done: false }]));
});

it("on a phone shows the list until an item is opened, and then that item with a way back", async () => {
  open();
  const row = within(await list("Waiting for you")).getAllByRole("button")[0];
  const isHidden = () => shown().className.includes("max-lg:hidden");
  expect(isHidden()).toBe(true);
  if (row) fireEvent.click(row);
  expect(isHidden()).toBe(false);
  fireEvent.click(screen.getByRole("button", { name: "Back to the list" }));
  expect(isHidden()).toBe(true);
});
