import { QueryClient } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import type { RunState } from "@/lib/schema/traces/run-state";
import type { Trace } from "@/lib/schema/traces/trace";
import { withQueries } from "@/lib/testing/react/with-queries";
import { TraceState } from "./trace-state";

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

const TEXTS: Readonly<Record<number, string>> = { 2: "one\n", 3: "two\n" };

function stateOf(step: number): RunState {
  const text = TEXTS[step];
  const file = { path: "a.txt", sha256: `hash ${step}`, sizeBytes: 4, changedAtStep: step - 1, isKept: true };
  return {
    runId: "run",
    step,
    steps: 2,
    todos: [{ id: "1", title: "Write a.txt", status: step === 3 ? "done" : "pending" }],
    files: text === undefined ? [] : [file],
    hasMoreFiles: false,
    memory: [],
    summary: null,
    promptHash: "p",
    toolNames: ["write_file"],
    rules: null,
    grants: [],
    missing: [{ part: "rules", reason: "only for those who may read the agent's prompt" }],
  };
}

let failing = false;

beforeEach(() => {
  failing = false;
  vi.stubGlobal("fetch", async (input: string | URL | Request) => {
    const url = new URL(input instanceof Request ? input.url : input, "http://localhost");
    const step = Number(url.searchParams.get("step"));
    if (failing) return Response.json({ error: { code: "internal", message: "Broken." } }, { status: 500 });
    return url.pathname.endsWith("/file") ? new Response(TEXTS[step]) : Response.json(stateOf(step));
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(trace: Trace = TRACE) {
  render(
    <NuqsTestingAdapter hasMemory>
      <ShellProvider value={SHELL}>
        <TraceState trace={trace} layout="state" onLayout={() => undefined} />
      </ShellProvider>
    </NuqsTestingAdapter>,
    { wrapper: withQueries(new QueryClient({ defaultOptions: { queries: { retry: false } } })) },
  );
}

const slider = () => screen.getByRole("slider", { name: "Step" });
const part = (name: string) => within(screen.getByRole("list", { name: "Parts of the state" })).getByText(name);

it("opens at the end with what differs from the step before, and its difference", async () => {
  show();
  expect(await screen.findByRole("group", { name: "Changes in a.txt" })).toBeDefined();
  expect(slider().getAttribute("aria-valuetext")).toBe("the end, 3 of 3");
  expect(part("Files").parentElement?.textContent).toBe("Files1 changed1");
  expect(part("Plan").parentElement?.textContent).toBe("Plan1 changed1");
  expect(part("Rules").parentElement?.textContent).toBe("Rulesunknown");
});

it("moves with the arrow keys, with Shift the compared step", async () => {
  show();
  await screen.findByRole("group", { name: "Changes in a.txt" });
  fireEvent.keyDown(document.body, { key: "ArrowLeft" });
  expect(slider().getAttribute("aria-valuetext")).toBe("step 2, 2 of 3");
  expect(screen.getByRole("button", { name: /Compare with/u }).textContent).toContain("step 1");
  fireEvent.keyDown(document.body, { key: "ArrowRight" });
  fireEvent.keyDown(document.body, { key: "ArrowLeft", shiftKey: true });
  expect(screen.getByRole("button", { name: /Compare with/u }).textContent).toContain("step 1");
  expect(slider().getAttribute("aria-valuetext")).toBe("the end, 3 of 3");
});

it("shows the text instead of the difference with d", async () => {
  show();
  await screen.findByRole("group", { name: "Changes in a.txt" });
  fireEvent.keyDown(document.body, { key: "d" });
  expect(await screen.findByRole("group", { name: "Code, a.txt" })).toBeDefined();
});

it("marks what changed in the plan, and says why rules are missing", async () => {
  show();
  await screen.findByRole("group", { name: "Changes in a.txt" });
  fireEvent.click(part("Plan"));
  expect(within(screen.getByRole("region", { name: "Plan" })).getByText("changed")).toBeDefined();
  fireEvent.click(part("Rules"));
  expect(screen.getByText("Rules: only for those who may read the agent's prompt.")).toBeDefined();
});

it("says that nothing has happened yet, and offers to try again after an error", async () => {
  show({ ...TRACE, status: "running", durationMs: null, steps: 0 });
  expect(screen.getByText("No step yet")).toBeDefined();
  cleanup();
  failing = true;
  show();
  expect(await screen.findByText("The state of this step could not be loaded")).toBeDefined();
});
