import { describe, expect, test } from "vitest";
import { ai, human, system, tool } from "@/lib/agent/messages/messages";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import { limitTurns } from "./limit-turns";
import { CLEARED_RESULT, pruneHistory } from "./prune";
import { MISSING_RESULT, repairHistory } from "./repair";

const DEFAULTS = AgentConfig.parse({ name: "A" }).pruning;
const call = (id: string) => ({ id, name: "read", args: {} });
const turn = (id: string, output: string): Message[] => [
  human(`ask ${id}`),
  ai("", { ...call(id), rawArgs: "" }),
  tool(id, "read", output),
];
const contents = (messages: readonly Message[]) => messages.map(({ role, content }) => `${role}: ${content}`);

describe("limiting turns", () => {
  const thread = [system("be kind"), human("1"), ai("one"), human("2"), ai("two"), human("3"), ai("three")];

  test.each([
    [null, ["be kind", "1", "one", "2", "two", "3", "three"]],
    [1, ["be kind", "3", "three"]],
    [2, ["be kind", "2", "two", "3", "three"]],
    [3, ["be kind", "1", "one", "2", "two", "3", "three"]],
    [4, ["be kind", "1", "one", "2", "two", "3", "three"]],
  ])("with a limit of %s", (turns, kept) => {
    expect(limitTurns(thread, turns).map(({ content }) => content)).toEqual(kept);
  });
});

describe("pruning", () => {
  /** One old result of `chars` characters, then three replies that are themselves protected. */
  const thread = (chars: number) => [...turn("old", "x".repeat(chars)), ai("1"), ai("2"), ai("3")];
  const prune = (messages: readonly Message[], contextWindow: number, change: Partial<typeof DEFAULTS> = {}) =>
    pruneHistory(messages, { pruning: { ...DEFAULTS, ...change }, contextWindow, charsPerToken: 4 });
  const tokensOf = (chars: number) => Math.floor(chars / 4) + 1;

  test("starts when the estimate reaches three tenths of the window, not one token earlier", () => {
    const at = Math.floor(tokensOf(6_000) / 0.3);
    expect(prune(thread(6_000), at).trimmed).toBe(1);
    expect(prune(thread(6_000), at + 10).trimmed).toBe(0);
  });

  test.each([
    [3_999, 0],
    [4_000, 0],
    [4_001, 1],
  ])("a result of %i characters is trimmed %i times", (chars, trimmed) => {
    expect(prune(thread(chars), 2_500).trimmed).toBe(trimmed);
  });

  test("keeps 1,500 characters at each end", () => {
    const result = `${"a".repeat(1_500)}${"b".repeat(3_000)}${"c".repeat(1_500)}`;
    const { messages } = prune([...turn("old", result), ai("1"), ai("2"), ai("3")], 1_000);
    expect(messages[2]?.content).toBe(`${"a".repeat(1_500)}...${"c".repeat(1_500)}`);
  });

  test("clears by original length what still fills half of the window after trimming", () => {
    const window = (3_003 / 4) * 2;
    expect(prune(thread(49_999), window).cleared).toBe(0);
    const { messages, cleared, trimmed } = prune(thread(50_000), window);
    expect([cleared, trimmed, messages[2]?.content]).toEqual([1, 0, CLEARED_RESULT]);
    expect(prune(thread(50_000), window * 1.1)).toMatchObject({ cleared: 0, trimmed: 1 });
  });

  test("clears the oldest first and stops below the ratio", () => {
    const old = [...turn("a", "x".repeat(60_000)), ...turn("b", "x".repeat(60_000)), ai("1"), ai("2"), ai("3")];
    const { messages } = prune(old, 2_000);
    expect(messages[2]?.content).toBe(CLEARED_RESULT);
    expect(messages[5]?.content).toHaveLength(3_003);
  });

  test.each([
    [2, false],
    [3, true],
  ])("with %i replies after the result its pruning is %s", (replies, isPruned) => {
    const later = Array.from({ length: replies }, (_, index) => ai(`${index}`));
    expect(prune([...turn("old", "x".repeat(6_000)), ...later], 1_000).trimmed > 0).toBe(isPruned);
  });

  test("leaves system and user messages alone, however long", () => {
    const long = "x".repeat(60_000);
    const messages = [system(long), human(long), ai("0"), ai("1"), ai("2"), ai("3")];
    expect(prune(messages, 1_000).messages).toEqual(messages);
  });

  test("does nothing when it is disabled", () => {
    expect(prune(thread(60_000), 1_000, { enabled: false }).messages).toEqual(thread(60_000));
  });

  test("never makes a result longer, whatever head and tail are", () => {
    const change = { soft_max_chars: 5, soft_head: 4, soft_tail: 4 };
    expect(prune(thread(11), 1, change).messages[2]?.content).toBe("x".repeat(11));
    expect(prune(thread(12), 1, { ...change, hard_ratio: 1_000 }).messages[2]?.content).toBe("xxxx...xxxx");
  });
});

describe("repair", () => {
  test("drops results at the start and results that belong to no call before them", () => {
    const messages = [
      tool("x", "read", "lost"),
      human("hi"),
      ai("", call("a")),
      tool("b", "read", "?"),
      tool("a", "read", "A"),
    ];
    expect(contents(repairHistory(messages).messages)).toEqual(["user: hi", "assistant: ", "tool: A"]);
  });

  test("says in S4's words that a result is missing, in call order", () => {
    const messages = [
      human("hi"),
      ai("", call("a"), call("b"), call("c")),
      tool("c", "read", "C"),
      tool("b", "read", "B"),
    ];
    const { messages: repaired, added } = repairHistory(messages);
    expect(contents(repaired).slice(2)).toEqual([`tool: ${MISSING_RESULT}`, "tool: B", "tool: C"]);
    expect([MISSING_RESULT, added]).toEqual(["[Tool result missing -- session was compacted]", 1]);
  });

  test("a result that comes after another message is too late", () => {
    const messages = [ai("", call("a")), human("well?"), tool("a", "read", "A")];
    expect(contents(repairHistory(messages).messages)).toEqual([
      "assistant: ",
      `tool: ${MISSING_RESULT}`,
      "user: well?",
    ]);
  });

  test("drops a reply that says and does nothing, because providers refuse it", () => {
    expect(contents(repairHistory([human("1"), ai(""), human("2")]).messages)).toEqual(["user: 1", "user: 2"]);
  });
});
