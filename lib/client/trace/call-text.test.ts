import { expect, test } from "vitest";
import type { ModelCallBody } from "@/lib/schema/traces/span-body";
import { callText } from "./call-text";

const call = { id: "call_1", name: "calculate", args: { expression: "2+2" }, rawArgs: "{}" };
const modelCall: ModelCallBody = {
  step: 2,
  request: {
    earlierCount: 12,
    sameAsStep: 1,
    earlier: null,
    fresh: [{ role: "tool", content: "4", toolCallId: "call_1", name: "calculate" }, null],
    tools: [],
    maxTokens: null,
    temperature: null,
    effort: null,
  },
  reply: { content: "It is 4.", reasoning: [], toolCalls: [call] },
};
const system = [
  { name: "identity", tokens: 1, estimated: true as const, text: "You are A." },
  { name: "time", tokens: 1, estimated: true as const, text: null },
];

test("a model call is copied as it is shown: prompt, messages, reply", () => {
  expect(callText(system, modelCall)).toBe(`[System]
You are A.

[12 earlier messages]

[Tool: calculate (call_id=call_1)]
4

[AI]
It is 4.
  → tool_call: calculate(id=call_1, args={"expression":"2+2"})
`);
});

test("earlier messages that are open are copied too", () => {
  const request = modelCall.request && { ...modelCall.request, earlier: [{ role: "user" as const, content: "2+2?" }] };
  const text = callText(null, { ...modelCall, request, reply: null });
  expect(text).toBe("[Human]\n2+2?\n\n[Tool: calculate (call_id=call_1)]\n4\n");
});
