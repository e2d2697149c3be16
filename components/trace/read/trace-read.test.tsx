import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import type { Note } from "@/lib/schema/traces/note";
import type { ReadTrace } from "@/lib/schema/traces/read-trace";
import type { Trace } from "@/lib/schema/traces/trace";
import { withQueries } from "@/lib/testing/react/with-queries";
import { TraceRead } from "./trace-read";

const SHELL = { setPageKeys: vi.fn(), go: vi.fn() } as unknown as Shell;

const TRACE: Trace = {
  id: "tr",
  runId: "run",
  threadId: "th",
  agentId: "a",
  agentName: "Asks",
  agentVersion: 1,
  origin: { kind: "chat" },
  attended: true,
  ownerId: "u",
  ownerName: "Ada",
  title: "A run",
  message: null,
  model: null,
  status: "completed",
  error: null,
  errorCode: null,
  notice: null,
  cancelledBy: null,
  startedAt: new Date(0).toISOString(),
  durationMs: 100,
  steps: 2,
  usage: NO_USAGE,
  costUsd: 0,
  timeToFirstTokenMs: null,
  waitedMs: 0,
  waitingSince: null,
  droppedSpans: 0,
  isSampled: true,
  scores: [],
  spans: [],
};

const text = (value: string) => ({ text: value, chars: value.length });
const step = (number: number, calls: number) =>
  ({ kind: "step", id: `s${number}`, step: number, atMs: 0, workedMs: 2900, costUsd: null, calls }) as const;

const READ: ReadTrace = {
  traceId: "tr",
  runId: "run",
  title: "A run",
  askedBy: "Ada",
  startedAt: new Date(0).toISOString(),
  hasMoreRuns: false,
  runs: [
    {
      runId: "run",
      name: "Asks",
      steps: 2,
      hasMessages: true,
      passages: [
        { kind: "message", id: "m", text: text("Fix the date range") },
        step(1, 1),
        { kind: "thought", id: "t", text: text("A range has two ends.") },
        {
          ...{ kind: "call", id: "c", toolCallId: "call_1", spanId: "sp", tool: "task", gist: "look at it" },
          ...{ status: "failed", startedAtMs: 0, durationMs: 40, isError: true },
          args: text('{"prompt": "Look at the range"}'),
          result: { text: "exit 1", chars: 5000 },
          childRunIds: ["child"],
        },
        {
          kind: "wait",
          id: "w",
          fromMs: 0,
          toMs: 51_000,
          title: "Waited 51 s for Ada",
          decision: "Allowed once by Ada.",
        },
        step(2, 0),
        { kind: "answer", id: "a", text: text("It is **done**.") },
      ],
    },
    {
      runId: "child",
      name: "explorer",
      steps: 12,
      hasMessages: true,
      passages: [{ kind: "answer", id: "ca", text: text("Three callers of the range.") }],
    },
  ],
};

const PERCENTILE = {
  ...{ tool: "task", tookMs: 40, calls: 400, of: "everybody", slowerThan: 0.9, fasterThan: 0.09, p95Ms: 1_200 },
};

let answer: () => Response;
let notes: Note[];

beforeEach(() => {
  answer = () => Response.json(READ);
  notes = [];
  vi.stubGlobal("fetch", async (path: string) => {
    if (path.endsWith("/percentile")) return Response.json({ percentile: PERCENTILE });
    return path.startsWith("/api/notes") ? Response.json({ notes }) : answer();
  });
  // Nothing is laid out in tests: the text draws as many rows as fit its height.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(900);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(40);
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function show(address = "") {
  render(
    <NuqsTestingAdapter hasMemory searchParams={address}>
      <ShellProvider value={SHELL}>
        <TraceRead trace={TRACE} layout="read" onLayout={() => undefined} />
      </ShellProvider>
    </NuqsTestingAdapter>,
    { wrapper: withQueries(new QueryClient({ defaultOptions: { queries: { retry: false } } })) },
  );
}

const region = () => screen.findByRole("region", { name: "Text of the run" });
const search = (words: string) => {
  const field = screen.getByRole("searchbox", { name: "Search the text" });
  fireEvent.change(field, { target: { value: words } });
  fireEvent.keyDown(field, { key: "Enter" });
};

it("says of an opened call how slow it was beside others of its tool", async () => {
  show();
  fireEvent.click(within(await region()).getByRole("button", { name: "task look at it" }));
  const words = "Slower than 90 % of 400 task calls of this agent in 30 days (p95 1.2 s)";
  expect(await screen.findByText(words)).toBeDefined();
});

it("reads from the message to the answer, with calls, waits and subagents folded", async () => {
  show();
  const read = within(await region());
  expect(read.getByText("Fix the date range")).toBeDefined();
  expect(read.getByText("1 call, 2.9 s")).toBeDefined();
  expect(read.getByText("Waited 51 s for Ada")).toBeDefined();
  expect(read.getByRole("button", { name: "explorer, 12 steps", expanded: false })).toBeDefined();
  expect(read.queryByText("exit 1")).toBeNull();
  fireEvent.click(read.getByRole("button", { name: "task look at it" }));
  expect(read.getByText("exit 1")).toBeDefined();
  expect(read.getByText("4,994 more characters")).toBeDefined();
});

it("finds words in folded text too, and opens what it goes to", async () => {
  show();
  const read = within(await region());
  search("range");
  await waitFor(() => expect(screen.getByText(/of 4$/u).textContent).toMatch(/of 4/u));
  expect(screen.getByText("4 hits, 3 of them in folded text")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Previous hit" }));
  await waitFor(() => expect(read.queryByText("Three callers of the range.")).not.toBeNull());
});

it("goes to the next error and to the step after it by keys, and folds and opens everything", async () => {
  show();
  await region();
  const current = () => screen.getByRole("navigation", { name: "Steps" }).querySelector('[aria-current="true"]');
  fireEvent.keyDown(document.body, { key: "e" });
  expect(current()?.textContent).toBe("Step 12.9 s");
  fireEvent.keyDown(document.body, { key: "j" });
  expect(current()?.textContent).toBe("Step 22.9 s");
  fireEvent.keyDown(document.body, { key: "o" });
  expect(await screen.findByText("exit 1")).toBeDefined();
  fireEvent.keyDown(document.body, { key: "o" });
  expect(screen.queryByText("exit 1")).toBeNull();
});

it("opens the call that a link names", async () => {
  show("?call=call_1");
  expect(await screen.findByText("exit 1")).toBeDefined();
});

it("says that messages were removed, that nothing is there yet, and what went wrong", async () => {
  const [root] = READ.runs;
  answer = () => Response.json({ ...READ, runs: [{ ...root, hasMessages: false }] });
  show();
  expect(await screen.findByText(/The messages of this run were removed/u)).toBeDefined();
  cleanup();
  answer = () => Response.json({ ...READ, runs: [{ ...root, passages: [] }] });
  show();
  expect(await screen.findByText("Nothing to read yet")).toBeDefined();
  cleanup();
  answer = () => Response.json({ error: { code: "internal", message: "Broken." } }, { status: 500 });
  show();
  expect(await screen.findByText("The text of this run could not be loaded")).toBeDefined();
});

it("shows a call's notes below it, and above the text those on the run and on spans without a line", async () => {
  const facts = {
    runId: "run",
    authorId: "ada",
    authorName: "Ada",
    createdAt: new Date(0).toISOString(),
    editedAt: null,
  };
  notes = [
    { ...facts, id: "a", spanId: "sp", text: "Wrong range" },
    { ...facts, id: "b", spanId: null, text: "A slow run" },
    { ...facts, id: "c", spanId: "sp_model", text: "An odd answer" },
  ];
  show();
  const read = within(await region());
  expect((await read.findByText("Wrong range")).closest("ul")?.getAttribute("aria-label")).toBe("Notes");
  const above = within(screen.getByRole("group", { name: "Notes of people" }));
  expect(above.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("A slow run"),
    expect.stringContaining("An odd answer"),
  ]);
  const link = above.getByRole("link", { name: "Open the span" });
  expect(link.getAttribute("href")).toBe("?layout=waterfall&span=sp_model&tab=notes");
});
