import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTokens } from "@/lib/agent/messages/estimate-tokens";
import { ai, human, system, tool } from "@/lib/agent/messages/messages";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { Message } from "@/lib/schema/messages/message";
import { prepareHistory } from "./prepare-history";
import { pruneHistory } from "./prune";
import { repairHistory } from "./repair";

const id = fc.constantFrom("a", "b", "c", "d");
const text = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.nat(300).map((length) => "x".repeat(length)),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  text.map(human),
  text.map(system),
  fc
    .tuple(text, fc.uniqueArray(id, { maxLength: 3 }))
    .map(([content, ids]) => ai(content, ...ids.map((callId) => ({ id: callId, name: "read", args: {} })))),
  fc.tuple(id, text).map(([callId, content]) => tool(callId, "read", content)),
);
/** Any list: calls without results, results without calls, in any order. */
const history = fc.array(message, { maxLength: 25 });
const pruning = fc.record({
  enabled: fc.constant(true),
  soft_ratio: fc.double({ min: 0.01, max: 1, noNaN: true }),
  soft_max_chars: fc.nat(100),
  soft_head: fc.nat(60),
  soft_tail: fc.nat(60),
  hard_ratio: fc.double({ min: 0.01, max: 1, noNaN: true }),
  min_prunable_tool_chars: fc.nat(200),
  keep_last_assistants: fc.nat(5),
});
const options = fc.record({ pruning, contextWindow: fc.integer({ min: 1, max: 500 }), charsPerToken: fc.constant(4) });

/**
 * Checks what providers check: each call has exactly one result, directly after its message and in call order, and
 * there are no other results.
 */
function expectPaired(messages: readonly Message[]): void {
  const expected = messages.flatMap((entry) => {
    if (entry.role === "tool") return [];
    return [entry, ...(entry.role === "assistant" ? entry.toolCalls.map((call) => call.id) : [])];
  });
  expect(messages.map((entry) => (entry.role === "tool" ? entry.toolCallId : entry))).toEqual(expected);
}

test("after repair every call has exactly one result, in order, and every result has its call", () => {
  fc.assert(fc.property(history, (messages) => expectPaired(repairHistory(messages).messages)));
});

test("repairing twice is the same as repairing once, and reports nothing left to do", () => {
  fc.assert(
    fc.property(history, (messages) => {
      const once = repairHistory(messages).messages;
      expect(repairHistory(once)).toEqual({ messages: once, dropped: 0, added: 0 });
    }),
  );
});

test("pruning changes only results before the protected zone, and only makes them shorter", () => {
  fc.assert(
    fc.property(history, options, (messages, option) => {
      const pruned = pruneHistory(messages, option).messages;
      const replies = messages.flatMap((entry, index) => (entry.role === "assistant" ? [index] : []));
      const keep = option.pruning.keep_last_assistants;
      const end = keep === 0 ? messages.length : (replies.at(-keep) ?? 0);
      expect(pruned.slice(end)).toEqual(messages.slice(end));
      for (const [index, entry] of messages.slice(0, end).entries()) {
        const after = pruned[index];
        if (entry.role === "tool") expect(after?.content.length).toBeLessThanOrEqual(entry.content.length);
        else expect(after).toBe(entry);
      }
    }),
  );
});

test("pruning only takes place at or above its ratio, and counts what it did", () => {
  fc.assert(
    fc.property(history, options, (messages, option) => {
      const { messages: after, trimmed, cleared } = pruneHistory(messages, option);
      const changed = after.filter((entry, index) => entry !== messages[index]).length;
      expect(trimmed + cleared).toBe(changed);
      const isBelow = estimateTokens(messages) / option.contextWindow < option.pruning.soft_ratio;
      if (isBelow) expect(after).toBe(messages);
    }),
  );
});

test("the whole pipeline gives a list that no provider refuses, with the turns it was asked for", () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: 4 }), pruning, (messages, turns, section) => {
      const config = AgentConfig.parse({ name: "A", context_window: 100, history: { limit_turns: turns } });
      const { messages: prepared } = prepareHistory(messages, { ...config, pruning: section });
      expectPaired(prepared);
      const users = (list: readonly Message[]) => list.filter(({ role }) => role === "user");
      const asked = users(messages).slice(-turns);
      expect(users(prepared)).toEqual(asked.filter(({ content }) => content !== ""));
    }),
  );
});
