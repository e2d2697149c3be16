import { afterEach, expect, it } from "vitest";
import { askModel, providerSettings, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());
const calculate = {
  name: "calculate",
  description: "Calculates.",
  parameters: { type: "object", properties: { x: { type: "number" } } },
};
const request = { ...USER_REQUEST, tools: [...USER_REQUEST.tools, calculate] };
async function askRaw(body: string, contentType = "text/event-stream") {
  server = await startScriptedServer({ script: [{ fault: { status: 200, body, contentType } }] });
  const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
  const asked = await askModel({ settings, request });
  return { ...asked, message: asked.error instanceof Error ? asked.error.message : undefined };
}
type Json = Readonly<Record<string, unknown>>;
const line = (value: unknown) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}`;
const stream = (...values: readonly unknown[]) => values.map((value) => `${line(value)}\n\n`).join("");
const delta = (fields: unknown, finish: unknown = null, more: Json = {}) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta: fields, finish_reason: finish, ...more }],
});
const hello = delta({ role: "assistant", content: "Hello" });
const stop = delta({}, "stop");
const TEXT: Record<string, string> = {
  "a stream of vLLM with empty fields": stream(
    delta({ role: "assistant", content: "", reasoning_content: null, reasoning: null }),
    delta({ content: "Hello", tool_calls: [] }),
    { ...stop, choices: [{ ...stop.choices[0], stop_reason: 151645, token_ids: null }] },
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, prompt_tokens_details: null } },
    "[DONE]",
  ),
  "a stream of llama.cpp with timings": stream(
    delta({ role: "assistant", content: null }),
    delta({ content: "Hello" }),
    { ...stop, timings: { prompt_n: 1 }, system_fingerprint: "b1" },
    "[DONE]",
  ),
  "a stream of OpenRouter with comments":
    ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n" +
    stream(
      { ...hello, provider: "X", choices: [{ ...hello.choices[0], native_finish_reason: null, logprobs: null }] },
      stop,
      "[DONE]",
    ),
  "a stream of Mistral in parts": stream(
    delta({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm" }], closed: true }] }),
    delta({ content: [{ type: "text", text: "Hello" }] }),
    stop,
    "[DONE]",
  ),
  "a stream of Mistral with references": stream(
    delta({
      content: [
        { type: "text", text: "Hello" },
        { type: "reference", reference_ids: [1] },
      ],
    }),
    stop,
    "[DONE]",
  ),
  "a stream of Together that ends with eos": stream(
    {
      ...hello,
      choices: [
        {
          index: 0,
          text: "Hello",
          delta: { role: "assistant", content: "Hello", token_id: 3, tool_calls: [] },
          finish_reason: null,
        },
      ],
    },
    { ...stop, choices: [{ index: 0, text: "", delta: { content: "" }, finish_reason: "eos" }] },
    "[DONE]",
  ),
  "a stream of Azure with filters": stream(
    {
      choices: [],
      created: 0,
      id: "",
      model: "",
      object: "",
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
    },
    delta({ content: "Hello" }, null, { content_filter_results: { hate: { filtered: false } } }),
    { choices: [{ index: 0, content_filter_offsets: {}, content_filter_results: {}, delta: {}, finish_reason: null }] },
    stop,
    "[DONE]",
  ),
  "a stream of Gemini with its own finish reason": stream(
    delta({ role: "model", content: "Hello" }),
    delta({ extra_content: { google: { thought_signature: "s" } } }, "STOP"),
    "[DONE]",
  ),
  "a stream with other line ends and a byte order mark": `\uFEFF${[hello, stop, "[DONE]"].map((value) => `id: 1\r\nevent: message\r\ndata:${typeof value === "string" ? value : JSON.stringify(value)}\r\n\r\n`).join("")}`,
  "a stream without a last line end": `${stream(hello)}data: ${JSON.stringify(stop)}\n\ndata: [DONE]`,
  "content as an object": stream(delta({ content: { text: "Hello" } }), stop, "[DONE]"),
  "a message in a piece": stream(
    { id: "c", choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }] },
    "[DONE]",
  ),
  "an end in other letters": stream(hello, stop, "[done]"),
  "an event of several lines": `data: {"id":"c","choices":\ndata: [{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`,
  "a stream with other events": `retry: 100\n\nevent: ping\ndata: {"type":"ping"}\n\n${stream(hello, stop, "[DONE]")}`,
  "a stream that ends without a reason": stream(hello, delta({}, null), "[DONE]"),
  "a piece with empty fields of OpenAI": stream(
    delta({ role: "assistant", content: "Hello", refusal: null, annotations: [], audio: null }),
    stop,
    "[DONE]",
  ),
  "a stream with padding": stream(
    { ...hello, obfuscation: "abc", service_tier: "default" },
    { ...stop, obfuscation: "x" },
    "[DONE]",
  ),
  "the first of two choices": stream(
    {
      id: "c",
      choices: [
        { index: 0, delta: { content: "Hello" } },
        { index: 1, delta: { content: "Other" } },
      ],
    },
    {
      id: "c",
      choices: [
        { index: 0, delta: {}, finish_reason: "stop" },
        { index: 1, delta: {}, finish_reason: "stop" },
      ],
    },
    "[DONE]",
  ),
  "a whole answer instead of a stream": JSON.stringify({
    id: "c",
    object: "chat.completion",
    choices: [
      { index: 0, message: { role: "assistant", content: "Hello", reasoning_content: "" }, finish_reason: "stop" },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  }),
};
it.each(Object.entries(TEXT))("a text is read from %s", async (_, body) => {
  const { reply, message } = await askRaw(body);
  expect(message).toBeUndefined();
  expect(reply?.content).toBe("Hello");
});
const CALLS: Record<string, string> = {
  "calls of Ollama under one index": stream(
    delta({
      role: "assistant",
      content: "",
      tool_calls: [{ id: "call_a", index: 0, type: "function", function: { name: "calculate", arguments: '{"x":1}' } }],
    }),
    delta({
      tool_calls: [{ id: "call_b", index: 0, type: "function", function: { name: "calculate", arguments: '{"x":2}' } }],
    }),
    delta({}, "tool_calls"),
    "[DONE]",
  ),
  "calls of Gemini without an index": stream(
    delta({
      role: "assistant",
      tool_calls: [
        {
          function: { arguments: '{"x":1}', name: "calculate" },
          id: "",
          type: "function",
          extra_content: { google: { thought_signature: "s" } },
        },
        { function: { arguments: '{"x":2}', name: "calculate" }, id: "", type: "function" },
      ],
    }),
    delta({}, "stop"),
    "[DONE]",
  ),
  "calls whose pieces come in another order": stream(
    delta({
      tool_calls: [
        { index: 0, id: "a", function: { name: "calculate", arguments: "" } },
        { index: 1, id: "b", function: { name: "calculate", arguments: "" } },
      ],
    }),
    delta({
      tool_calls: [
        { index: 1, function: { arguments: '{"x":2}' } },
        { index: 0, function: { arguments: '{"x":1}' } },
      ],
    }),
    stop,
    "[DONE]",
  ),
  "arguments as objects": stream(
    delta({ tool_calls: [{ index: "0", id: 1, type: null, function: { name: "calculate", arguments: { x: 1 } } }] }),
    delta({ tool_calls: [{ index: "1", id: 2, function: { name: "calculate", arguments: { x: 2 } } }] }),
    delta({}, "tool_calls"),
  ),
  "names that are repeated": stream(
    delta({ tool_calls: [{ index: 0, id: "a", function: { name: "calculate", arguments: '{"x"' } }] }),
    delta({ tool_calls: [{ index: 0, id: "a", function: { name: "calculate", arguments: ":1}" } }] }),
    delta({ tool_calls: [{ index: 1, id: "b", function: { name: "calculate", arguments: '{"x":2}' } }] }),
    delta({}, "tool_use"),
    "[DONE]",
  ),
  "names that are null later": stream(
    delta({ tool_calls: [{ index: 0, id: "a", type: "function", function: { name: "calculate", arguments: null } }] }),
    delta({ tool_calls: [{ index: 0, id: null, function: { name: null, arguments: '{"x":1}' } }] }),
    delta({ tool_calls: [{ index: 1, id: "b", function: { name: "calculate", arguments: '{"x":2}' } }] }),
    delta({}, "tool_calls"),
    "[DONE]",
  ),
  "calls in the last message alone": stream(
    delta({ content: "" }),
    {
      id: "c",
      choices: [
        {
          index: 0,
          delta: {},
          message: {
            role: "assistant",
            tool_calls: [
              { id: "a", function: { name: "calculate", arguments: '{"x":1}' } },
              { id: "b", function: { name: "calculate", arguments: '{"x":2}' } },
            ],
          },
          finish_reason: "tool_calls",
        },
      ],
    },
    "[DONE]",
  ),
  "calls that are no list": stream(
    delta({ tool_calls: { index: 0, id: "a", function: { name: "calculate", arguments: '{"x":1}' } } }),
    delta({ tool_calls: { index: 1, id: "b", function: { name: "calculate", arguments: '{"x":2}' } } }),
    delta({}, "tool_calls"),
  ),
  "ids that are empty later": stream(
    delta({ tool_calls: [{ index: 0, id: "a", function: { name: "calculate", arguments: "" } }] }),
    delta({ tool_calls: [{ index: 0, id: "", function: { name: "", arguments: '{"x":1}' } }] }),
    delta({ tool_calls: [{ index: 1, id: "b", function: { name: "calculate", arguments: "" } }] }),
    delta({ tool_calls: [{ index: 1, id: "", function: { name: "", arguments: '{"x":2}' } }] }),
    delta({}, "tool_calls"),
  ),
};
it.each(Object.entries(CALLS))("two calls are read from %s", async (_, body) => {
  const { reply, message } = await askRaw(body);
  expect(message).toBeUndefined();
  expect(reply?.toolCalls.map(({ name, args }) => [name, args])).toEqual([
    ["calculate", { x: 1 }],
    ["calculate", { x: 2 }],
  ]);
});
const ERRORS: Record<string, [string, RegExp, string?]> = {
  "a stream of OpenRouter": [
    stream(hello, {
      id: "g",
      provider: "X",
      error: { code: 502, message: "Upstream is down", metadata: { raw: "boom" } },
      choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
    }),
    /Upstream is down/,
  ],
  "an event of Groq": [
    `event: error\ndata: ${JSON.stringify({ error: { message: "Failed to call a function", type: "invalid_request_error", code: "tool_use_failed", failed_generation: "<x>" } })}\n\n`,
    /Failed to call a function/,
  ],
  "a finish reason of DeepSeek": [stream(hello, delta({}, "insufficient_system_resource"), "[DONE]"), /./],
  "details with status 200": [
    JSON.stringify({ detail: [{ loc: ["body", "model"], msg: "field required" }] }),
    /field required/,
    "application/json",
  ],
  "a response of Tencent": [
    JSON.stringify({ Response: { Error: { Code: "LimitExceeded", Message: "over the limit" }, RequestId: "r" } }),
    /over the limit/,
    "application/json",
  ],
  "a header of iFlytek": [
    JSON.stringify({ header: { code: 10_013, message: "input was refused", sid: "s", status: 2 } }),
    /input was refused/,
    "application/json",
  ],
  "a piece of FastChat": [stream(hello, { text: "worker is gone", error_code: 50_001 }, "[DONE]"), /worker is gone/],
  "a status of MiniMax": [
    JSON.stringify({ base_resp: { status_code: 1004, status_msg: "login fail: key expired" } }),
    /key expired/,
    "application/json",
  ],
};
it.each(Object.entries(ERRORS))("the words of a failure are found in %s", async (_, [body, words, type]) => {
  const { reply, message } = await askRaw(body, type);
  expect(reply).toBeUndefined();
  expect(message).toMatch(words);
});
