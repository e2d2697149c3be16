import fc from "fast-check";
import { expect, test } from "vitest";
import type { Message } from "@/lib/schema/messages/message";
import { Messages, NO_MESSAGE } from "./messages";

const sum = { id: "call_1", name: "calculate", args: { expression: "2+2" } };
const chain = new Messages()
  .system("You are helpful.")
  .human("What is 2+2?")
  .ai("", sum)
  .tool("call_1", "calculate", "4")
  .ai("2+2 = 4");

test("builders append in order and leave the chain they start from unchanged", () => {
  const base = new Messages().human("a");
  expect(
    base
      .ai("b")
      .slice()
      .map((message) => message.content),
  ).toEqual(["a", "b"]);
  expect(base.length).toBe(1);
});

test("filters keep the messages of one role", () => {
  const counts = [chain.userMessages(), chain.assistantMessages(), chain.toolMessages(), chain.systemMessages()];
  expect(counts.map((filtered) => filtered.length)).toEqual([1, 2, 1, 1]);
  expect(chain.byRole("tool").lastContent()).toBe("4");
});

test("the last message of an empty chain is the empty value", () => {
  expect(new Messages().last()).toBe(NO_MESSAGE);
  expect(new Messages().lastContent()).toBe("");
  expect(chain.lastContent()).toBe("2+2 = 4");
});

test("a regular conversation is valid", () => {
  expect(() => chain.validate()).not.toThrow();
});

test.each<[string, Message]>([
  ["unknown role", { role: "robot", content: "x" } as never],
  ["needs toolCallId and name", { role: "tool", content: "x", toolCallId: "", name: "calculate" }],
  ["needs toolCallId and name", { role: "tool", content: "x", toolCallId: "call_1", name: "" }],
  ["needs content or calls", { role: "assistant", content: "", toolCalls: [] }],
  ["needs an id and a name", { role: "assistant", content: "", toolCalls: [{ ...sum, rawArgs: "{}", id: "" }] }],
  ["content must not be empty", { role: "user", content: "" }],
  ["content must not be empty", { role: "system", content: "" }],
])("validation says %s", (problem, message) => {
  expect(() => new Messages([message]).validate()).toThrow(
    `message 1: ${message.role === "tool" ? "a tool message " : ""}`,
  );
  expect(() => new Messages([message]).validate()).toThrow(problem);
});

test.each<[string, Messages]>([
  ["messages must not be empty", new Messages()],
  ['role must be "user" or "system"', new Messages().ai("hi")],
  ['role must be "user" or "system"', new Messages().tool("call_1", "calculate", "4")],
  ["content must not be empty", new Messages().human("")],
])("input from outside is refused: %s", (problem, messages) => {
  expect(() => messages.validateUserInput()).toThrow(problem);
});

test("user and system messages from outside are accepted", () => {
  expect(() => new Messages().system("Be brief.").human("Hello").validateUserInput()).not.toThrow();
});

test("the estimate is characters of text and of raw arguments by four, each rounded down", () => {
  const raw = { ...sum, rawArgs: "x".repeat(11) };
  expect(new Messages().human("x".repeat(7)).ai("x".repeat(9), raw).estimateTokens()).toBe(1 + 2 + 2);
  expect(new Messages().human("x".repeat(7)).estimateTokens(2)).toBe(3);
});

test("the pretty print labels every message", () => {
  expect(chain.prettyPrint()).toBe(`[System]
You are helpful.

[Human]
What is 2+2?

[AI]
  → tool_call: calculate(id=call_1, args={"expression":"2+2"})

[Tool: calculate (call_id=call_1)]
4

[AI]
2+2 = 4
`);
});

const message = fc.oneof(
  fc.record({ role: fc.constant("user" as const), content: fc.string({ minLength: 1 }) }),
  fc.record({ role: fc.constant("system" as const), content: fc.string({ minLength: 1 }) }),
  fc.record({
    role: fc.constant("tool" as const),
    content: fc.string(),
    toolCallId: fc.uuid(),
    name: fc.constant("echo"),
  }),
  fc.record({
    role: fc.constant("assistant" as const),
    content: fc.string({ minLength: 1 }),
    toolCalls: fc.array(
      fc.record({ id: fc.uuid(), name: fc.constant("echo"), args: fc.constant({}), rawArgs: fc.string() }),
      { maxLength: 3 },
    ),
  }),
);
const messages = fc.array(message, { maxLength: 20 });

test("the roles partition every chain", () => {
  fc.assert(
    fc.property(messages, (items) => {
      const chain = new Messages(items);
      const roles = ["user", "assistant", "tool", "system"] as const;
      const total = roles.reduce((count, role) => count + chain.byRole(role).length, 0);
      expect(total).toBe(chain.length);
    }),
  );
});

test("estimates add up over any split of a chain", () => {
  fc.assert(
    fc.property(messages, fc.nat(20), (items, cut) => {
      const left = new Messages(items.slice(0, cut));
      const right = new Messages(items.slice(cut));
      expect(left.estimateTokens() + right.estimateTokens()).toBe(new Messages(items).estimateTokens());
    }),
  );
});

test("every chain of complete messages is valid, and is accepted from outside only without assistant and tool", () => {
  fc.assert(
    fc.property(messages, (items) => {
      const chain = new Messages(items);
      expect(() => chain.validate()).not.toThrow();
      const isInput = items.length > 0 && items.every(({ role }) => role === "user" || role === "system");
      if (isInput) expect(() => chain.validateUserInput()).not.toThrow();
      else expect(() => chain.validateUserInput()).toThrow();
    }),
  );
});
