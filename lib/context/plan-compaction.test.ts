import { describe, expect, test } from "vitest";
import { summaryPair } from "@/lib/agent/messages/summary-pair";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import { testConfig } from "@/lib/testing/scripted/run-with";
import { findCompactionCut, isCompactionDue, isFlushDue, shrinks } from "./plan-compaction";

const user = (content: string): Message => ({ role: "user", content });
const users = (count: number) => Array.from({ length: count }, () => user("hi"));
/** A history with an estimate of this many tokens. */
const tokens = (count: number): Message[] => [user("x".repeat(count * 4))];
const due = (messages: Message[], config: Partial<AgentConfigInput> = {}) =>
  isCompactionDue({ pair: [], messages }, testConfig(config));
const flush = (messages: Message[], memory_flush: AgentConfigInput["memory_flush"] = {}) =>
  isFlushDue({ pair: [], messages }, testConfig({ memory_flush }));

describe("a compaction is due", () => {
  test.each([
    [49, false],
    [50, false],
    [51, true],
  ])("with %i messages since the last cut: %s", (count, expected) => {
    expect(due(users(count))).toBe(expected);
  });

  test.each([
    [95_999, false],
    [96_000, false],
    [96_001, true],
  ])("at %i tokens of a window of 128,000: %s", (count, expected) => {
    expect(due(tokens(count))).toBe(expected);
  });

  test.each([
    [999, false],
    [1_000, true],
    [1_001, true],
  ])("at %i tokens where the absolute threshold is 1,000: %s", (count, expected) => {
    expect(due(tokens(count), { compaction: { absolute_tokens: 1_000 } })).toBe(expected);
  });

  test("counting the summary pair's tokens, not its messages", () => {
    const pair = summaryPair("s".repeat(400), 1);
    expect(isCompactionDue({ pair, messages: users(50) }, testConfig())).toBe(false);
    const small = testConfig({ context_window: 1_000, compaction: { ratio: 0.1 } });
    expect(isCompactionDue({ pair, messages: users(1) }, small)).toBe(true);
    expect(isCompactionDue({ pair: [], messages: users(1) }, small)).toBe(false);
  });

  test.each([
    [31_999, false],
    [32_000, true],
    [32_001, true],
  ])(
    "with 51 messages of %i tokens where the count rule has a floor of a quarter of the window: %s",
    (count, expected) => {
      const messages = [...tokens(count), ...Array.from({ length: 50 }, () => user(""))];
      expect(due(messages, { compaction: { min_ratio: 0.25 } })).toBe(expected);
    },
  );

  test("never when it is disabled", () => {
    expect(due(users(51), { compaction: { enabled: false } })).toBe(false);
  });
});

describe("memory is flushed first", () => {
  test.each([
    [103_999, false],
    [104_000, true],
    [104_001, true],
  ])("at %i tokens: %s", (count, expected) => {
    expect(flush(tokens(count))).toBe(expected);
  });

  test("always where the agent says so, never where it is disabled", () => {
    expect(flush(tokens(1), { always: true })).toBe(true);
    expect(flush(tokens(120_000), { always: true, enabled: false })).toBe(false);
  });
});

describe("a summary is kept", () => {
  test.each([
    [99, 1, true],
    [100, 1, true],
    [101, 101, false],
    [101, 102, true],
    [500, 501, true],
    [501, 501, false],
  ])("of %i tokens for messages of %i: %s", (summary, replaced, expected) => {
    expect(shrinks("s".repeat(summary * 4), { messages: tokens(replaced), summary: null }, testConfig())).toBe(
      expected,
    );
  });

  test("compared with the earlier summary as well, which it replaces too", () => {
    const replaced = { messages: tokens(100), summary: "s".repeat(100 * 4) };
    expect(shrinks("s".repeat(199 * 4), replaced, testConfig())).toBe(true);
    expect(shrinks("s".repeat(200 * 4), replaced, testConfig())).toBe(false);
  });
});

describe("the cut", () => {
  const call = (id: string) => ({ id, name: "echo", args: {}, rawArgs: "{}" });
  const calls = (...ids: string[]): Message => ({ role: "assistant", content: "", toolCalls: ids.map(call) });
  const result = (toolCallId: string): Message => ({ role: "tool", content: "ok", toolCallId, name: "echo" });

  test.each([
    [3, 0],
    [4, 0],
    [5, 1],
    [52, 48],
  ])("of %i messages summarises %i when four are kept", (count, cut) => {
    expect(findCompactionCut(users(count), 4)).toBe(cut);
  });

  test("also cuts results whose call is cut", () => {
    const messages = [user("go"), calls("a", "b"), result("a"), result("b"), user("and"), user("now")];
    expect(findCompactionCut(messages, 4)).toBe(4);
    expect(findCompactionCut(messages, 5)).toBe(1);
  });

  test("may leave nothing when all that would be kept are such results", () => {
    expect(findCompactionCut([user("go"), calls("a", "b"), result("a"), result("b")], 2)).toBe(4);
  });
});
