import { expect, test } from "vitest";
import { AgentConfig, type AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { ContextRuleName } from "@/lib/schema/agents/context-rule";
import { contextRules } from "@/lib/schema/agents/context-rules";
import type { Message } from "@/lib/schema/messages/message";
import { pruneHistory } from "./history/prune";
import { isCompactionDue, isFlushDue } from "./plan-compaction";

const WINDOW = 1_000;

function configOf(input: Partial<AgentConfigInput> = {}): AgentConfig {
  const base = { name: "A", context_window: WINDOW, chars_per_token: 1, backend: { type: "state" } } as const;
  return AgentConfig.parse({ ...base, memory: { paths: ["AGENTS.md"] }, ...input });
}

function atOf(name: ContextRuleName, config: AgentConfig): number | undefined {
  return contextRules(config, WINDOW).find((rule) => rule.name === name)?.at;
}

/** A conversation with a result of this many tokens that may be pruned. */
function conversation(tokens: number): Message[] {
  const call = { id: "1", name: "look", args: {}, rawArgs: "" };
  return [
    { role: "assistant", content: "", toolCalls: [call] },
    { role: "tool", content: "x".repeat(tokens), toolCallId: "1", name: "look" },
    { role: "assistant", content: "", toolCalls: [] },
  ];
}

test.each([0.1, 0.3, 0.333])("pruning with a ratio of %d acts from its number of tokens on", (soft_ratio) => {
  const pruning = { soft_ratio, hard_ratio: 1, soft_max_chars: 1, soft_head: 1, soft_tail: 1, keep_last_assistants: 1 };
  const config = configOf({ pruning });
  const at = atOf("pruning_soft", config) ?? 0;
  const trimmed = (tokens: number) =>
    pruneHistory(conversation(tokens), { pruning: config.pruning, contextWindow: WINDOW, charsPerToken: 1 }).trimmed;
  expect([trimmed(at - 1), trimmed(at)]).toEqual([0, 1]);
});

test.each([
  { compaction: { ratio: 0.75 }, first: 751 },
  { compaction: { ratio: 0.333 }, first: 334 },
  { compaction: { ratio: 0.75, absolute_tokens: 200 }, first: 200 },
])("compaction with $compaction acts first at $first tokens", ({ compaction, first }) => {
  const config = configOf({ compaction });
  const isDue = (tokens: number) =>
    isCompactionDue({ pair: [], messages: [{ role: "user", content: "x".repeat(tokens) }] }, config);
  expect([isDue(first - 1), isDue(first)]).toEqual([false, true]);
  expect(first - (atOf("compaction", config) ?? 0)).toBeLessThanOrEqual(1);
});

test("a flush is due from its number of tokens on, and with always from that of the compaction", () => {
  const config = configOf({ memory_flush: { reserve_tokens: 100, soft_threshold: 50 } });
  const isDue = (tokens: number) =>
    isFlushDue({ pair: [], messages: [{ role: "user", content: "x".repeat(tokens) }] }, config);
  expect(atOf("memory_flush", config)).toBe(850);
  expect([isDue(849), isDue(850)]).toEqual([false, true]);
  expect(atOf("memory_flush", configOf({ memory_flush: { always: true } }))).toBe(750);
});

test.each([
  ["memory without a workspace", { backend: null }, "memory_flush"],
  ["a workspace without memory", { memory: {} }, "memory_flush"],
  ["pruning that is off", { pruning: { enabled: false } }, "pruning_hard"],
  ["compaction that is off", { compaction: { enabled: false } }, "compaction"],
  ["a list of hooks without summarization", { hooks: ["tracing"] }, "summarization"],
  ["a hook that is off", { hooks: [{ name: "summarization", enabled: false }] }, "summarization"],
] satisfies [string, Partial<AgentConfigInput>, ContextRuleName][])("%s has no such rule", (_, input, name) => {
  expect(atOf(name, configOf())).toBeDefined();
  expect(atOf(name, configOf(input))).toBeUndefined();
});

test("the settings of a hook override the agent's own", () => {
  expect(atOf("summarization", configOf({ hooks: [{ name: "summarization", config: { ratio: 0.5 } }] }))).toBe(500);
});

test("the rules are listed by the tokens from which they act", () => {
  const numbers = contextRules(configOf(), 128_000).map(({ name, at }) => [name, at]);
  expect(numbers).toEqual([
    ["pruning_soft", 38_400],
    ["pruning_hard", 64_000],
    ["compaction", 96_000],
    ["memory_flush", 104_000],
    ["summarization", 108_800],
  ]);
});
