import { describe, expect, it } from "vitest";
import type { Approval } from "@/lib/schema/runs/interrupt";
import type { ThreadSummary } from "@/lib/schema/threads/thread";
import { groupThreads, withWaiting } from "./group-threads";

const now = new Date(2026, 10, 22, 12, 0).getTime();

function thread(id: string, daysAgo: number, change: Partial<ThreadSummary> = {}): ThreadSummary {
  const at = new Date(now - daysAgo * 86_400_000).toISOString();
  const base = {
    agentId: "a",
    agentName: "A",
    title: id,
    pinned: false,
    archived: false,
    status: null,
    activeRunId: null,
  };
  return { ...base, id, createdAt: at, updatedAt: at, ...change };
}

describe("groupThreads", () => {
  it("puts what waits for a person first, then what is pinned, then days", () => {
    const groups = groupThreads(
      [
        thread("a", 0),
        thread("b", 1),
        thread("c", 3),
        thread("d", 40),
        thread("e", 9, { pinned: true }),
        thread("f", 2, { status: "waiting" }),
      ],
      now,
    );
    expect(groups.map(({ name, threads }) => [name, threads.map(({ id }) => id)])).toEqual([
      ["Waiting for you", ["f"]],
      ["Pinned", ["e"]],
      ["Today", ["a"]],
      ["Yesterday", ["b"]],
      ["Last 7 days", ["c"]],
      ["October", ["d"]],
    ]);
  });

  it("makes no group without threads", () => {
    expect(groupThreads([], now)).toEqual([]);
  });

  it("calls for a person only where a call waits for one", () => {
    const threads = [thread("asks", 0), thread("waits for a subagent", 0, { status: "waiting" })];
    const groups = groupThreads(threads, now, new Map([["asks", "execute"]]));
    expect(groups.map(({ name, threads: members }) => [name, members.map(({ id }) => id)])).toEqual([
      ["Waiting for you", ["asks"]],
      ["Today", ["waits for a subagent"]],
    ]);
  });
});

describe("withWaiting", () => {
  const approval = (threadId: string, tool: string): Approval => ({
    id: `${threadId}-${tool}`,
    kind: "approval",
    toolCallId: "call_1",
    tool,
    args: {},
    runId: "run_1",
    threadId,
    threadTitle: `Title of ${threadId}`,
    agentId: "a",
    agentName: "A",
    waitingSince: new Date(now).toISOString(),
  });

  it("adds each thread that waits for the person and is too old to be loaded, once", () => {
    const all = withWaiting([thread("new", 0)], [approval("old", "execute"), approval("old", "write_file")]);
    expect(all.map(({ id, title }) => [id, title])).toEqual([
      ["new", "new"],
      ["old", "Title of old"],
    ]);
    expect(groupThreads(all, now, new Map([["old", "execute"]]))[0]).toMatchObject({
      name: "Waiting for you",
      threads: [{ id: "old" }],
    });
  });

  it("leaves out another person's thread, whose budget an administrator may raise in the inbox", () => {
    expect(withWaiting([], [{ ...approval("hers", "budget"), ownerName: "Ana" }])).toEqual([]);
  });

  it("leaves a loaded thread unchanged", () => {
    const loaded = [thread("a", 0, { status: "waiting" })];
    expect(withWaiting(loaded, [approval("a", "execute")])).toEqual(loaded);
  });
});
