import { afterEach, describe, expect, it } from "vitest";
import { presetOf } from "@/lib/models/dialects/dialect-presets";
import { createModelRegistry } from "@/lib/models/model-registry";
import type { Message } from "@/lib/schema/messages/message";
import { providerSettings, REPLY_LIMITS, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import {
  type ChatRequestBody,
  type ScriptedServer,
  startScriptedServer,
} from "@/lib/testing/servers/scripted-openai-server";
import { createTraitMemory, traitsNamedIn } from "./learn-traits";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const call = { id: "call_1", name: "ls", args: {}, rawArgs: "{}" };
const result: Message = { role: "tool", toolCallId: "call_1", name: "ls", content: "a.txt" };
const user = (content: string): Message => ({ role: "user", content });

async function converse(answer: (request: ChatRequestBody) => ScriptedAnswer, histories: readonly Message[][]) {
  server = await startScriptedServer({ script: answer });
  const memory = createTraitMemory();
  const connection = { openaiCompatible: { baseUrl: server.url, apiKey: null } };
  const registry = createModelRegistry(providerSettings(connection), undefined, memory);
  const retries: string[] = [];
  const replies: string[] = [];
  for (const messages of histories) {
    const timeouts = { model_ms: 20_000, idle_ms: 10_000 };
    const port = registry.resolve("openai-compatible:m", {
      fallbacks: [],
      retries: 0,
      timeouts,
      replyLimits: REPLY_LIMITS,
    });
    const signal = new AbortController().signal;
    const options = {
      signal,
      onRetry: ({ error }: { error: { message: string } }) => void retries.push(error.message),
    };
    const asked = port.call({ ...USER_REQUEST, messages }, options);
    replies.push(await asked.then(({ content }) => content).catch((error: Error) => error.message));
  }
  return { memory, retries, replies, requests: server.requests.map(({ body }) => body) };
}

const rolesOf = ({ messages = [] }: ChatRequestBody) =>
  messages.map(({ role }) => role).filter((role) => role !== "system");

/** As a chat template that insists on turns. */
function strictTemplate(request: ChatRequestBody): ScriptedAnswer {
  const roles = rolesOf(request).map((role) => (role === "tool" ? "user" : role));
  const isOdd = roles[0] !== "user" || roles.some((role, at) => role === roles[at - 1]);
  const message = "Conversation roles must alternate user/assistant/user/assistant/...";
  return isOdd ? { fault: { status: 500, message } } : { text: "fine" };
}

describe("a server whose turns must alternate", () => {
  it.each<[string, Message[]]>([
    ["two messages of a person", [user("one"), user("two")]],
    [
      "a message after a tool result",
      [user("one"), { role: "assistant", content: "", toolCalls: [call] }, result, user("two")],
    ],
    ["a reply at the beginning", [{ role: "assistant", content: "Hi", toolCalls: [] }, user("one")]],
    [
      "an empty reply between",
      [user("one"), { role: "assistant", content: "", toolCalls: [] }, user("two"), user("three")],
    ],
    [
      "two replies",
      [
        user("one"),
        { role: "assistant", content: "a", toolCalls: [] },
        { role: "assistant", content: "b", toolCalls: [] },
        user("two"),
      ],
    ],
  ])("is asked once more as it wants, and from then on at once: %s", async (_, messages) => {
    const { memory, retries, replies, requests } = await converse(strictTemplate, [messages, messages]);
    expect(replies).toEqual(["fine", "fine"]);
    expect(requests).toHaveLength(3);
    expect(retries).toEqual([expect.stringContaining("asked again with roles: strict")]);
    expect(memory.all()).toMatchObject([{ provider: "openai-compatible", model: "m", traits: { roles: "strict" } }]);
  });

  it("gets the texts of neighbours in one turn, each to the letter", async () => {
    const { requests } = await converse(strictTemplate, [[user("[Ann] one"), user("[Bob] two")]]);
    expect(requests.at(-1)?.messages?.at(-1)).toEqual({ role: "user", content: "[Ann] one\n\n[Bob] two" });
  });

  it("is not asked again for another refusal, nor is anything learned if it did not help", async () => {
    const other = await converse(() => ({ fault: { status: 400, message: "no such field" } }), [[user("one")]]);
    expect([other.requests.length, other.memory.all()]).toEqual([1, []]);
    await server?.close();
    const message = "Conversation roles must alternate";
    const stubborn = await converse(() => ({ fault: { status: 400, message } }), [[user("one")]]);
    expect([stubborn.requests.length, stubborn.memory.all()]).toEqual([2, []]);
    expect(stubborn.replies[0]).toContain(message);
  });
});

describe("the words of a refusal", () => {
  const { traits } = presetOf("standard");
  it.each<[string, ReturnType<typeof traitsNamedIn>]>([
    ["Conversation roles must alternate user/assistant/user/assistant/...", { roles: "strict" }],
    ["After the optional system message, conversation roles must alternate user/assistant", { roles: "strict" }],
    ["Unexpected role 'user' after role 'tool'", { toolThenUser: false }],
    ["Tool call id was call_0fypS1hVX but must be a-z, A-Z, 0-9, with a length of 9.", { ids: "nine" }],
    [
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.source': type is not defined>",
      { schemas: "typed" },
    ],
    ["tool_call_id must be 9 characters", { ids: "nine" }],
    ["Unsupported value: 'messages[0].role' does not support 'system' with this model.", { systemRole: "user" }],
    [
      "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead",
      { maxTokensField: "max_completion_tokens" },
    ],
    ["Extra inputs are not permitted: reasoning_content", { reasoningBack: "never" }],
    ["The content field is required for assistant messages", { emptyText: "empty" }],
    ['JSON schema conversion failed: Unrecognized schema: {"not":{}}', { schemas: "plain" }],
    ["System role not supported", { systemRole: "user" }],
    ["Developer instruction is not enabled for models/gemma-3-27b-it", { systemRole: "user" }],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { maxTokensField: "max_completion_tokens" },
    ],
    [
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
      { reasoningBack: "never" },
    ],
    ["The `reasoning_content` in the thinking mode must be passed back to the API.", { reasoningBack: "always" }],
    ["Missing `reasoning_content` field in the assistant message at message index 2.", { reasoningBack: "always" }],
    ["messages[2].content must be a string", { emptyText: "empty" }],
    [
      "Invalid JSON payload received. Unknown name \"additionalProperties\" at 'tools[0].function'",
      { schemas: "google" },
    ],
    ["Failed to parse grammar", { schemas: "plain" }],
    ["The model is overloaded", null],
    ["Incorrect API key provided", null],
    ["maximum context length is 4096 tokens", null],
  ])("name a trait: %s", (words, named) => {
    expect(traitsNamedIn(words, traits)).toEqual(named);
    if (named) expect(traitsNamedIn(words, { ...traits, ...named })).toBeNull();
  });
});

it("an id that another model wrote becomes nine letters or digits, the same for call and result", async () => {
  const nine = /^[a-zA-Z0-9]{9}$/;
  const history: Message[] = [user("one"), { role: "assistant", content: "", toolCalls: [call] }, result];
  const refuse = ({ messages = [] }: ChatRequestBody): ScriptedAnswer => {
    const id = String(messages.find(({ tool_call_id: given }) => given)?.tool_call_id);
    if (nine.test(id)) return { text: "fine" };
    return {
      fault: {
        status: 400,
        body: JSON.stringify({
          object: "error",
          message: `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`,
        }),
        contentType: "application/json",
      },
    };
  };
  const { replies, requests } = await converse(refuse, [history]);
  expect(replies).toEqual(["fine"]);
  const [, , asked, answered] = requests.at(-1)?.messages ?? [];
  expect(asked?.tool_calls?.[0]?.id).toMatch(nine);
  expect(answered?.tool_call_id).toBe(asked?.tool_calls?.[0]?.id);
});

it.each([
  ["unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`", { systemRole: "system" }],
  ["'developer' is not one of ['system', 'assistant', 'user', 'function']", { systemRole: "system" }],
  ["Unrecognized request argument supplied: max_completion_tokens", { maxTokensField: "max_tokens" }],
])("a setting that a server does not take is taken back: %s", (words, traits) => {
  const set = { ...presetOf("openai").traits, systemRole: "developer" } as const;
  expect(traitsNamedIn(words, set)).toEqual(traits);
});
