import { expect, test } from "vitest";
import type { ModelRequest } from "@/lib/agent/model";
import type { Message } from "@/lib/schema/messages/message";
import { PLAIN_DIALECT, type PromptDialect, signed, toProviderPrompt } from "./to-provider-prompt";

const STRICT: PromptDialect = { ...PLAIN_DIALECT, cacheBreakpoints: true, plainCallIds: true, beginsWithUser: true };

const call = (id: string) => ({ id, name: "ls", args: { path: id }, rawArgs: "{}" });
const result = (id: string): Message => ({ role: "tool", toolCallId: id, name: "ls", content: `found ${id}` });
const HISTORY: readonly Message[] = [
  { role: "user", content: "Look everywhere" },
  { role: "assistant", content: "I look.", toolCalls: [call("a:1"), call("a:2")] },
  result("a:1"),
  result("a:2"),
  { role: "assistant", content: "", toolCalls: [] },
  { role: "user", content: "And?" },
];

function promptOf(messages: readonly Message[], dialect: PromptDialect) {
  const request: ModelRequest = {
    system: [{ name: "base", text: "Be brief." }],
    messages,
    tools: [],
    maxTokens: 10,
    temperature: null,
  };
  return toProviderPrompt(request, dialect);
}

/** Converts the messages as a process without cached conversions would. */
const afresh = (messages: readonly Message[], dialect: PromptDialect) => promptOf(structuredClone(messages), dialect);

test.each([
  ["plain", PLAIN_DIALECT],
  ["strict", STRICT],
])("a history that grows message by message is sent as if it were new (%s)", (_, dialect) => {
  const sent = HISTORY.map((_message, index) => promptOf(HISTORY.slice(0, index + 1), dialect));
  expect(sent).toEqual(HISTORY.map((_message, index) => afresh(HISTORY.slice(0, index + 1), dialect)));
});

test("another model gets its own form, and a list that was appended to is read again", () => {
  const messages = HISTORY.slice(0, 2);
  promptOf(messages, PLAIN_DIALECT);
  messages.push(result("a:1"));
  expect(promptOf(messages, STRICT)).toEqual(afresh(messages, STRICT));
  expect(promptOf(messages, PLAIN_DIALECT)).toEqual(afresh(messages, PLAIN_DIALECT));
});

test("a replaced or removed message is noticed", () => {
  promptOf(HISTORY, PLAIN_DIALECT);
  const shorter = HISTORY.with(2, { ...result("a:1"), content: "[cleared]" } as Message);
  expect(promptOf(shorter, PLAIN_DIALECT)).toEqual(afresh(shorter, PLAIN_DIALECT));
  expect(promptOf(HISTORY.slice(0, 4), PLAIN_DIALECT)).toEqual(afresh(HISTORY.slice(0, 4), PLAIN_DIALECT));
});

test("signatures of another writer are left out, and those of unknown ones are sent as they were", () => {
  const own = { ...PLAIN_DIALECT, reasoningNamespace: "anthropic", writer: "anthropic https://api.anthropic.com a" };
  const metadata = { anthropic: { signature: "SIG" } };
  const history = (writer: string | null): readonly Message[] => {
    const providerMetadata = signed(metadata, writer);
    const toolCalls = [{ ...call("a"), providerMetadata }];
    return [{ role: "assistant", content: "", toolCalls, reasoning: [{ text: "Hm.", providerMetadata }] }, result("a")];
  };
  const sent = (writer: string | null) => JSON.stringify(promptOf(history(writer), own));
  expect(sent(own.writer).match(/SIG/g)).toHaveLength(2);
  expect(sent(null).match(/SIG/g)).toHaveLength(2);
  for (const other of ["anthropic https://api.anthropic.com b", "anthropic https://proxy.example a"]) {
    expect(sent(other)).not.toMatch(/SIG|Hm/);
  }
  expect(sent(own.writer)).not.toContain("ringmaster");
});
