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

async function ask(body: string, contentType = "text/event-stream") {
  server = await startScriptedServer({ script: [{ fault: { status: 200, body, contentType } }] });
  const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
  const { reply, error } = await askModel({ settings, request });
  return { reply, message: error instanceof Error ? error.message : undefined };
}

const stream = (...values: readonly unknown[]) =>
  values.map((value) => `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`).join("");
const delta = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const piece = (call: object) => delta({ tool_calls: [call] });
const named = (index: number, id: string) => ({
  index,
  id,
  type: "function",
  function: { name: "calculate", arguments: "" },
});
const tail = (index: number, text: string) => ({
  index,
  id: null,
  type: null,
  function: { name: null, arguments: text },
});

const ANSWERS: readonly (readonly [string, string])[] = [
  [
    "an envelope around the whole answer (a gateway of Cline's)",
    JSON.stringify({
      data: {
        choices: [
          { finish_reason: "stop", index: 0, message: { content: "Hello", provider_metadata: { gateway: {} } } },
        ],
      },
      success: true,
    }),
  ],
  [
    "an envelope around each piece",
    stream({ code: 0, data: delta({ content: "Hel" }) }, { code: 0, data: delta({ content: "lo" }, "stop") }, "[DONE]"),
  ],
  [
    "DashScope's own output",
    stream(
      { output: { choices: [{ message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }] } },
      "[DONE]",
    ),
  ],
  [
    "thoughts beside a content of null (GLM, DeepSeek)",
    stream(
      delta({ content: null, reasoning_content: "Hm" }),
      delta({ content: "Hello", reasoning_content: null }, "stop"),
      "[DONE]",
    ),
  ],
  [
    "thoughts under two names at once (OpenRouter, Cerebras)",
    stream(
      delta({ content: "", reasoning: "Hm", reasoning_content: "Hm", reasoning_details: [] }),
      delta({ content: "Hello" }, "stop"),
      "[DONE]",
    ),
  ],
  [
    "a delta of null at the end (Azure's filter results)",
    stream(
      delta({ content: "Hello" }, "stop"),
      { choices: [{ index: 0, delta: null, content_filter_offsets: {} }] },
      "[DONE]",
    ),
  ],
  [
    "pings between the pieces (Anthropic's layer)",
    `event: ping\ndata: {"type": "ping"}\n\n${stream(delta({ content: "Hello" }, "stop"), "[DONE]")}`,
  ],
  [
    "a usage whose choices are null",
    stream(delta({ content: "Hello" }, "stop"), { choices: null, usage: { prompt_tokens: 3 } }, "[DONE]"),
  ],
  ["a field named error that is null", stream({ ...delta({ content: "Hello" }, "stop"), error: null }, "[DONE]")],
  [
    "a status of success beside the choices",
    stream({ ...delta({ content: "Hello" }, "stop"), code: 200, message: "success", status: "ok" }, "[DONE]"),
  ],
  [
    "a message of MiniMax's status that is a success",
    stream({ ...delta({ content: "Hello" }, "stop"), base_resp: { status_code: 0, status_msg: "success" } }, "[DONE]"),
  ],
  [
    "a whole message repeated behind its pieces (MiniMax)",
    stream(
      delta({ content: "Hello" }),
      {
        object: "chat.completion",
        choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
      },
      "[DONE]",
    ),
  ],
];

it.each(ANSWERS)("an answer is read from %s", async (_, body) => {
  const { reply, message } = await ask(body, body.startsWith("{") ? "application/json" : undefined);
  expect([reply?.content, message]).toEqual(["Hello", undefined]);
});

const CALLS: readonly (readonly [string, string])[] = [
  [
    "a second call that begins under the first one's number (DeepSeek V4 behind a gateway)",
    stream(
      piece(named(0, "a")),
      piece(tail(0, '{"x":1}')),
      piece(named(0, "b")),
      piece(tail(1, '{"x"')),
      piece(tail(1, ":2}")),
      delta({}, "tool_calls"),
      "[DONE]",
    ),
  ],
  [
    "names under other numbers than arguments (LibreChat's agents)",
    stream(
      piece(named(2, "a")),
      piece(tail(1, '{"x":1}')),
      piece(named(4, "b")),
      piece(tail(3, '{"x":2}')),
      delta({}, "tool_calls"),
      "[DONE]",
    ),
  ],
  [
    "numbers that begin behind a thought (LiteLLM's bridge to Responses)",
    stream(
      piece(named(1, "a")),
      piece(tail(1, '{"x":1}')),
      piece(named(2, "b")),
      piece(tail(2, '{"x":2}')),
      delta({}, "tool_calls"),
      "[DONE]",
    ),
  ],
  [
    "ids that come behind the names, with another number",
    stream(
      piece({ index: 0, id: "a", function: { name: "calculate", arguments: '{"x"' } }),
      piece({ index: 5, id: "a", function: { arguments: ":1}" } }),
      piece({ index: 1, id: "b", function: { name: "calculate", arguments: '{"x":2}' } }),
      delta({}, "tool_calls"),
      "[DONE]",
    ),
  ],
  [
    "a stop where calls were made (Gemini)",
    stream(
      delta({
        role: "assistant",
        tool_calls: [
          {
            extra_content: { google: { thought_signature: "s" } },
            function: { arguments: '{"x":1}', name: "calculate" },
            id: "call_1",
            type: "function",
          },
        ],
      }),
      delta({
        tool_calls: [{ function: { arguments: '{"x":2}', name: "calculate" }, id: "call_2", type: "function" }],
      }),
      delta({}, "stop"),
      "[DONE]",
    ),
  ],
];

it.each(CALLS)("two calls are read from %s", async (_, body) => {
  const { reply, message } = await ask(body);
  expect(message).toBeUndefined();
  expect(reply?.toolCalls.map(({ name, args }) => [name, args])).toEqual([
    ["calculate", { x: 1 }],
    ["calculate", { x: 2 }],
  ]);
});

const FAILURES: readonly (readonly [string, string, string, string])[] = [
  [
    "a page",
    "<!doctype html><html><head><title>Just a moment...</title></head></html>",
    "text/html",
    "Just a moment...",
  ],
  [
    "a page that calls itself a stream",
    "<html><head><title>502 Bad Gateway</title></head></html>",
    "text/event-stream",
    "502 Bad Gateway",
  ],
  [
    "a message alone",
    JSON.stringify({ message: "No Route matched with those values" }),
    "application/json",
    "No Route matched",
  ],
  ["plain text", "upstream connect error or disconnect/reset before headers", "text/plain", "upstream connect error"],
  [
    "no choices, and a code",
    JSON.stringify({ code: "rate_limit_daily", message: "Error code: 429 - daily limit" }),
    "application/json",
    "daily limit",
  ],
  [
    "an envelope of an error",
    JSON.stringify({ success: false, data: null, message: "模型不存在" }),
    "application/json",
    "模型不存在",
  ],
];

it.each(FAILURES)("what stands in the place of a reply is quoted: %s", async (_, body, type, words) => {
  const { reply, message } = await ask(body, type);
  expect(reply).toBeUndefined();
  expect(message).toContain(words);
});
