import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createModelRegistry } from "@/lib/models/model-registry";
import { AppError } from "@/lib/schema/app-error";
import { askModel, providerSettings } from "@/lib/testing/servers/ask-scripted-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

const KEY = "sk-secret-1234567890";
const timeouts = { model_ms: 20_000, idle_ms: 10_000 };
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function serve(...script: ScriptedAnswer[]) {
  server = await startScriptedServer({ script });
  return { server, settings: providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: KEY } }) };
}

describe("a provider that refuses", () => {
  it.each<[string, ScriptedAnswer["fault"], string[]]>([
    [
      "401",
      { status: 401, message: `Incorrect API key ${KEY}` },
      ["refused the API key (401)", "OPENAI_COMPATIBLE_API_KEY", "[redacted]"],
    ],
    ["403", { status: 403, message: "no access" }, ["refused access to m (403)", 'It said: "no access".']],
    ["404", { status: 404, message: "model not found" }, ["does not know the model m (404)", "127.0.0.1"]],
    ["400", { status: 400, message: "bad field." }, ["rejected the request (400)", 'It said: "bad field."']],
    ["413", { status: 413 }, ["too large", "413"]],
    ["402", { status: 402, message: "pay" }, ["no credit left (402)"]],
    [
      "context too long",
      { status: 400, code: "context_length_exceeded", message: "This model's maximum context length is 8192 tokens" },
      ["too long for openai-compatible:m", "new thread"],
    ],
    ["no credit as 429", { status: 429, code: "insufficient_quota", message: "quota" }, ["no credit left (429)"]],
    ["no tools", { status: 400, message: "m does not support tools" }, ["can't call tools"]],
    [
      "200 with a web page",
      { status: 200, body: "<html>Welcome</html>" },
      ["text/html (“Welcome”) instead of a stream", "127.0.0.1"],
    ],
  ])("%s: says why, once, without the key", async (_, fault, words) => {
    const { server, settings } = await serve({ fault });
    const { error, retries } = await askModel({ settings, retries: 2 });
    expect(error).toBeInstanceOf(AppError);
    const { message, code } = error as AppError;
    for (const word of words) expect(message).toContain(word);
    expect(message).not.toContain(KEY);
    expect(code).toBe("model_failed");
    expect(retries).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});

it.each<[string, ScriptedAnswer["fault"], string | undefined]>([
  ["a wrong key", { status: 401, message: "no" }, "key_refused"],
  ["a key without access", { status: 403, message: "no" }, "access_refused"],
  ["an unknown model", { status: 404, message: "no" }, "unknown_model"],
  ["a request that is too large", { status: 413 }, "too_large"],
  [
    "a conversation that is too long",
    { status: 400, code: "context_length_exceeded", message: "too long" },
    "too_long",
  ],
  ["no credit", { status: 402, message: "pay" }, undefined],
  ["a refused field", { status: 400, message: "bad field" }, undefined],
])("%s has a cause by which the way out is offered", async (_, fault, kind) => {
  const { settings } = await serve({ fault });
  const { error } = await askModel({ settings, retries: 0 });
  expect((error as AppError).options.failure).toEqual(
    kind === undefined ? undefined : { kind, provider: "openai-compatible" },
  );
});

describe("a provider that redirects to another host", () => {
  it("says where to and that nothing was sent there, also when its models are listed", async () => {
    const elsewhere = createServer((_, response) => response.end('{"data":[{"id":"stolen"}]}'));
    const reached: unknown[] = [];
    elsewhere.on("request", ({ headers }) => reached.push(headers));
    const redirecting = createServer((_, response) => {
      const { port } = elsewhere.address() as AddressInfo;
      response.writeHead(307, { location: `http://127.0.0.1:${port}/v1/chat?key=${KEY}` }).end();
    });
    for (const each of [elsewhere, redirecting]) await once(each.listen(0, "127.0.0.1"), "listening");
    const baseUrl = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/v1`;
    const settings = providerSettings({ openaiCompatible: { baseUrl, apiKey: KEY } });
    const { error } = await askModel({ settings, retries: 2 });
    const { message } = error as AppError;
    expect(message).toMatch(/redirects to http:\/\/127\.0\.0\.1:\d+ \(307\).*Nothing was sent there.*address/);
    expect(message).not.toContain(KEY);
    const listing = createModelRegistry(settings).listModels("openai-compatible");
    await expect(listing).rejects.toThrow(/redirects to http:\/\/127\.0\.0\.1:\d+/);
    expect(reached).toEqual([]);
    for (const each of [elsewhere, redirecting]) each.close();
  });
});

describe("a provider that fails for a moment", () => {
  it.each<[string, ScriptedAnswer]>([
    ["408", { fault: { status: 408, retryAfter: "0" } }],
    ["409", { fault: { status: 409, retryAfter: "0" } }],
    ["429 with Retry-After", { fault: { status: 429, retryAfter: "0" } }],
    ["429 with a date", { fault: { status: 429, retryAfter: new Date(0).toUTCString() } }],
    ["500", { fault: { status: 500, retryAfter: "0" } }],
    ["503", { fault: { status: 503, retryAfter: "0", body: "<h1>busy</h1>" } }],
    ["529", { fault: { status: 529, headers: { "retry-after-ms": "1" } } }],
  ])("%s: is asked again", async (_, failing) => {
    const { server, settings } = await serve(failing, { text: "fine" });
    const { reply, retries } = await askModel({ settings, retries: 1 });
    expect(reply?.content).toBe("fine");
    expect(retries).toHaveLength(1);
    expect(retries[0]).toMatchObject({ attempt: 1, nextModel: "openai-compatible:m" });
    expect(server.requests).toHaveLength(2);
  });

  it.each<[string, ScriptedAnswer, string]>([
    ["500", { fault: { status: 500, message: "oops" } }, "internal error (500)"],
    ["529", { fault: { status: 529, message: "busy" } }, "overloaded (529)"],
    ["429", { fault: { status: 429, retryAfter: "7" } }, "It asks to wait 7 s"],
    ["cut mid-stream", { text: "half of", fault: { kind: "cut" } }, "broke off"],
    ["cut before anything", { text: [], fault: { kind: "cut" } }, "broke off"],
    ["nothing but odd events after some text", { text: "half of", fault: { kind: "wrong-types" } }, "broke off"],
    ["no reason to stop", { text: "half of", fault: { kind: "no-finish" } }, "broke off"],
    ["invalid SSE", { text: "half of", fault: { kind: "invalid-json" } }, "not a valid stream"],
    [
      "an error event",
      { text: "half of", fault: { kind: "error-event", message: "overloaded", code: 503 } },
      "overloaded (503)",
    ],
  ])("%s: the cause is said when retries are used up", async (_, failing, words) => {
    const { settings } = await serve(failing);
    const { error } = await askModel({ settings });
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).message).toContain(words);
  });

  it.each<[string, ScriptedAnswer]>([
    ["cut", { text: "half of", fault: { kind: "cut" } }],
    ["silence", { text: "half of", fault: { kind: "silence" } }],
    ["invalid SSE", { text: "half of", fault: { kind: "invalid-json" } }],
    ["an error event", { text: "half of", fault: { kind: "error-event", message: "later", code: 500 } }],
  ])("%s after text: the retry is announced, so that the text can be taken back", async (_, failing) => {
    const { settings } = await serve(failing, { text: "the whole" });
    const limits = { model_ms: 20_000, idle_ms: 2_000 };
    const { reply, text, retries } = await askModel({ settings, retries: 1, timeouts: limits });
    expect(retries).toHaveLength(1);
    expect(text).toBe("the whole");
    expect(reply?.content).toBe("the whole");
  });

  it("says how often it was called and tries the fallbacks", async () => {
    const { settings } = await serve({ fault: { status: 500, retryAfter: "0" } });
    const { error, retries } = await askModel({ settings, retries: 1, fallbacks: ["openai-compatible:second"] });
    expect(retries.map((retry) => retry.nextModel)).toEqual([
      "openai-compatible:m",
      "openai-compatible:second",
      "openai-compatible:second",
    ]);
    expect((error as AppError).message).toMatch(/asked 2 times.* Then: .*asked 2 times/);
  });
});

describe("a provider that is silent", () => {
  it.each([
    ["before the first byte", { gate: new Promise(() => {}) }],
    ["after some text", { text: "half", fault: { kind: "silence" } as const }],
  ])("%s: ends with a timeout and closes the connection", async (_, silent) => {
    const { server, settings } = await serve(silent);
    const { error } = await askModel({ settings, timeouts: { model_ms: 20_000, idle_ms: 300 } });
    expect(error).toMatchObject({ code: "timeout" });
    expect((error as AppError).message).toContain("sent nothing for 0.3 s");
    expect(await (await server.request(1)).closed).toBe("aborted");
  });

  it("ends a reply that never does", async () => {
    server = await startScriptedServer({ script: [{ text: Array(1_000).fill("x ") }], eventDelayMs: 5 });
    const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
    const { error } = await askModel({ settings, timeouts: { model_ms: 400, idle_ms: 10_000 } });
    expect(error).toMatchObject({ code: "timeout" });
    expect((error as AppError).message).toContain("timeouts.model_ms");
    expect(await (await server.request(1)).closed).toBe("aborted");
  });

  it("cannot be reached: says where and why", async () => {
    const settings = providerSettings({ ollama: { baseUrl: "http://127.0.0.1:9/v1", apiKey: null } });
    const { error } = await askModel({ settings, spec: "ollama:llama3.2:3b" });
    expect((error as AppError).message).toMatch(/Cannot reach the provider ollama at http:\/\/127\.0\.0\.1:9\/v1: /);
  });

  it("is released at once when the run is cancelled", async () => {
    const { server, settings } = await serve({ text: "half", fault: { kind: "silence" } });
    const controller = new AbortController();
    const reason = new Error("cancelled by the user");
    const asked = askModel({ settings, retries: 5, signal: controller.signal, timeouts });
    const { closed } = await server.request(1);
    controller.abort(reason);
    expect((await asked).error).toBe(reason);
    expect(await closed).toBe("aborted");
  });
});

describe("a provider that answers strangely", () => {
  it("treats an empty answer as an answer", async () => {
    const { settings } = await serve({ text: "" });
    const { reply } = await askModel({ settings });
    expect(reply).toMatchObject({ content: "", toolCalls: [], finishReason: "stop", timeToFirstTokenMs: null });
  });

  it("keeps invalid arguments to the letter and says what is wrong with them", async () => {
    const { settings } = await serve({
      calls: [
        { name: "ls", args: '{"path": "a' },
        { name: "ls", args: "[1]" },
        { name: "ls", args: "" },
      ],
    });
    const { reply } = await askModel({ settings });
    expect(reply?.toolCalls.map((call) => call.rawArgs)).toEqual(['{"path": "a', "[1]", ""]);
    expect(reply?.toolCalls.map((call) => call.argsError)).toEqual([
      expect.stringContaining("not valid JSON"),
      "the arguments must be one JSON object",
      undefined,
    ]);
  });

  it("says that arguments were cut by max_tokens", async () => {
    const { settings } = await serve({ calls: [{ name: "ls", args: '{"path": "a' }], finishReason: "length" });
    const { reply } = await askModel({ settings });
    expect(reply?.toolCalls[0]?.argsError).toContain("max_tokens");
    expect(reply?.finishReason).toBe("length");
  });

  it("passes on a call of an unknown tool and arguments of wrong types", async () => {
    const { settings } = await serve({ calls: [{ name: "fly", args: { path: 7 } }] });
    const { reply } = await askModel({ settings });
    expect(reply?.toolCalls).toMatchObject([{ name: "fly", args: { path: 7 }, rawArgs: '{"path":7}' }]);
  });

  it("takes 200 calls at once, in order", async () => {
    const calls = Array.from({ length: 200 }, (_, index) => ({ name: "ls", args: { path: String(index) } }));
    const { settings } = await serve({ calls });
    const { reply } = await askModel({ settings });
    expect(reply?.toolCalls.map((call) => call.args.path)).toEqual(calls.map((call) => call.args.path));
  });

  it("keeps both calls when their ids are the same", async () => {
    const { settings } = await serve({
      calls: [
        { id: "same", name: "ls", args: { path: "a" } },
        { id: "same", name: "ls", args: { path: "b" } },
      ],
    });
    const { reply } = await askModel({ settings });
    expect(reply?.toolCalls.map((call) => call.args)).toEqual([{ path: "a" }, { path: "b" }]);
  });
});
