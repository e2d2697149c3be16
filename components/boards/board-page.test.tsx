import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { NotLiveProvider, type Shell, ShellProvider } from "@/components/shell/shell-context";
import type { Board, BoardCard } from "@/lib/schema/boards/board";
import { withQueries } from "@/lib/testing/react/with-queries";
import { BoardPage } from "./board-page";
import { BoardsPage } from "./boards-page";

vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }) }));

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const SHELL = {
  viewer: { id: "u1", scopes: ["read", "chat"] },
  setPageKeys: vi.fn(),
} as unknown as Shell;

const CARD: BoardCard = {
  id: "c1",
  number: 1,
  title: "Count the pages",
  spec: "",
  dependsOn: [],
  assignee: null,
  byPerson: false,
  status: "todo",
  runId: null,
  agentVersion: null,
  threadId: null,
  result: null,
  partial: null,
  cause: null,
  question: null,
  asks: null,
  note: null,
  sentBack: 0,
  attempts: 0,
  evidence: null,
  evidenceState: null,
  costUsd: 0,
  step: null,
  doing: null,
  startedAt: null,
  reviewer: null,
  acceptedBy: null,
  doneAt: null,
  createdAt: "2026-11-23T08:00:00.000Z",
};

const BOARD: Board = {
  id: "b1",
  name: "Release 2.9",
  goal: "",
  lead: null,
  members: ["ann", "bob"],
  max_parallel: 3,
  review: "person",
  workspace: "own",
  budget: { usd: 5, tokens: null },
  used: { usd: 1.24, tokens: 0 },
  added: { usd: 0, tokens: 0 },
  reserved: { usd: 0.14, tokens: 0 },
  isBudgetReached: false,
  state: "running",
  stoppedAt: null,
  counts: { todo: 1, working: 1, needs_you: 0, review: 1, done: 0, failed: 1 },
  stoppedReason: null,
  apiKey: null,
  createdAt: "2026-11-23T08:00:00.000Z",
  updatedAt: "2026-11-23T08:00:00.000Z",
  team: ["ann", "bob"].map((agentId) => ({
    agentId,
    name: agentId === "ann" ? "Ann" : "Bob",
    version: 3,
    isLead: false,
    state: "idle" as const,
    cardNumber: null,
    costUsd: 0,
  })),
  leadThreadId: null,
  plan: [],
  woken: { results: 0, questions: 0, failures: 0 },
  tasks: [
    { ...CARD, dependsOn: ["c2", "c3"] },
    {
      ...CARD,
      id: "c2",
      number: 2,
      title: "Write",
      status: "working",
      assignee: "ann",
      runId: "run_2",
      step: 7,
      doing: "edit_file 2.9.md",
    },
    {
      ...CARD,
      id: "c3",
      number: 3,
      title: "List",
      status: "review",
      assignee: "bob",
      runId: "run_3",
      result: "14 entries",
    },
    {
      ...CARD,
      id: "c4",
      number: 4,
      title: "Measure",
      status: "failed",
      assignee: "bob",
      runId: "run_4",
      cause: "The build ran out of disk.",
    },
  ],
};

function open(board: Board, notLiveSince: number | null = null) {
  const sent: [string, string, unknown][] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    if (init.method && init.method !== "GET") {
      sent.push([init.method, path, init.body ? JSON.parse(String(init.body)) : null]);
      return Response.json(board.tasks[0] ?? board);
    }
    return Response.json(board);
  });
  render(
    <ShellProvider value={SHELL}>
      <NotLiveProvider value={notLiveSince}>
        <BoardPage id="b1" />
      </NotLiveProvider>
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  return sent;
}

const column = async (name: string) => screen.findByRole("region", { name });
const cardLink = (title: string) => screen.getByRole("link", { name: title });

test("each card stands in its column with what it does; a failed one stays where it failed", async () => {
  open(BOARD);
  const working = await column("Working");
  expect(working.textContent).toContain("Step 7");
  expect(working.textContent).toContain("edit_file 2.9.md");
  expect(working.textContent).toContain("The build ran out of disk.");
  expect(within(working).getByRole("button", { name: "Try again" })).toBeTruthy();
  expect(working.textContent).toContain("Bob");
  expect((await column("To do")).textContent).toContain("after 2 and 3");
  expect(cardLink("Write").getAttribute("href")).toBe("/traces/run_2");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toContain("Release 2.9");
  expect(document.body.textContent).toContain("$1.24 of $5, $0.14 reserved");
});

test("with the keyboard one goes from card to card, and moves one only as its state allows", async () => {
  const sent = open(BOARD);
  await column("Review");
  fireEvent.keyDown(document.body, { key: "ArrowRight" });
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Count the pages"));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowRight" });
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Write"));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowDown" });
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Measure"));
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "m" });
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowRight" });
  expect(sent).toEqual([]);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "m" });
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowLeft" });
  await waitFor(() => expect(sent).toEqual([["POST", "/api/boards/b1/tasks/c4/reopen", { how: "give_back" }]]));
  cardLink("List").focus();
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "y" });
  await waitFor(() => expect(sent[1]).toEqual(["POST", "/api/boards/b1/tasks/c3/review", { accept: true }]));
});

test("what goes back needs a note, and what was typed is sent", async () => {
  const sent = open(BOARD);
  fireEvent.click(await screen.findByRole("button", { name: "Send back" }));
  const field = await screen.findByRole("textbox", { name: "What is missing" });
  fireEvent.submit(field.closest("form") as HTMLFormElement);
  expect(await screen.findByText("Say what is missing; the member will read it.")).toBeTruthy();
  fireEvent.change(field, { target: { value: "No links." } });
  fireEvent.submit(field.closest("form") as HTMLFormElement);
  await waitFor(() =>
    expect(sent).toEqual([["POST", "/api/boards/b1/tasks/c3/review", { accept: false, note: "No links." }]]),
  );
});

test("while the connection is lost its foot says since when, and the buttons stay", async () => {
  open(BOARD);
  await column("Review");
  expect(screen.queryByText(/^Not live/)).toBeNull();
  expect(document.querySelector("footer")?.textContent).toContain("Live, changed");
  cleanup();
  open(BOARD, new Date(2026, 10, 23, 14, 31).getTime());
  expect(await screen.findByText("Not live since 14:31, trying again")).toBeTruthy();
  expect(document.querySelector("footer")?.textContent).not.toContain("Live, changed");
  expect(within(await column("Review")).getByRole("button", { name: "Accept" })).toBeTruthy();
});

/** Which column a phone shows: the pressed tab. */
const shownTab = () => screen.getByRole("navigation", { name: "Columns" }).querySelector("[aria-pressed=true]");

test("on a phone a finger that goes sideways turns to the next column, one that scrolls does not", async () => {
  open(BOARD);
  const working = await column("Working");
  const swipe = (fromX: number, toX: number, toY = 100) => {
    fireEvent.touchStart(working, { touches: [{ clientX: fromX, clientY: 100 }] });
    fireEvent.touchEnd(working, { changedTouches: [{ clientX: toX, clientY: toY }] });
  };
  expect(shownTab()?.textContent).toBe("Working 2");
  swipe(300, 200);
  expect(shownTab()?.textContent).toBe("Waiting for you 0");
  swipe(300, 280);
  swipe(300, 200, 400);
  expect(shownTab()?.textContent).toBe("Waiting for you 0");
  swipe(100, 300);
  swipe(100, 300);
  swipe(100, 300);
  expect(shownTab()?.textContent).toBe("To do 1");
  expect(screen.getByRole("button", { name: /^\$1\.24 of \$5/ }).textContent).toContain("0 of 4 done");
});

test("a phone begins with the first column that has cards if none is worked on", async () => {
  open({ ...BOARD, tasks: BOARD.tasks.filter(({ status }) => status === "review") });
  await column("Review");
  expect(shownTab()?.textContent).toBe("Review 1");
});

test("a board without cards says what comes; one that is gone or can't be read says so", async () => {
  open({ ...BOARD, tasks: [], lead: "ann" });
  expect(await screen.findByText("The lead is reading TEAM.md and will write the cards")).toBeTruthy();
  cleanup();
  vi.stubGlobal("fetch", async () =>
    Response.json({ error: { code: "internal", message: "Broken." } }, { status: 500 }),
  );
  render(
    <ShellProvider value={SHELL}>
      <BoardsPage />
    </ShellProvider>,
    { wrapper: withQueries() },
  );
  expect(await screen.findByText("The boards could not be loaded. They keep running.")).toBeTruthy();
});

test("on a phone a bar stops, starts and adds, and the head leads back and says that it is stopped", async () => {
  const sent = open({ ...BOARD, state: "stopped", stoppedAt: "2026-11-23T09:00:00.000Z" });
  const bar = await screen.findByRole("region", { name: "The whole board" });
  expect(screen.getByRole("link", { name: "All boards" }).getAttribute("href")).toBe("/automations/boards");
  expect(screen.getByText("Stopped").className).not.toContain("hidden");
  fireEvent.click(within(bar).getByRole("button", { name: "Start again" }));
  await waitFor(() => expect(sent).toContainEqual(["PATCH", "/api/boards/b1", { stopped: false }]));
  fireEvent.click(within(bar).getByRole("button", { name: "Team" }));
  expect(await screen.findByRole("dialog", { name: "Team" })).toBeTruthy();
});
