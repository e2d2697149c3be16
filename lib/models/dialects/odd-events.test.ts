import { afterEach, describe, expect, it } from "vitest";
import {
  askRaw,
  counts,
  delta,
  hello,
  type Json,
  line,
  piece,
  stop,
  stream,
} from "@/lib/testing/servers/ask-raw-stream";
import { askModel, providerSettings } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

describe("an event that differs in what does not matter", () => {
  it.each<[string, unknown[]]>([
    ["usage without choices", [hello, stop, { id: "c", usage: counts }, "[DONE]"]],
    ["usage with choices that are null", [hello, stop, { choices: null, usage: counts }, "[DONE]"]],
    ["usage with no choice", [hello, stop, { choices: [], usage: counts }, "[DONE]"]],
    [
      "usage of the choice itself",
      [hello, { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: counts }] }],
    ],
    ["usage under x_groq", [hello, { ...stop, x_groq: { id: "r", usage: counts } }, "[DONE]"]],
    ["usage as text", [hello, { ...stop, usage: { prompt_tokens: "10", completion_tokens: "5" } }, "[DONE]"]],
    ["usage under other names", [hello, { ...stop, usage: { input_tokens: 10, output_tokens: 5 } }, "[DONE]"]],
    [
      "usage with each piece",
      [
        { ...hello, usage: { prompt_tokens: 10, completion_tokens: 1 } },
        { ...stop, usage: counts },
      ],
    ],
    [
      "usage of nothing at the end",
      [hello, { ...stop, usage: counts }, { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } }],
    ],
    ["a piece that is bare text", [{ choices: [{ index: 0, delta: "Hello" }] }, { ...stop, usage: counts }]],
    ["more after the end", [hello, { ...stop, usage: counts }, "[DONE]", hello]],
    ["another role", [delta({ role: "model", content: "Hello" }), { ...stop, usage: counts }, "[DONE]"]],
    ["a role that is no text", [delta({ role: 7, content: "Hello" }), { ...stop, usage: counts }]],
    [
      "numbers as text",
      [
        { ...hello, created: "1", id: 7, choices: [{ index: "0", delta: { content: "Hello" } }] },
        { ...stop, usage: counts },
      ],
    ],
    [
      "an index that begins at one",
      [
        { choices: [{ index: 1, delta: { content: "Hello" } }] },
        { choices: [{ index: 1, finish_reason: "stop" }], usage: counts },
      ],
    ],
    ["one choice instead of a list", [{ choices: { delta: { content: "Hello" } } }, { ...stop, usage: counts }]],
    ["choices by their index", [{ choices: { 0: { delta: { content: "Hello" } } } }, { ...stop, usage: counts }]],
    [
      "events encoded twice",
      [JSON.stringify(JSON.stringify(hello)), JSON.stringify(JSON.stringify({ ...stop, usage: counts }))],
    ],
    [
      "the words of a spoken reply",
      [
        delta({ content: null, audio: { id: "a", transcript: "Hel" } }),
        delta({ audio: { transcript: "lo", data: "UklGRg==" } }),
        { ...stop, usage: counts },
      ],
    ],
    ["empty objects and pings between", [{}, hello, { type: "ping" }, {}, { ...stop, usage: counts }, "[DONE]"]],
    [
      "a delta that is null",
      [
        { choices: [{ index: 0, delta: null }] },
        hello,
        { choices: [{ delta: null, finish_reason: "stop" }], usage: counts },
      ],
    ],
    [
      "an empty finish reason with each piece",
      [delta({ content: "Hel" }, ""), delta({ content: "lo" }, ""), { ...stop, usage: counts }],
    ],
    ["an unknown finish reason", [hello, { ...delta({}, "eos_token"), usage: counts }]],
    ["text in parts", [delta({ content: [{ type: "text", text: "Hel" }, "lo"] }), { ...stop, usage: counts }]],
    ["text as an object", [delta({ content: { type: "text", text: "Hello" } }), { ...stop, usage: counts }]],
    [
      "an error field that is null",
      [
        { ...hello, error: null },
        { ...stop, usage: counts, error: {} },
      ],
    ],
    [
      "the whole message once more at the end",
      [hello, { choices: [{ message: { content: "Hello" }, finish_reason: "stop" }], usage: counts }],
    ],
    ["a piece that is not JSON", [hello, "{oops", { ...stop, usage: counts }, "[DONE]"]],
    [
      "a list of filters before the first piece",
      [{ choices: [], prompt_filter_results: [{}] }, hello, { ...stop, usage: counts }],
    ],
  ])("is read: %s", async (_, events) => {
    const { reply, message } = await askRaw(stream(...events));
    expect(message).toBeUndefined();
    expect(reply).toMatchObject({ content: "Hello", usage: { inputTokens: 10, outputTokens: 5 } });
    expect(reply?.usage.isUsagePartial).toBeUndefined();
  });

  it("is counted if nothing of it could be read", async () => {
    const { reply } = await askRaw(stream("{oops", hello, "nonsense", stop, "[DONE]"));
    expect(reply).toMatchObject({ content: "Hello", unreadableEvents: 2 });
    expect((await askRaw(stream(hello, stop))).reply).not.toHaveProperty("unreadableEvents");
  });

  it("never counts a number of tokens below zero", async () => {
    const { reply } = await askRaw(stream(hello, { ...stop, usage: { prompt_tokens: -4, completion_tokens: 5 } }));
    expect(reply?.usage).toMatchObject({ inputTokens: 0, outputTokens: 5 });
  });
});

describe("the form of a stream", () => {
  const events = [hello, stop, { choices: [], usage: counts }, "[DONE]"];
  const lines = events.map(line);
  it.each<[string, string]>([
    ["an end in small letters", `${lines.join("\n\n").replace("[DONE]", "[done]")}\n\n`],
    ["an end as a JSON string", `${lines.join("\n\n").replace("[DONE]", '"[DONE]"')}\n\n`],
    ["single line ends", `${lines.join("\n")}\n`],
    ["CRLF", `${lines.join("\r\n\r\n")}\r\n\r\n`],
    ["CR", `${lines.join("\r\r")}\r\r`],
    ["no line end at the end", lines.join("\n\n")],
    ["no space after the colon", lines.map((text) => text.replace("data: ", "data:")).join("\n\n")],
    ["a byte order mark", `\uFEFF${lines.join("\n\n")}\n\n`],
    ["comments and keep-alive lines", `: ping\n\n:\n${lines.join("\n\n: processing\n\n")}\n\n`],
    ["names, ids and retries", `retry: 100\n${lines.map((text) => `event: message\nid: 1\n${text}`).join("\n\n")}\n\n`],
    ["a second prefix by a proxy", `${lines.map((text) => `data: ${text}`).join("\n\n")}\n\n`],
    [
      "JSON over several data lines",
      `data: {"choices":\ndata: [{"delta":{"content":"Hello"}}]}\n\n${lines.slice(1).join("\n\n")}`,
    ],
    ["JSON lines without a prefix", events.map((value) => JSON.stringify(value)).join("\n")],
  ])("is read with %s", async (_, body) => {
    const { reply, message } = await askRaw(body);
    expect(message).toBeUndefined();
    expect(reply).toMatchObject({ content: "Hello", finishReason: "stop", usage: { inputTokens: 10 } });
  });

  const whole = {
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
    usage: counts,
  };
  it.each<[string, string, string]>([
    ["JSON", JSON.stringify(whole), "application/json"],
    ["JSON over several lines", JSON.stringify(whole, null, 2), "application/json; charset=utf-8"],
    ["JSON with a blank line in it", JSON.stringify(whole, null, 2).replace("\n", "\n\n"), "text/plain"],
    ["JSON that is called a stream", JSON.stringify(whole), "text/event-stream"],
    ["events that are called JSON", stream(hello, stop, { usage: counts }), "application/json"],
    ["events that are called text", stream(hello, stop, { usage: counts }), "text/plain"],
    [
      "JSON without a finish reason",
      JSON.stringify({ choices: [{ message: { content: "Hello" } }], usage: counts }),
      "application/json",
    ],
  ])("may be %s", async (_, body, contentType) => {
    expect((await askRaw(body, contentType)).reply).toMatchObject({
      content: "Hello",
      finishReason: "stop",
      usage: { inputTokens: 10, outputTokens: 5 },
    });
  });

  it("may be one JSON document with calls", async () => {
    const call = { id: "a", type: "function", function: { name: "calculate", arguments: { expression: "6*7" } } };
    const body = JSON.stringify({
      choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }],
    });
    const { reply } = await askRaw(body, "application/json");
    expect(reply?.toolCalls).toMatchObject([{ id: "a", name: "calculate", args: { expression: "6*7" } }]);
    expect(reply?.finishReason).toBe("tool-calls");
  });
});

describe("the end of a reply", () => {
  const call = piece({ index: 0, id: "a1", function: { name: "calculate", arguments: '{"expression":"6*7"}' } });

  it.each<[string, unknown[], string]>([
    ["[DONE] alone after text", [hello, "[DONE]"], "stop"],
    ["[DONE] alone after a call", [call, "[DONE]"], "tool-calls"],
    ["a finish reason alone", [hello, stop], "stop"],
    ["stop after a call", [call, stop], "tool-calls"],
    ["a refusal", [delta({ refusal: "No." }), stop, "[DONE]"], "content-filter"],
    ["MAX_TOKENS", [hello, delta({}, "MAX_TOKENS")], "length"],
    ["model_length", [hello, delta({}, "model_length")], "length"],
    ["a reason of its own", [hello, delta({}, "because")], "other"],
  ])("is %s", async (_, events, finishReason) => {
    const { reply, message } = await askRaw(stream(...events));
    expect(message).toBeUndefined();
    expect(reply?.finishReason).toBe(finishReason);
  });

  it.each<[string, string]>([
    ["neither", stream(hello)],
    ["neither, after a call", stream(call)],
    ["the server's own failure", stream(hello, delta({}, "error"), "[DONE]")],
    ["DeepSeek without resources", stream(hello, delta({}, "insufficient_system_resource"))],
    ["nothing at all", ""],
    ["nothing but [DONE]", stream("[DONE]")],
    ["half an event", `${stream(hello)}data: {"choices":[{"delta":{"con`],
  ])("is missing with %s: the call fails", async (_, body) => {
    const { reply, message } = await askRaw(body);
    expect(reply).toBeUndefined();
    expect(message).toMatch(/broke off/);
  });

  it("does not wait for a connection that stays open after [DONE]", async () => {
    server = await startScriptedServer({ script: [{ text: "ok", fault: { kind: "open-after-done" } }] });
    const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
    const timeouts = { model_ms: 2_000, idle_ms: 2_000 };
    expect((await askModel({ settings, timeouts })).reply?.content).toBe("ok");
  });

  it("is kept when the connection breaks after the finish reason", async () => {
    server = await startScriptedServer({ script: [{ text: "ok", fault: { kind: "cut-after-finish" } }] });
    const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
    expect((await askModel({ settings })).reply?.content).toBe("ok");
  });
});

describe("reasoning", () => {
  it.each<[string, Json]>([
    ["reasoning_content", { reasoning_content: "Hm." }],
    ["reasoning", { reasoning: "Hm." }],
    ["both", { reasoning: "Hm.", reasoning_content: "Hm." }],
    ["thinking", { thinking: "Hm." }],
    ["parts of the content", { content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }],
  ])("is read as %s", async (_, fields) => {
    const { reply } = await askRaw(stream(delta(fields), hello, stop));
    expect(reply).toMatchObject({ content: "Hello", reasoning: [{ text: "Hm." }] });
  });
});

describe("an error with status 200", () => {
  it.each<[string, string, string, RegExp]>([
    [
      "in the stream, as vLLM sends it",
      stream({
        object: "error",
        message: "This model's maximum context length is 4096 tokens, however you requested 5000",
        type: "BadRequestError",
        code: 400,
      }),
      "text/event-stream",
      /too long for .*\(400\).*maximum context length is 4096/,
    ],
    [
      "in the stream, as text",
      stream({ error: "model runner crashed" }),
      "text/event-stream",
      /internal error \(500\).*model runner crashed/,
    ],
    [
      "in the stream, with a status beside it",
      stream({ error: "busy", status: 503 }),
      "text/event-stream",
      /overloaded \(503\).*busy/,
    ],
    [
      "in the choice",
      stream(hello, { choices: [{ delta: {}, error: { code: 502, message: "upstream failed" } }] }),
      "text/event-stream",
      /\(502\).*upstream failed/,
    ],
    [
      "as an event named error",
      `event: error\ndata: {"message":"no capacity","code":"503"}\n\n`,
      "text/event-stream",
      /overloaded \(503\).*no capacity/,
    ],
    ["as plain text named error", "event: error\ndata: the worker died\n\n", "text/event-stream", /the worker died/],
    [
      "as a field named error",
      `error: {"code":400,"message":"bad grammar"}\n\n`,
      "text/event-stream",
      /rejected.*\(400\).*bad grammar/,
    ],
    [
      "as a document",
      JSON.stringify({ error: { message: "invalid model", code: 404 } }),
      "application/json",
      /\(404\).*invalid model/,
    ],
    [
      "as a document with detail",
      JSON.stringify({ detail: "not enough memory" }),
      "application/json",
      /not enough memory/,
    ],
    [
      "as a list",
      JSON.stringify([{ error: { code: 400, message: "missing signature" } }]),
      "application/json",
      /\(400\).*missing signature/,
    ],
    [
      "as MiniMax answers",
      JSON.stringify({ base_resp: { status_code: 1004, status_msg: "login fail" }, choices: null }),
      "application/json",
      /login fail/,
    ],
  ])("is that error: %s", async (_, body, contentType, words) => {
    const { message } = await askRaw(body, contentType);
    expect(message).toMatch(words);
    expect(message).not.toContain("is the address of its API");
  });

  it.each([
    ["a web page", "<!doctype html><title>Sign in &amp; go</title>", "text/html", "text/html (“Sign in & go”)"],
    ["a page without a title", "<html><body><h1>Blocked</h1></body>", "text/html", "text/html (“Blocked”)"],
    ["JSON of something else", '{"hello":"world"}', "application/json", "application/json"],
  ])("is not a reply: %s", async (_, body, contentType, said) => {
    expect((await askRaw(body, contentType)).message).toContain(`answered with ${said} instead of a stream`);
  });
});
