import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { afterEach, describe, expect, it } from "vitest";
import { askModel, providerSettings, REPLY_LIMITS, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { aiSdkModel } from "./ai-sdk-model";
import { createModelRegistry } from "./model-registry";
import type { ReplyLimits } from "./reply-limits";
import { PLAIN_DIALECT } from "./wire/to-provider-prompt";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function serve(...script: ScriptedAnswer[]) {
  server = await startScriptedServer({ script });
  return { server, settings: providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } }) };
}

const textOf = (seen: readonly string[], kind: string) =>
  seen
    .filter((entry) => entry.startsWith(kind))
    .map((entry) => entry.slice(kind.length))
    .join("");

describe("a streamed reply", () => {
  it("arrives as reasoning, text and announced calls, and adds up to the reply", async () => {
    const { settings } = await serve({
      reasoning: "Let me think.",
      text: "I look into it.",
      calls: [{ id: "call_a", name: "ls", args: { path: "." } }],
      usage: { input: 100, cached: 60, output: 40, reasoning: 15 },
    });
    const seen: string[] = [];
    const port = createModelRegistry(settings).resolve("openai-compatible:m", {
      fallbacks: [],
      retries: 0,
      timeouts: { model_ms: 5_000, idle_ms: 5_000 },
      replyLimits: REPLY_LIMITS,
    });
    const reply = await port.call(USER_REQUEST, {
      signal: new AbortController().signal,
      onReasoning: (delta) => seen.push(`reasoning ${delta}`),
      onText: (delta) => seen.push(`text ${delta}`),
      onToolInput: (id, name) => seen.push(`call ${id} ${name}`),
    });
    expect([...new Set(seen.map((entry) => entry.split(" ")[0]))]).toEqual(["reasoning", "text", "call"]);
    expect(textOf(seen, "text ")).toBe(reply.content);
    expect(textOf(seen, "reasoning ")).toBe("Let me think.");
    expect(seen.at(-1)).toBe("call call_a ls");
    expect(reply).toMatchObject({
      content: "I look into it.",
      reasoning: [{ text: "Let me think." }],
      toolCalls: [{ id: "call_a", name: "ls", args: { path: "." }, rawArgs: '{"path":"."}' }],
      finishReason: "tool-calls",
      usage: { inputTokens: 100, cachedReadTokens: 60, cachedWriteTokens: 0, outputTokens: 40, reasoningTokens: 15 },
      model: "openai-compatible:m",
    });
    expect(reply.timeToFirstTokenMs).toBeGreaterThan(0);
  });

  it("asks for a stream with the limits and tools of the request", async () => {
    const { server, settings } = await serve({ text: "ok" });
    await askModel({ settings, request: { ...USER_REQUEST, maxTokens: 77, temperature: 0.5 } });
    expect(server.requests[0]?.body).toMatchObject({
      model: "m",
      stream: true,
      max_tokens: 77,
      temperature: 0.5,
      tools: [{ type: "function", function: { name: "ls", description: "Lists files." } }],
      messages: [
        { role: "system", content: "You help." },
        { role: "user", content: "hi" },
      ],
    });
  });

  it("leaves out tools and temperature when there are none", async () => {
    const { server, settings } = await serve({ text: "ok" });
    await askModel({ settings, request: { ...USER_REQUEST, tools: [], system: [] } });
    const { body } = server.requests[0] ?? {};
    expect(body?.tools).toBeUndefined();
    expect(body?.temperature).toBeUndefined();
    expect(body?.messages).toHaveLength(1);
  });

  it("says that the model was stopped by its own limit", async () => {
    const { settings } = await serve({ text: "and so", finishReason: "length" });
    expect((await askModel({ settings })).reply?.finishReason).toBe("length");
  });
});

describe("a reply that is larger than the agent allows", () => {
  const piece = "x".repeat(50_000);
  const call = (args = "{}") => ({ name: "ls", args });
  const big: [string, ScriptedAnswer, Partial<ReplyLimits>][] = [
    ["text_bytes", { text: Array(200).fill(piece) }, { text_bytes: 1_000_000 }],
    ["text_bytes", { reasoning: piece.repeat(40), text: "ok" }, { text_bytes: 1_000_000 }],
    ["arguments_bytes", { calls: [call(`{"a":"${piece.repeat(40)}"}`)] }, { arguments_bytes: 1_000_000 }],
    ["calls", { calls: Array(300).fill(call()) }, {}],
  ];

  it.each(big)("is stopped at %s, which the error names, and asked of nobody again", async (limit, answer, limits) => {
    const { server, settings } = await serve(answer, { text: "again" });
    const fallbacks = ["openai-compatible:other"];
    const replyLimits = { ...REPLY_LIMITS, ...limits };
    const { error, reply, text, retries } = await askModel({ settings, retries: 2, fallbacks, replyLimits });
    expect([reply, (error as Error)?.message]).toEqual([undefined, expect.stringContaining(`reply_limits.${limit}`)]);
    expect(text.length).toBeLessThan(1_100_000);
    expect([retries, server.requests.length]).toEqual([[], 1]);
  });

  it("that never pauses can still be stopped by a timer, such as that of the run's own limit", async () => {
    let left = 1_000_000;
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      pull(controller) {
        left -= 1;
        if (left > 0) controller.enqueue({ type: "text-delta", id: "1", delta: "x" });
        else controller.close();
      },
    });
    const model = { doStream: async () => ({ stream }) } as unknown as LanguageModelV4;
    const identity = { provider: "p", model: "m", baseUrl: "", keySource: "KEY", redact: (text: string) => text };
    const timeouts = { model_ms: 60_000, idle_ms: 60_000 };
    const port = aiSdkModel(model, { identity, dialect: PLAIN_DIALECT, timeouts, replyLimits: REPLY_LIMITS });
    const stop = new AbortController();
    const reason = new Error("run_ms");
    setTimeout(() => stop.abort(reason), 20);
    await expect(port.call(USER_REQUEST, { signal: stop.signal })).rejects.toBe(reason);
    expect(left).toBeGreaterThan(0);
  });
});
