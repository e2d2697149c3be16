import { describe, expect, it } from "vitest";
import { addUsage, NO_USAGE, type Usage } from "@/lib/schema/runs/usage";
import { type ChatMessage, visibleMessages } from "./chat-message";
import { threadStatus } from "./run-status";

const metadata = { runId: "r", traceId: "t", status: "running", startedAtMs: 5 } as const;
const reply = (parts: ChatMessage["parts"], change: object = {}): ChatMessage => ({
  id: "m",
  role: "assistant",
  parts,
  metadata: { ...metadata, ...change },
});
const OPEN = { id: "r", status: "running" as const, assistantMessageId: "m", text: "", createdAt: "" };
const NOTHING = { todos: [], usage: { ...NO_USAGE, totalTokens: 0, costUsd: 0 }, openRuns: [], status: null };
const todo = { id: "1", title: "Write", status: "pending" } as const;

describe("what the page says of a run", () => {
  it("takes the plan of the open reply before the stored one", () => {
    const live = reply([{ type: "data-todos", id: "todos", data: { todos: [{ ...todo, status: "done" }] } }]);
    expect(threadStatus([live], { ...NOTHING, todos: [todo] }, true).todos[0]?.status).toBe("done");
    expect(threadStatus([reply([])], { ...NOTHING, todos: [todo] }, true).todos).toEqual([todo]);
  });

  it("adds what the open reply has used to the stored sum, and only once", () => {
    const usage = { inputTokens: 10, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 };
    const stored = { ...usage, totalTokens: 12, costUsd: 0.5 };
    const messages = [reply([], { usage, costUsd: 0.25 })];
    const open = { ...OPEN, usage: NO_USAGE };
    expect(threadStatus(messages, { ...NOTHING, usage: stored, openRuns: [open] }, true).usage).toMatchObject({
      totalTokens: 24,
      costUsd: 0.75,
    });
    expect(threadStatus(messages, { ...NOTHING, usage: stored }, true).usage).toEqual(stored);
  });

  it("counts a run once that waits or continues afterwards, whose row has what it had used by then", () => {
    const paused = { inputTokens: 8, cachedReadTokens: 1, cachedWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 };
    const stored = { ...addUsage(paused, paused), totalTokens: 20, costUsd: 0.5 };
    const shown = (usage: Usage) =>
      threadStatus(
        [reply([], { usage, costUsd: 0.25 })],
        { ...NOTHING, usage: stored, openRuns: [{ ...OPEN, usage: paused }] },
        true,
      ).usage;
    expect(shown(paused)).toEqual({ ...stored, costUsd: 0.75 });
    expect(shown(addUsage(paused, paused))).toMatchObject({ inputTokens: 24, cachedReadTokens: 3, totalTokens: 30 });
  });

  it("counts the time of the running run, not of one that has ended", () => {
    expect(threadStatus([reply([])], NOTHING, true).head).toEqual({ status: "running", startedAtMs: 5 });
    expect(threadStatus([reply([], { endedAtMs: 9 })], NOTHING, true).head).toEqual({
      status: "running",
      startedAtMs: null,
    });
  });

  it("says how the last run ended", () => {
    expect(
      threadStatus([reply([], { status: "cancelled" })], { ...NOTHING, status: "running" }, false).head?.status,
    ).toBe("cancelled");
    expect(threadStatus([], NOTHING, false).head).toBeNull();
  });

  it("leaves out what was taken from the queue before it began", () => {
    const message = (id: string, startedAtMs: number) => {
      const facts = { ...metadata, status: "cancelled", startedAtMs, endedAtMs: 9 };
      return { id, role: "user" as const, parts: [{ type: "text", text: id }], metadata: facts };
    };
    const messages = [message("stopped", 5), message("removed", 9)];
    expect(visibleMessages(messages, new Set()).map(({ id }) => id)).toEqual(["stopped"]);
  });

  it("keeps queued messages out of the transcript", () => {
    const message = (id: string) => ({
      id,
      role: "user" as const,
      parts: [{ type: "text", text: id }],
      metadata: { runId: id },
    });
    const messages = [message("r0"), message("r1"), message("r2")];
    expect(visibleMessages(messages, new Set(["r2"])).map(({ id }) => id)).toEqual(["r0", "r1"]);
  });
});
