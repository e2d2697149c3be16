import { expect, it } from "vitest";
import type { Approval } from "@/lib/schema/runs/interrupt";
import { groupByThread, openItem, stepItem } from "./inbox-groups";

const approval = (id: string, threadId: string, more: Partial<Approval> = {}): Approval => ({
  id,
  threadId,
  runId: "r",
  kind: "approval",
  toolCallId: id,
  tool: "execute",
  args: {},
  threadTitle: `Title of ${threadId}`,
  agentId: "a",
  agentName: "Assistant",
  waitingSince: "2026-01-01T00:00:00Z",
  ...more,
});

it("groups what waits by thread, the longest wait first, and names the thread's own agent", () => {
  const groups = groupByThread([
    approval("1", "a", { subagent: "writer", agentName: "Writer" }),
    approval("2", "b", { threadTitle: null }),
    approval("3", "a"),
  ]);
  expect(groups.map(({ title, agentName, approvals }) => [title, agentName, approvals.map(({ id }) => id)])).toEqual([
    ["Title of a", "Assistant", ["1", "3"]],
    ["New thread", "Assistant", ["2"]],
  ]);
});

it("opens the first item, then what was chosen, then what took the place of a decided one", () => {
  const ids = ["a", "b", "c"];
  expect(openItem(ids, null)).toBe("a");
  expect(openItem(ids, { id: "b", index: 1 })).toBe("b");
  expect(openItem(["a", "c"], { id: "b", index: 1 })).toBe("c");
  expect(openItem(["a"], { id: "b", index: 1 })).toBe("a");
  expect(openItem([], { id: "b", index: 1 })).toBeNull();
  expect(openItem(ids, "nothing")).toBeNull();
});

it("steps through the items and stops at both ends", () => {
  const ids = ["a", "b"];
  expect(stepItem(ids, null, 1)).toEqual({ id: "b", index: 1 });
  expect(stepItem(ids, { id: "b", index: 1 }, 1)).toEqual({ id: "b", index: 1 });
  expect(stepItem(ids, { id: "a", index: 0 }, -1)).toEqual({ id: "a", index: 0 });
  expect(stepItem(ids, "nothing", -1)).toEqual({ id: "b", index: 1 });
  expect(stepItem([], null, 1)).toBeNull();
});
