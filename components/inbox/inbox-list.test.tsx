import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { groupByThread } from "@/lib/client/chat/asks/inbox-groups";
import { callKey, DecisionsProvider } from "@/lib/client/chat/asks/use-decisions";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { InboxList } from "./inbox-list";

afterEach(cleanup);

const BASE = { threadTitle: "Release", agentId: "a", agentName: "Assistant", waitingSince: new Date().toISOString() };
const APPROVALS: Approval[] = [
  {
    ...BASE,
    id: "1",
    runId: "r",
    threadId: "th_1",
    kind: "approval",
    toolCallId: "c",
    tool: "execute",
    args: { command: "npm publish" },
    runsIn: "/workspace, sandboxed",
    subagent: "writer",
  },
  {
    ...BASE,
    id: "2",
    runId: "s",
    threadId: "th_2",
    kind: "question",
    toolCallId: "d",
    tool: "ask_user",
    args: {},
    questions: [{ question: "Fiscal or calendar?" }],
  },
];

function show(openId: string | null) {
  const decide = vi.fn(async () => undefined);
  const onToggle = vi.fn();
  render(
    <DecisionsProvider value={{ decide, firstCall: callKey("r", "c"), asked: null }}>
      <InboxList groups={groupByThread(APPROVALS)} openId={openId} onToggle={onToggle} />
    </DecisionsProvider>,
  );
  return { decide, onToggle };
}

it("says what every thread waits for and leads to the thread", () => {
  const { onToggle } = show(null);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/threads/th_1",
    "/threads/th_2",
  ]);
  const rows = screen.getAllByRole("button");
  expect(rows[0]?.textContent).toContain("execute · npm publish");
  expect(rows[1]?.textContent).toContain("asks: Fiscal or calendar?");
  fireEvent.click(screen.getByRole("button", { name: /Fiscal/u }));
  expect(onToggle).toHaveBeenCalledWith("2");
});

it("opens one item with everything that is to be known of it, and decides it in place", () => {
  const { decide } = show("1");
  const card = screen.getByRole("region", { name: /^Approval: execute/u });
  expect(card.textContent).toContain("subagent writer");
  expect(card.textContent).toContain("/workspace, sandboxed");
  fireEvent.keyDown(document, { key: "y" });
  expect(decide).toHaveBeenCalledWith("r", { tool_call_id: "c", decision: "allow", scope: "once" });
});
