import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { APPROVALS_KEY } from "@/lib/client/decisions";
import type { ToolCallView } from "@/lib/client/transcript-steps";
import type { SubagentData } from "@/lib/schema/ui-message";
import { ChildRunProvider } from "./child-run-context";
import { DecisionsProvider } from "./decisions-context";
import { SubagentCard } from "./subagent-card";

afterEach(cleanup);

const CALL: ToolCallView = {
  ...{ id: "c", name: "task", args: {}, state: "completed", output: "", display: undefined, error: null },
  ...{ startedAtMs: 1, durationMs: 21_400, truncatedChars: 0, files: [], approval: null },
};
const CHILD: SubagentData = {
  ...{ toolCallId: "c", runId: "run_child", name: "explorer", description: "Find every caller", background: false },
  ...{ status: "completed", lastLine: "Three callers.", tokens: 6_100, costUsd: 0 },
};

function show(change: Partial<SubagentData> = {}, approvals: readonly object[] = []) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(APPROVALS_KEY, { approvals, nextCursor: null });
  const decide = vi.fn(async () => undefined);
  const open = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <DecisionsProvider value={{ decide, firstCallId: "child_call" }}>
        <ChildRunProvider value={open}>
          <SubagentCard subagent={{ ...CHILD, ...change }} call={CALL} />
        </ChildRunProvider>
      </DecisionsProvider>
    </QueryClientProvider>,
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

  it("asks what the subagent asks, and decides on its run", () => {
    const base = { id: "1", runId: "run_child", threadId: "th", threadTitle: null, agentId: "a", agentName: "A" };
    const asked = { kind: "approval", toolCallId: "child_call", tool: "execute", args: { command: "ls" } };
    const { decide } = show({ status: "waiting" }, [
      { ...base, ...asked, waitingSince: new Date().toISOString() },
      { ...base, ...asked, id: "2", runId: "run_other", toolCallId: "x", waitingSince: new Date().toISOString() },
    ]);
    expect(screen.getAllByRole("region", { name: "Approval: execute" })).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: /Allow once/u }));
    expect(decide).toHaveBeenCalledWith("run_child", { tool_call_id: "child_call", decision: "allow", scope: "once" });
  });
});
