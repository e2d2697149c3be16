import { describe, expect, it } from "vitest";
import { createModelRegistry } from "@/lib/models/model-registry";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { providerSettings, REPLY_LIMITS, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";

type Json = Readonly<Record<string, unknown>>;

const chunk = (delta: unknown, finish: string | null = null, rest: Json = {}) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...rest,
});
const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

async function ask(baseUrl: string, response: () => Response): Promise<ModelReply> {
  const registry = createModelRegistry(providerSettings({ openaiCompatible: { baseUrl, apiKey: "k" } }), (async () =>
    response()) as typeof fetch);
  const timeouts = { model_ms: 20_000, idle_ms: 10_000 };
  const port = registry.resolve("openai-compatible:m", {
    fallbacks: [],
    retries: 0,
    timeouts,
    replyLimits: REPLY_LIMITS,
  });
  return port.call(
    { ...USER_REQUEST, messages: [{ role: "user", content: "Why?" }] },
    { signal: AbortSignal.timeout(20_000) },
  );
}

function streamed(events: readonly unknown[]): Response {
  const lines = [...events, "[DONE]"].map(
    (event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`,
  );
  return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
}

const ADDRESSES = {
  openrouter: "https://openrouter.ai/api/v1",
  gemini: "https://generativelanguage.googleapis.com/v1beta/openai",
  mistral: "https://api.mistral.ai/v1",
  deepseek: "https://api.deepseek.com/v1",
  groq: "https://api.groq.com/openai/v1",
  azure: "https://lab.openai.azure.com/openai/v1",
  together: "https://api.together.xyz/v1",
  vllm: "http://10.0.0.5:8000/v1",
  "llama.cpp": "http://localhost:8080/v1",
  ollama: "http://localhost:11434/v1",
} as const;

const THINKING: Readonly<Record<keyof typeof ADDRESSES, readonly unknown[]>> = {
  openrouter: [
    chunk({ content: "", reasoning: "Hm.", reasoning_details: [{ type: "reasoning.text", text: "Hm.", index: 0 }] }),
    chunk({ content: "So." }),
    chunk({}, "stop"),
    { choices: [], usage: { ...counts, completion_tokens_details: { reasoning_tokens: 3 } } },
  ],
  // Unless asked for, it keeps them to itself.
  gemini: [chunk({ role: "assistant", content: "So." }), chunk({ role: "assistant" }, "stop", { usage: counts })],
  mistral: [
    chunk({ role: "assistant", content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }] }),
    chunk({ content: [{ type: "text", text: "So." }] }),
    chunk({ content: "" }, "stop", { usage: counts }),
  ],
  deepseek: [
    chunk({ role: "assistant", content: null, reasoning_content: "Hm." }),
    chunk({ content: "So.", reasoning_content: null }),
    chunk({ content: "" }, "stop", { usage: { ...counts, completion_tokens_details: { reasoning_tokens: 3 } } }),
  ],
  groq: [
    chunk({ role: "assistant", content: "", reasoning: "Hm.", channel: "analysis" }),
    chunk({ content: "So.", channel: "final" }),
    chunk({}, "stop", { x_groq: { id: "r", usage: counts } }),
  ],
  azure: [
    { choices: [], prompt_filter_results: [] },
    chunk({ role: "assistant", content: "", reasoning_content: "Hm.", refusal: null }),
    chunk({ content: "So." }, null, { obfuscation: "x" }),
    chunk({}, "stop"),
    { choices: [], usage: counts },
  ],
  together: [
    chunk({ role: "assistant", content: "", reasoning: "Hm.", token_id: 1 }),
    chunk({ content: "So.", token_id: 2 }, "eos", { usage: counts }),
  ],
  vllm: [
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "Hm." }),
    chunk({ content: "So." }),
    chunk({ content: "" }, "stop", { stop_reason: null }),
    { choices: [], usage: counts },
  ],
  "llama.cpp": [
    chunk({ role: "assistant", content: null }),
    chunk({ reasoning_content: "Hm." }),
    chunk({ content: "So." }),
    chunk({}, "stop", { timings: { prompt_n: 10, predicted_n: 5 } }),
  ],
  ollama: [
    chunk({ role: "assistant", content: "", reasoning: "Hm." }),
    chunk({ role: "assistant", content: "So." }),
    chunk({ role: "assistant", content: "" }, "stop"),
    { choices: [], usage: counts },
  ],
};

/** A refusal as each of them words it, and what the run's error says. */
const REFUSING: Readonly<Record<keyof typeof ADDRESSES, readonly [number, unknown, RegExp]>> = {
  openrouter: [
    402,
    {
      error: {
        message: "This request requires more credits, or fewer max_tokens.",
        code: 402,
        metadata: { provider_name: null },
      },
    },
    /more credits/,
  ],
  gemini: [
    400,
    [{ error: { code: 400, message: "API key not valid. Please pass a valid API key.", status: "INVALID_ARGUMENT" } }],
    /API key not valid/,
  ],
  mistral: [
    422,
    {
      object: "error",
      message: { detail: [{ type: "extra_forbidden", loc: ["body", "x"], msg: "Extra inputs are not permitted" }] },
      code: null,
    },
    /Extra inputs are not permitted/,
  ],
  deepseek: [
    402,
    { error: { message: "Insufficient Balance", type: "unknown_error", code: "invalid_request_error" } },
    /Insufficient Balance/,
  ],
  groq: [
    413,
    {
      error: {
        message: "Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9012.",
        type: "tokens",
        code: "rate_limit_exceeded",
      },
    },
    /tokens per minute/,
  ],
  azure: [
    400,
    {
      error: {
        message: "The response was filtered due to the prompt triggering the content management policy.",
        code: "content_filter",
        innererror: { code: "ResponsibleAIPolicyViolation" },
      },
    },
    /content management policy/,
  ],
  together: [
    404,
    {
      id: "x",
      error: {
        message: "Unable to access model m. Please visit the model page.",
        type: "invalid_request_error",
        code: "model_not_available",
      },
    },
    /Unable to access model m/,
  ],
  vllm: [
    404,
    { error: { message: "The model `m` does not exist.", type: "NotFoundError", code: 404 } },
    /does not exist/,
  ],
  "llama.cpp": [503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }, /Loading model/],
  ollama: [
    400,
    { error: { message: "registry.ollama.ai/library/m does not support tools", type: "api_error" } },
    /does not support tools/,
  ],
};

describe.each(Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[])("%s", (id) => {
  it("thinks apart from its answer, and its tokens are counted", async () => {
    const reply = await ask(ADDRESSES[id], () => streamed(THINKING[id]));
    expect([reply.content, reply.reasoning.map(({ text }) => text).join(""), reply.finishReason]).toEqual([
      "So.",
      id === "gemini" ? "" : "Hm.",
      "stop",
    ]);
    expect(reply.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
  });

  it("refuses in words of its own, which the run's error repeats", async () => {
    const [status, body, words] = REFUSING[id];
    const refused = ask(ADDRESSES[id], () => new Response(JSON.stringify(body), { status }));
    await expect(refused).rejects.toThrow(words);
  });
});
