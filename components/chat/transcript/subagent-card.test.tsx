import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callKey, DecisionsProvider } from "@/lib/client/chat/asks/use-decisions";
import type { ToolCallView } from "@/lib/client/chat/transcript-steps";
import type { SubagentData } from "@/lib/schema/messages/ui-message";
import { withQueries } from "@/lib/testing/react/with-queries";
import { ChildRunProvider } from "./child-run-context";
import { SubagentCard } from "./subagent-card";

const WROTE = {
  threadId: "th_child",
  isShared: false,
  agentName: "Explorer",
  files: [
    { path: "notes/found.md", operation: "created", version: 1, addedLines: 3, removedLines: 0, changedAt: "" },
    { path: "gone.md", operation: "deleted", version: 2, addedLines: 0, removedLines: 1, changedAt: "" },
  ],
};
let wrote: object;

beforeEach(() => {
  wrote = { ...WROTE, files: [] };
  vi.stubGlobal("fetch", async () => Response.json(wrote));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const CALL: ToolCallView = {
  id: "c",
  name: "task",
  kind: "agent",
  gist: "",
  args: {},
  state: "completed",
  output: "",
  display: undefined,
  error: null,
  startedAtMs: 1,
  durationMs: 21_400,
  truncatedChars: 0,
  refused: null,
  files: [],
  approval: null,
};
const CHILD: SubagentData = {
  toolCallId: "c",
  runId: "run_child",
  name: "explorer",
  description: "Find every caller",
  background: false,
  status: "completed",
  lastLine: "Three callers.",
  tokens: 6_100,
  costUsd: 0,
};

function show(change: Partial<SubagentData> = {}, approvals: readonly object[] = []) {
  const decide = vi.fn(async () => undefined);
  const open = vi.fn();
  render(
    <DecisionsProvider value={{ decide, firstCall: callKey("run_child", "child_call"), asked: approvals as never }}>
      <ChildRunProvider value={open}>
        <SubagentCard subagent={{ ...CHILD, ...change }} call={CALL} />
      </ChildRunProvider>
    </DecisionsProvider>,
    { wrapper: withQueries() },
  );
  return { decide, open };
}

describe("a subagent's card", () => {
  it("says who works on what, how it went, and opens its transcript", () => {
    const { open } = show();
    const head = screen.getByRole("button");
    expect(head.textContent).toBe("taskexplorerFind every caller6.1k tok21 s");
    expect(screen.getByText("Three callers.")).toBeTruthy();
    fireEvent.click(head);
    expect(open).toHaveBeenCalledWith({ runId: "run_child", title: "explorer: Find every caller" });
  });

  it("lists what the subagent wrote, each file a button, and says in whose workspace", async () => {
    wrote = WROTE;
    show({ calls: 2 });
    expect(await screen.findByRole("button", { name: "notes/found.md" })).toBeTruthy();
    expect(screen.getByText("In the workspace of Explorer")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "gone.md" })).toBeNull();
  });

  it("shows its calls and its cost, where known", () => {
    show({ calls: 3, costUsd: 0.012 });
    expect(screen.getByRole("button").textContent).toMatch(/3 calls6\.1k tok\$0\.012/);
    cleanup();
    show({ status: "running", costUsd: null });
    expect(screen.getByRole("button").textContent).toContain("6.1k tokcost unknown");
  });

  it("says how long the subagent took, also where its call has only picked up the answer", () => {
    show({ durationMs: 95_000 });
    expect(screen.getByRole("button").textContent).toContain("1 min 35 s");
    cleanup();
    show({ durationMs: 95_000, background: true });
    expect(screen.getByRole("button").textContent).toContain("1 min 35 s");
  });

  it("asks what the subagent asks, and decides on its run", () => {
    const base = { id: "1", runId: "run_child", threadId: "th", threadTitle: null, agentId: "a", agentName: "A" };
    const asked = { kind: "approval", toolCallId: "child_call", tool: "execute", args: { command: "ls" } };
    const { decide } = show({ status: "waiting" }, [
      { ...base, ...asked, waitingSince: new Date().toISOString() },
      { ...base, ...asked, id: "2", runId: "run_other", toolCallId: "x", waitingSince: new Date().toISOString() },
    ]);
    expect(screen.getAllByRole("region", { name: /^Approval: execute/u })).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: /Allow once/u }));
    expect(decide).toHaveBeenCalledWith("run_child", { tool_call_id: "child_call", decision: "allow", scope: "once" });
  });
});
