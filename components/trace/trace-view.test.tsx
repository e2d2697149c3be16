import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Shell, ShellProvider } from "@/components/shell/shell-context";
import { NO_USAGE } from "@/lib/schema/runs/usage";
import type { Span } from "@/lib/schema/traces/span";
import type { Trace } from "@/lib/schema/traces/trace";
import { withQueries } from "@/lib/testing/react/with-queries";
import { TraceView } from "./trace-view";

const SHELL = { setPageKeys: vi.fn(), go: vi.fn() } as unknown as Shell;
const HEIGHT = 600;

beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  // Nothing is laid out in tests: the list draws as many rows as fit its height.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(HEIGHT);
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const span = (id: string, more: Partial<Span> = {}): Span => ({
  id,
  traceId: "tr",
  runId: "run",
  parentId: "root",
  name: id,
  type: "hook",
  status: "completed",
  error: null,
  startedAtMs: 0,
  endedAtMs: 10,
  attributes: {},
  ...more,
});

/** A root over a group of two and a row of others, in numeric order. */
function traceOf(count: number): Trace {
  const others = Array.from({ length: count }, (_, index) => span(`row ${index}`, { startedAtMs: index + 1 }));
  const folder = [span("folder"), span("inside", { parentId: "folder" })];
  return {
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
    steps: 1,
    usage: NO_USAGE,
    costUsd: 0,
    timeToFirstTokenMs: null,
    waitedMs: 0,
    waitingSince: null,
    droppedSpans: 0,
    isSampled: true,
    scores: [],
    spans: [span("root", { parentId: null, type: "agent" }), ...folder, ...others],
  };
}

function show(trace: Trace) {
  const page = (shown: Trace) => (
    <NuqsTestingAdapter hasMemory>
      <ShellProvider value={SHELL}>
        <TraceView trace={shown} layout="waterfall" onLayout={() => undefined} />
      </ShellProvider>
    </NuqsTestingAdapter>
  );
  const { rerender } = render(page(trace), { wrapper: withQueries() });
  return (next: Trace) => rerender(page(next));
}

const tree = () => screen.getByRole("tree", { name: "Spans" });
const row = (name: string) => screen.getByRole("treeitem", { name: new RegExp(name) });
const marked = () => screen.getByRole("treeitem", { selected: true }).textContent;

it("says of a run that was stopped before its first usage that its tokens and cost are unknown, never zero", () => {
  const unknown = { inputTokens: null, cachedReadTokens: null, cachedWriteTokens: null, outputTokens: null };
  const usage = { ...unknown, reasoningTokens: null, knownUsage: NO_USAGE };
  show({ ...traceOf(2), status: "cancelled", usage, costUsd: null });
  expect(screen.getByText("Tokens unknown")).toBeDefined();
  expect(screen.getAllByText("Cost").map(({ parentElement }) => parentElement?.textContent)).toContain("Costunknown");
  expect(document.body.textContent).not.toMatch(/\b0 (new input|output|cached)|\$0/);
});

it("continues from the span that was closed", () => {
  show(traceOf(6));
  fireEvent.click(row("row 2"));
  fireEvent.keyDown(tree(), { key: "Escape" });
  expect(screen.queryByRole("complementary", { name: "Span" })).toBeNull();
  fireEvent.keyDown(tree(), { key: "ArrowDown" });
  expect(marked()).toContain("row 3");
});

it("continues from the row that hides the marked one", () => {
  show(traceOf(6));
  fireEvent.click(row("inside"));
  fireEvent.click(row("folder").querySelector("button") as HTMLButtonElement);
  fireEvent.keyDown(tree(), { key: "ArrowDown" });
  expect(marked()).toContain("row 0");
});

it("takes the arrows where nothing has the focus yet", () => {
  show(traceOf(6));
  fireEvent.keyDown(document.body, { key: "ArrowDown" });
  expect(marked()).toContain("root");
  expect(document.activeElement).toBe(tree());
});

it("keeps the focus in the list when the row that was clicked goes", () => {
  show(traceOf(6));
  row("inside").focus();
  fireEvent.click(row("folder").querySelector("button") as HTMLButtonElement);
  expect(document.activeElement).toBe(tree());
});

it("stays where it is scrolled to when rows above the marked one are folded", () => {
  show(traceOf(60));
  fireEvent.click(row("row 3"));
  const scrollTo = vi.spyOn(tree(), "scrollTo");
  fireEvent.click(row("folder").querySelector("button") as HTMLButtonElement);
  expect(screen.queryByText("inside")).toBeNull();
  expect(scrollTo).not.toHaveBeenCalled();
});

const text = (name: string) => screen.getByText(name).parentElement?.textContent;
const attempts = [
  span("call", { type: "llm", name: "llm.call" }),
  span("first", { type: "llm", name: "llm.attempt", parentId: "call", status: "failed" }),
];

it("tells time worked from time waited, and counts a call with its failed attempts once", () => {
  const trace = { ...traceOf(0), durationMs: 6200, waitedMs: 3200 };
  show({ ...trace, spans: [...trace.spans, ...attempts] });
  expect([text("Worked"), text("Waited"), text("Calls")]).toEqual([
    "Worked3.0 s",
    "Waited3.2 s",
    "Calls1 model, 0 tool",
  ]);
});

const asked = (decision: string, more: Partial<Span>): Span => {
  const call = { tool_call_id: "c1", tool_name: "execute", tool_args: { command: "npm publish" }, step: 1 };
  const who = { asked_of: "Grace", asked_by_rule: "Rule: ask before execute.", waiting_for: "approval", decision };
  return span("wait", { type: "tool", attributes: { ...call, ...who }, ...more });
};

it("shows who was asked, by which rule, and who decided", () => {
  const decided = asked("approved", { endedAtMs: 3200 });
  const facts = { decided_by_name: "Ada", decided_via: "inbox", decision_scope: "thread" };
  const trace = traceOf(0);
  show({ ...trace, spans: [...trace.spans, { ...decided, attributes: { ...decided.attributes, ...facts } }] });
  expect(screen.queryByText("Waiting")).toBeNull();
  expect(screen.getByRole("button", { name: /^1 wait/u })).toBeTruthy();
  fireEvent.keyDown(document.body, { key: "w" });
  const panel = screen.getByRole("complementary", { name: "Span" }).textContent ?? "";
  for (const words of [
    "Waited3.2 s",
    "Grace",
    "Rule: ask before execute.",
    "Allowed for the whole thread by Ada, in the inbox",
  ])
    expect(panel).toContain(words);
});

it("needs somebody only while it waits", () => {
  const trace = {
    ...traceOf(0),
    status: "waiting" as const,
    durationMs: null,
    waitingSince: new Date(0).toISOString(),
  };
  show({ ...trace, spans: [...trace.spans, asked("pending", { status: "waiting", endedAtMs: null })] });
  expect(row("approval").querySelector("[aria-label='Waiting']")).not.toBeNull();
});

const REFUSED = "The provider refused the key.";

function failedTrace(): Trace {
  const error = `LLM call: ${REFUSED}`;
  const unknown = { input_tokens: null, output_tokens: null, cost_usd: null };
  const root = span("root", { parentId: null, type: "agent", status: "failed", error });
  const call = { type: "llm", status: "failed", error, startedAtMs: 5 } as const;
  const cause = span("cause", { ...call, name: "llm.call", attributes: { step: 2, ...unknown } });
  const attempt = span("attempt", { ...call, name: "llm.attempt", parentId: "cause", startedAtMs: 6 });
  return { ...traceOf(1), status: "failed", error, spans: [root, span("row 1"), cause, attempt] };
}

it("selects the cause of a failure, says it once, and says where it is", () => {
  show(failedTrace());
  expect(screen.getByRole("heading", { name: "llm.call" })).toBeTruthy();
  expect(screen.getAllByText(REFUSED)).toHaveLength(1);
  expect(screen.getByRole("complementary", { name: "Span" }).textContent).toContain(REFUSED);
  expect(screen.getByRole("alert").textContent).toContain("The model call of step 2 failed.");
  expect(marked()).toContain("llm.call");
});

it("leads back to the cause of a failure from its line", () => {
  show(failedTrace());
  fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText(REFUSED)).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show the cause" }));
  expect(screen.getByText(REFUSED)).toBeTruthy();
});

it("marks tokens and cost of a call that never answered as unknown, never as zero", () => {
  show(failedTrace());
  expect(within(row("llm.call")).getAllByText("unknown")).toHaveLength(2);
  expect(row("llm.call").textContent).not.toMatch(/\b0\b(?! ms)|\$0/);
  expect(within(row("row 1")).queryByText("unknown")).toBeNull();
});

it("keeps the whole text in its line where no span says why a run failed", () => {
  show({ ...traceOf(1), status: "failed", error: REFUSED });
  expect(screen.getByRole("alert").textContent).toBe(REFUSED);
});

it("says in the head of an ended tool call how slow it was, and asks nothing about other spans", async () => {
  const asked = vi.fn(async (path: string) => {
    const found = { tool: "execute", tookMs: 900, calls: 1_240, of: "everybody", p95Ms: 1_200 };
    if (path.endsWith("/percentile")) {
      return Response.json({ percentile: { ...found, slowerThan: 0.975, fasterThan: 0.02 } });
    }
    return new Promise<Response>(() => undefined);
  });
  vi.stubGlobal("fetch", asked);
  const call = { type: "tool", attributes: { tool_name: "execute", step: 1 } } as const;
  const trace = traceOf(1);
  show({ ...trace, spans: [...trace.spans, span("ran", call), span("stopped", { ...call, status: "cancelled" })] });
  fireEvent.click(row("row 0"));
  fireEvent.click(screen.getAllByRole("treeitem", { name: /execute/ })[1] as HTMLElement);
  expect(asked.mock.calls.filter(([path]) => path.endsWith("/percentile"))).toEqual([]);
  fireEvent.click(screen.getAllByRole("treeitem", { name: /execute/ })[0] as HTMLElement);
  const words = "Slower than 97 % of 1,240 execute calls of this agent in 30 days (p95 1.2 s)";
  expect(await screen.findByText(words)).toBeTruthy();
  expect(asked.mock.calls.map(([path]) => path)).toContain("/api/traces/tr/spans/ran/percentile");
});

it("opens nothing where nothing failed", () => {
  show(traceOf(1));
  expect(screen.queryByRole("button", { name: "Close" })).toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});
