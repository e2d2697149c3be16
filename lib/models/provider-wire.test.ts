import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "@/lib/schema/messages/message";
import { askModel, providerSettings, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { type RecordingServer, startRecordingServer } from "@/lib/testing/servers/recording-server";

let server: RecordingServer | undefined;
afterEach(() => server?.close());

const HISTORY: Message[] = [
  { role: "user", content: "list" },
  {
    role: "assistant",
    content: "I look.",
    reasoning: [
      { text: "think", providerMetadata: { anthropic: { signature: "sig-a" } } },
      { text: "foreign", providerMetadata: { openai: { itemId: "rs_1", reasoningEncryptedContent: "enc" } } },
      { text: "bare" },
    ],
    toolCalls: [
      {
        id: "functions.ls:0",
        name: "ls",
        args: { path: "." },
        rawArgs: "{}",
        providerMetadata: { google: { thoughtSignature: "sig-g" } },
      },
      { id: "b", name: "ls", args: {}, rawArgs: "{", argsError: "bad" },
    ],
  },
  { role: "tool", toolCallId: "functions.ls:0", name: "ls", content: "[]" },
  { role: "tool", toolCallId: "b", name: "ls", content: "bad arguments", isError: true },
  { role: "assistant", content: "", toolCalls: [] },
];
const request = {
  ...USER_REQUEST,
  messages: HISTORY,
  system: [
    { name: "a", text: "One." },
    { name: "b", text: "Two." },
  ],
};

describe("Anthropic", () => {
  const EVENTS = [
    {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        model: "claude",
        content: [],
        stop_reason: null,
        usage: { input_tokens: 10, cache_read_input_tokens: 70, cache_creation_input_tokens: 20, output_tokens: 1 },
      },
    },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig-new" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "toolu_1", name: "ls", input: {} },
    },
    { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{ "path":"." }' } },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 30 } },
    { type: "message_stop" },
  ];

  async function ask() {
    server = await startRecordingServer(EVENTS);
    const settings = providerSettings({ anthropic: { apiKey: "k", baseUrl: server.url } });
    return askModel({ settings, spec: "anthropic:claude-sonnet-4-5", request });
  }

  it("reads thinking with its signature, arguments to the letter and usage by class", async () => {
    const { reply } = await ask();
    expect(reply?.reasoning).toMatchObject([
      { text: "Hm.", providerMetadata: { anthropic: { signature: "sig-new" } } },
    ]);
    expect(reply?.toolCalls).toMatchObject([
      { id: "toolu_1", name: "ls", args: { path: "." }, rawArgs: '{ "path":"." }' },
    ]);
    expect(reply?.finishReason).toBe("tool-calls");
    expect(reply?.usage).toMatchObject({
      inputTokens: 100,
      cachedReadTokens: 70,
      cachedWriteTokens: 20,
      outputTokens: 30,
    });
  });

  it("sends its own signatures back, plain call ids, error results and two cache breakpoints", async () => {
    await ask();
    const body = JSON.stringify(server?.bodies[0]);
    expect(body).toContain('"signature":"sig-a"');
    expect(body).not.toMatch(/foreign|bare/);
    expect(body.match(/functions_ls_0/g)).toHaveLength(2);
    expect(body).toContain('"is_error":true');
    expect(body.match(/"cache_control":\{"type":"ephemeral"\}/g)).toHaveLength(2);
    expect(body).toContain("One.\\n\\nTwo.");
  });
});

describe("a history with a tool that the model invented", () => {
  const called = (name: string) => ({ id: "a", name, args: {}, rawArgs: "{}" });
  const messages = (name: string): Message[] => [
    { role: "user", content: "list" },
    { role: "assistant", content: "", toolCalls: [called(name)] },
    { role: "tool", toolCallId: "a", name, content: `unknown tool: ${name}`, isError: true },
  ];

  it.each([
    ["anthropic:claude-sonnet-4-5", "functions.ls", "functions_ls"],
    ["google:gemini-2.5-pro", "list files", "list_files"],
    ["openai:gpt-4.1", "", "_"],
    ["openai-compatible:m", `${"x".repeat(70)}`, "x".repeat(64)],
  ])("is sent to %s with a name that it takes for %j", async (spec, name, sent) => {
    server = await startRecordingServer([]);
    const connection = { apiKey: "k", baseUrl: server.url };
    const all = { openai: connection, anthropic: connection, google: connection, openaiCompatible: connection };
    await askModel({ settings: providerSettings(all), spec, request: { ...request, messages: messages(name) } });
    const names = [...JSON.stringify(server.bodies[0]).matchAll(/"name":"([^"]*)"/g)].map(([, found]) => found);
    expect(new Set(names)).toEqual(new Set([sent, "ls"]));
  });
});

it("sends no text that is only white space: Anthropic refuses the thread for it", async () => {
  const call = { id: "a", name: "ls", args: {}, rawArgs: "{}" };
  const messages: Message[] = [
    { role: "user", content: "list" },
    { role: "assistant", content: "\n\n", toolCalls: [call] },
    { role: "tool", toolCallId: "a", name: "ls", content: "[]" },
    { role: "assistant", content: " ", toolCalls: [] },
    { role: "user", content: "go on" },
  ];
  server = await startRecordingServer([]);
  const settings = providerSettings({ anthropic: { apiKey: "k", baseUrl: server.url } });
  await askModel({ settings, spec: "anthropic:claude-sonnet-4-5", request: { ...request, messages } });
  const { messages: sent } = server.bodies[0] as { messages: { role: string; content: { type: string }[] }[] };
  expect(sent.map(({ role, content }) => `${role} ${content.map(({ type }) => type).join()}`)).toEqual([
    "user text",
    "assistant tool_use",
    "user tool_result,text",
  ]);
});

describe("a history that begins with the model's own words", () => {
  const late = { ...request, messages: [HISTORY[1], HISTORY[2], HISTORY[3], HISTORY[0]] as Message[] };

  it.each([
    ["anthropic:claude-sonnet-4-5", "user,assistant,user"],
    ["google:gemini-2.5-pro", "user,model,user,user"],
    ["openai-compatible:m", "system,assistant,tool,tool,user"],
  ])("is sent to %s as %s", async (spec, roles) => {
    server = await startRecordingServer([]);
    const connection = { apiKey: "k", baseUrl: server.url };
    const settings = providerSettings({ anthropic: connection, google: connection, openaiCompatible: connection });
    await askModel({ settings, spec, request: late });
    const body = server.bodies[0] as { messages?: { role: string }[]; contents?: { role: string }[] };
    expect((body.messages ?? body.contents ?? []).map(({ role }) => role).join()).toBe(roles);
  });
});

describe("Google", () => {
  const EVENTS = [
    {
      candidates: [
        {
          content: {
            role: "model",
            parts: [{ functionCall: { name: "ls", args: { path: "." } }, thoughtSignature: "sig-new" }],
          },
          finishReason: "STOP",
        },
      ],
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 40,
        candidatesTokenCount: 7,
        thoughtsTokenCount: 3,
      },
    },
  ];

  it("keeps thought signatures of calls and sends them back", async () => {
    server = await startRecordingServer(EVENTS);
    const settings = providerSettings({ google: { apiKey: "k", baseUrl: server.url } });
    const { reply } = await askModel({ settings, spec: "google:gemini-2.5-pro", request });
    expect(reply?.toolCalls).toMatchObject([
      { name: "ls", args: { path: "." }, providerMetadata: { google: { thoughtSignature: "sig-new" } } },
    ]);
    expect(reply?.usage).toMatchObject({
      inputTokens: 100,
      cachedReadTokens: 40,
      outputTokens: 10,
      reasoningTokens: 3,
    });
    const body = JSON.stringify(server.bodies[0]);
    expect(body).toContain('"thoughtSignature":"sig-g"');
    expect(body).not.toMatch(/foreign|bare|think"/);
  });
});

describe("OpenAI", () => {
  it("stores nothing with the provider and sends encrypted reasoning back", async () => {
    server = await startRecordingServer([]);
    const settings = providerSettings({ openai: { apiKey: "k", baseUrl: server.url } });
    const { error } = await askModel({ settings, spec: "openai:gpt-5", request });
    expect(error).toMatchObject({ code: "model_failed" });
    const body = server.bodies[0] as { store: boolean; include: string[]; input: unknown };
    expect(body.store).toBe(false);
    expect(body.include).toContain("reasoning.encrypted_content");
    const input = JSON.stringify(body.input);
    expect(input).toContain('"encrypted_content":"enc"');
    expect(input).not.toMatch(/sig-a|bare/);
  });
});

describe("effort", () => {
  it.each([
    ["openai:gpt-5", "openai", { reasoning: { effort: "high" } }],
    ["anthropic:claude-opus-4-6", "anthropic", { output_config: { effort: "high" } }],
    ["google:gemini-3-pro", "google", { generationConfig: { thinkingConfig: { thinkingLevel: "high" } } }],
    ["openai-compatible:m", "openaiCompatible", { reasoning_effort: "high" }],
  ] as const)("is named as %s knows it, and left out where none was picked", async (spec, provider, expected) => {
    server = await startRecordingServer([]);
    const settings = providerSettings({ [provider]: { apiKey: "k", baseUrl: server.url } });
    await askModel({ settings, spec, request: { ...USER_REQUEST, effort: "high" } });
    await askModel({ settings, spec, request: USER_REQUEST });
    expect(server.bodies[0]).toMatchObject(expected);
    expect(JSON.stringify(server.bodies[1])).not.toMatch(/effort|thinking/i);
  });
});
