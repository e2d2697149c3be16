import { afterEach, describe, expect, it } from "vitest";
import { askModel, providerSettings } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function askRaw(...events: readonly unknown[]) {
  const body = events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("");
  server = await startScriptedServer({ script: [{ fault: { status: 200, body, contentType: "text/event-stream" } }] });
  return askModel({ settings: providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } }) });
}

const piece = (content: string, finish: unknown, more: object = {}) => ({
  ...more,
  choices: [{ index: 0, delta: { content }, finish_reason: finish }],
});

describe("a reason that is none", () => {
  it.each(["None", "none", "NULL", "undefined", "FINISH_REASON_UNSPECIFIED", "in_progress", " ", false, 0])(
    "is passed over: %j with each piece",
    async (none) => {
      const whole = await askRaw(piece("Hel", none), piece("lo", none), piece("", "stop"));
      expect(whole.reply).toMatchObject({ content: "Hello", finishReason: "stop" });
      const cut = await askRaw(piece("Hel", none), piece("lo", none));
      expect(cut.reply).toBeUndefined();
    },
  );
});

describe("a reason in other words", () => {
  it.each([
    ["max_completion_tokens", "length"],
    ["MAX_NEW_TOKENS", "length"],
    ["token_limit_reached", "length"],
    ["content_filtered", "content-filter"],
    ["content_filter: PROHIBITED_CONTENT", "content-filter"],
    ["IMAGE_SAFETY", "content-filter"],
    ["stop_token", "other"],
    ["because", "other"],
  ])("%s means %s", async (given, meant) => {
    const { reply } = await askRaw(piece("Hello", given), "[DONE]");
    expect(reply).toMatchObject({ content: "Hello", finishReason: meant });
  });

  it.each([
    "MALFORMED_FUNCTION_CALL",
    "function_call_filter: MALFORMED_FUNCTION_CALL",
    "UNEXPECTED_TOOL_CALL",
    "engine_overloaded",
    "server_error",
    "cancelled",
    "timeout",
  ])("%s is a failure, which is tried again", async (given) => {
    const { reply, error } = await askRaw(piece("", given), "[DONE]");
    expect(reply).toBeUndefined();
    expect(error).toBeInstanceOf(Error);
  });
});

describe("an end beside the choices", () => {
  it.each<[string, object]>([
    ["a reason", { finish_reason: "stop" }],
    ["Ollama's own sign", { done: true, done_reason: "stop" }],
  ])("ends the reply: %s", async (_, end) => {
    const { reply } = await askRaw(piece("Hel", null, { done: false }), piece("lo", null, end));
    expect(reply).toMatchObject({ content: "Hello", finishReason: "stop" });
  });
});
