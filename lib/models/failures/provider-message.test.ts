import { afterEach, describe, expect, it } from "vitest";
import { askModel, providerSettings } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";
import { findMessage } from "./provider-message";
import { statedWait } from "./retry-after";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function refused(status: number, body: string, spec = "openai-compatible:m"): Promise<string> {
  const fault = { status, body, contentType: body.startsWith("<") ? "text/html" : "application/json" };
  server = await startScriptedServer({ script: [{ fault }] });
  const connection = { baseUrl: server.url, apiKey: "sk-secret-1234567890" };
  const all = { openaiCompatible: connection, openai: connection, anthropic: connection, google: connection };
  const { error } = await askModel({ settings: providerSettings(all), spec });
  return error instanceof Error ? error.message : "no error";
}

describe("what a provider said", () => {
  it.each<[string, unknown]>([
    ["error.message", { error: { message: "the cause" } }],
    ["error as text", { error: "the cause" }],
    ["message", { message: "the cause", code: 12 }],
    ["detail", { detail: "the cause" }],
    ["detail in error", { error: { detail: "the cause" } }],
    ["msg", { code: 1, msg: "the cause" }],
    ["errors", { errors: [{ message: "the cause" }] }],
    ["errors as texts", { errors: ["the cause"] }],
    ["a list", [{ error: { code: 400, message: "the cause" } }]],
    ["error_description", { error_description: "the cause" }],
    ["base_resp", { base_resp: { status_code: 1004, status_msg: "the cause" } }],
    ["text of a message", { error: { message: { text: "the cause" } } }],
    ["a fault", { fault: { faultstring: "the cause", detail: {} } }],
    ["fields with capitals", { Error: { Message: "the cause" } }],
    ["error in data", { success: false, data: { error: { msg: "the cause" } } }],
    ["JSON as text in the message", { error: { message: '{"error":{"message":"the cause"}}' } }],
    ["JSON as text with more lines", { message: 'data: {"error":"the cause"}\n\n' }],
    ["fields and their complaints", { max_tokens: ["the cause"] }],
    ["plain text", "the cause"],
    ["an event", 'data: {"error":{"message":"the cause"}}\n\ndata: [DONE]\n\n'],
    ["a title of a page", "<!DOCTYPE html><html><head><title>the cause</title></head><body><h1>x</h1></body>"],
    ["a page without a title", "<html><body><style>p {}</style><h1>the</h1> cause</body></html>"],
    ["white space around it", { error: { message: "  the \n cause  " } }],
  ])("is found in %s", (_, body) => {
    expect(findMessage(body)).toBe("the cause");
    expect(findMessage(JSON.stringify(body))).toBe("the cause");
  });

  it("names the field that a validator complains about", () => {
    const detail = [{ type: "missing", loc: ["body", "tools", 0, "description"], msg: "Field required" }];
    expect(findMessage({ detail })).toBe("tools.0.description: Field required");
  });

  it("comes with what the server behind a gateway said", () => {
    const metadata = { raw: '{"error":{"message":"no such tool"}}', provider_name: "X" };
    expect(findMessage({ error: { message: "Provider returned error", code: 400, metadata } })).toBe(
      "Provider returned error: no such tool",
    );
  });

  it.each([
    [
      "openai-compatible:m",
      422,
      '{"detail":"tools: a function needs a description"}',
      "tools: a function needs a description",
    ],
    [
      "openai-compatible:m",
      500,
      '{"error":"model qwen9 not found, try pulling it first"}',
      "model qwen9 not found, try pulling it first",
    ],
    ["openai-compatible:m", 502, "<html><title>502 Bad Gateway</title></html>", "502 Bad Gateway"],
    ["openai-compatible:m", 418, "no tea here", "no tea here"],
    ["openai-compatible:m", 400, '{"a":{"b":1}}', '{"a":{"b":1}}'],
    ["openai:m", 400, '{"detail":"a proxy\'s words"}', "a proxy's words"],
    ["anthropic:m", 400, '{"message":"a gateway\'s words"}', "a gateway's words"],
    ["google:m", 400, '[{"error":{"code":400,"message":"in a list"}}]', "in a list"],
  ])("is shown by %s for %d %s", async (spec, status, body, words) => {
    expect(await refused(status, body, spec)).toContain(`It said: "${words}`);
  });

  it("is shown without the key, and cut", async () => {
    const message = await refused(400, JSON.stringify({ detail: `key sk-secret-1234567890 ${"x".repeat(9_000)}` }));
    expect(message).toContain("key [redacted] xxx");
    expect(message.length).toBeLessThan(800);
  });
});

/** Each as a provider words it, with the status it answers with. */
const TOO_LONG: readonly [string, number, string][] = [
  [
    "OpenAI",
    400,
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens. Please reduce the length of the messages.",
  ],
  [
    "OpenAI's Responses",
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  ["Anthropic", 400, "prompt is too long: 213462 tokens > 200000 maximum"],
  [
    "Anthropic with an output limit",
    400,
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
  ],
  ["Gemini", 400, "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."],
  ["Bedrock", 400, "Input is too long for requested model."],
  ["xAI", 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ["Groq", 400, "Please reduce the length of the messages or completion."],
  [
    "OpenRouter",
    400,
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens (39000 of text input, 1000 in the output).",
  ],
  ["Copilot", 400, "prompt token count of 128100 exceeds the limit of 128000"],
  ["MiniMax", 400, "invalid params, context window exceeds limit"],
  ["Moonshot", 400, "Your request exceeded model token limit: 262144"],
  ["Zhipu", 400, "Prompt exceeds max length"],
  ["DashScope", 400, "Range of input length should be [1, 30720]"],
  ["llama.cpp", 400, "the request exceeds the available context size, try increasing it"],
  [
    "llama.cpp as it was",
    500,
    "the request exceeds the available context size. try increasing the context size or enable context shift",
  ],
  [
    "llama.cpp in a slot",
    500,
    "Input is too large to process. Either disable context shift or increase context length.",
  ],
  ["llama-cpp-python", 400, "Requested tokens (2285) exceed context window of 2048"],
  [
    "LM Studio",
    400,
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
  ],
  ["LM Studio, newer", 400, "The number of tokens to keep from the initial prompt is greater than the context length."],
  ["Ollama", 400, "input length exceeds maximum context length"],
  ["Ollama, newer", 400, "the input length exceeds the context length"],
  [
    "vLLM",
    400,
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
  ],
  ["vLLM's engine", 400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."],
  [
    "vLLM's output limit",
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 5000. This model's maximum context length is 4096 tokens and your request has 2000 input tokens",
  ],
  ["SGLang", 400, "The input (5000 tokens) is longer than the model's context length (4096 tokens)."],
  [
    "TGI",
    422,
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 500 `max_new_tokens`",
  ],
  ["TGI's inputs", 422, "Input validation error: `inputs` must have less than 4095 tokens. Given: 5000"],
  [
    "Mistral",
    400,
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
  ],
  ["Fireworks", 400, "The prompt is too long: 9000, model maximum context length: 8191"],
  ["Cohere", 400, "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000."],
  [
    "Cerebras",
    400,
    "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
  ],
  ["DeepSeek", 400, "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens"],
  ["Databricks", 400, "Number of input tokens 9000 exceeds limit of 8192"],
  ["a code alone", 400, "context_length_exceeded"],
  ["Chinese", 400, "输入长度超过模型最大上下文长度"],
  ["Chinese, of tokens", 400, "请求token数超出限制"],
  ["a gateway's schema", 400, "Malformed input request: expected maxLength: 200000, actual: 213456, please reformat"],
  ["a model of pictures and text", 400, "Total tokens of image and text exceed max message tokens."],
  ["a slot of llama.cpp", 500, "slot context size too small: n_ctx 4096, task tokens 5000"],
  [
    "vLLM, of pictures too",
    400,
    "The prompt (total length 25938) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is no smaller",
  ],
  ["a model of Grok", 400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."],
  ["Poolside", 400, "Input length 131393 exceeds the maximum allowed input length of 131040 tokens."],
  ["SGLang", 400, "The input (263000 tokens) is longer than the model's context length (262144 tokens)."],
  ["Atlas", 400, "Prompt too long: 5152 tokens exceeds max_seq_len 2048 (leave room for output tokens)"],
  ["Zhipu", 400, "Prompt 超长"],
  ["MiniMax", 400, "invalid params, context window exceeds limit (2013)"],
  ["vLLM, of what is left", 400, "max_tokens must be at least 1, got -1234."],
  ["a cache", 500, "failed to find a slot: prompt is larger than the context"],
  ["an older server", 400, "Exceeded max sequence length"],
  ["a gateway in French", 400, "La longueur maximale du contexte est dépassée"],
  ["a gateway in German", 400, "Die Eingabe ist zu lang für das Modell"],
  ["a gateway in Japanese", 400, "プロンプトが長すぎます"],
  ["TGI's sum", 400, "input_length + max_new_tokens should be <= 8192"],
  ["a validator", 400, "Input should be a valid string with at most 32768 tokens"],
  ["a limit that is exceeded", 400, "Token limit exceeded: 140000 > 131072"],
  ["the kept beginning", 400, "Trying to keep the first 5123 tokens when context the overflows."],
  ["llama.cpp's cache", 400, "kv cache is full: n_ctx exceeded"],
  ["a gateway in French", 400, "La requête dépasse la taille du contexte"],
];

describe("a conversation that is too long", () => {
  it.each(TOO_LONG)("is recognised in the words of %s (%d)", async (_, status, words) => {
    const message = await refused(status, JSON.stringify({ error: { message: words } }));
    expect(message).toMatch(/^The conversation is too long for openai-compatible:m .*\/compact.*new thread.*larger/);
  });

  it.each<[number, string]>([
    [400, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens"],
    [400, "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64"],
    [
      400,
      "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200",
    ],
    [400, "messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6000000 bytes > 5242880 bytes"],
    [400, "Too many images in request"],
    [400, "temperature must be less than 2"],
    [401, "Invalid token"],
    [500, "The request exceeded the timeout of 60 seconds"],
    [429, "Too many tokens, please wait before trying again."],
    [400, "conversation roles must alternate user/assistant"],
    [400, "Invalid 'messages[3].name': string too long. Expected a string with maximum length 64"],
    [400, "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64"],
    [400, "This model does not support more than one system message in the conversation"],
    [500, "context deadline exceeded"],
    [400, "budget_tokens must be less than max_tokens"],
    [429, "Requested token count exceeds the rate limit"],
    [400, "The prompt was flagged by the content filter"],
    [400, "messages: at most 100 document pages are allowed"],
    [413, "The file is too large. Max 20 MB"],
    [504, "Upstream request timeout: prompt processing took longer than 60s"],
    [400, "A maximum of 4 blocks with cache_control may be provided. Found 5."],
    [400, "stop: array too long. Expected an array with maximum length 4"],
    [400, "logit_bias exceeds 300 tokens"],
  ])("is not what %d %s means", async (status, words) => {
    expect(await refused(status, JSON.stringify({ error: { message: words } }))).not.toContain("too long for");
  });
});

describe("a model that can't call tools", () => {
  it.each([
    "This model doesn't support function calling",
    "`tool_use` is not supported by this model",
    "tools is not supported in this model. For a list of supported models, see the page",
    "tool calling is not available for this model",
    "This model does not support the `tools` parameter",
    "Unsupported parameter: 'tools' is not supported with this model.",
    "The model `m` cannot be used with tools",
    "Tool use with function calling is unsupported",
  ])("is recognised in %s", async (words) => {
    expect(await refused(400, JSON.stringify({ error: { message: words } }))).toContain("can't call tools");
  });

  it.each([
    "tools.0: type 'integer' is not supported in function parameters",
    "The tool ls is not supported",
    "tool_choice: required is not supported",
    "tools can't have more than 64 characters in a name",
  ])("is not what %s means", async (words) => {
    expect(await refused(400, JSON.stringify({ error: { message: words } }))).not.toContain("can't call tools");
  });
});

describe("a limit per minute", () => {
  const groq =
    "Request too large for model `llama-3.3-70b-versatile` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Requested 14137, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.groq.com/settings/billing";
  it.each<[number, string]>([
    [413, groq],
    [413, groq.replace("14137", "9000")],
    [
      429,
      "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s. Visit https://platform.openai.com/account/billing",
    ],
    [
      429,
      "Requests to the ChatCompletions_Create Operation have exceeded token rate limit of your current pricing tier. Please retry after 20 seconds.",
    ],
    [429, "You exceeded your current quota, please check your plan and billing details. Please retry in 58.9s."],
    [400, "Token limit of 40000 tokens per minute exceeded"],
  ])("is a limit of rate, %d %s", async (status, words) => {
    const message = await refused(status, JSON.stringify({ error: { message: words } }));
    expect(message).toMatch(/is limiting how often it can be called/);
    expect(message).not.toMatch(/new thread|no credit/);
  });

  it.each<[string, number | undefined]>([
    ["Please try again in 1m2.5s.", 62_500],
    ["Please try again in 350ms.", 350],
    ["Please try again in 20s. Visit …", 20_000],
    ["Please try again in 1h3m2s", 3_782_000],
    ["Please retry after 20 seconds.", 20_000],
    ["Rate limit is exceeded. Try again in 2 seconds.", 2_000],
    ["Please retry in 58.9s.", 58_900],
    ["Please wait 5 seconds before trying again", 5_000],
    ["Please wait for 1 minute and 30 seconds", 90_000],
    ["retry after: 7 s", 7_000],
    ["Quota resets in 3 minutes", 180_000],
    ['{"retry_after": 12}', 12_000],
    ['{"retryDelay":"30s"}', 30_000],
    ["请在 20 秒后重试", 20_000],
    ["Please retry in a minute", 60_000],
    ["Try again in an hour.", 3_600_000],
    ["Rate limit reached, retry after: 12", 12_000],
    ["Retry-After: 30", 30_000],
    ["retry_after_ms: 1500", 1_500],
    ['{"error":{"retry_after_ms":1500}}', 1_500],
    ['{"error":"Model m is currently loading","estimated_time":20.5}', 20_500],
    ["Bitte versuchen Sie es in 20 Sekunden erneut", 20_000],
    ["次のリクエストまで30秒お待ちください", 30_000],
    ["Your quota will reset after 18h31m10s.", 66_670_000],
    ["request reached organization max concurrency: 3, please try again after 1 seconds", 1_000],
    ["Request was throttled. Expected available in 12 seconds.", 12_000],
    ["cooldown: 45 seconds remaining", 45_000],
    ["Please back off for 10 seconds", 10_000],
    ["Please retry your requests after 26 seconds", 26_000],
    ["Your limit will reset at 55s", 55_000],
    ["约 20 秒后恢复", 20_000],
    ["réessayez dans 20 secondes", 20_000],
    ["intente de nuevo en 2 horas", 7_200_000],
    ["riprova tra 20 secondi", 20_000],
    ["повторите через 20 секунд", 20_000],
    ["20초 후에 다시 시도하세요", 20_000],
    ["Request timed out after 60 seconds, try again", undefined],
    ["Please slow down: next request allowed in 3s", 3_000],
    ["please slow down, 20 requests per minute", undefined],
    ["Your limit will reset at 2030-01-01 10:00:00", undefined],
    ["Please try again later.", undefined],
    ["Try again in a few minutes", undefined],
    ["retry with max_tokens below 4096", undefined],
    ["Limit 30000, Requested 34000. Please reduce", undefined],
  ])("asks in words to wait: %s", (words, milliseconds) => {
    expect(statedWait(words)).toBe(milliseconds);
  });

  it.each([
    [403, "Your account balance is too low"],
    [400, "You have run out of tokens in your plan; please top up"],
    [400, "Access denied, please make sure your account is in good standing. Arrearage"],
    [403, "Free quota is used and the account is overdue-payment"],
    [403, "Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys"],
    [403, "Your team has either used all available credits or reached its monthly spending limit."],
    [403, "You've reached your usage limit for this period. Your quota will be refreshed in the next period."],
    [403, "预扣费额度失败, 用户剩余额度: ＄0.01"],
    [401, "该令牌额度已用尽"],
    [429, "余额不足或无可用资源包,请充值。"],
    [400, "Budget has been exceeded! Current cost: 10.2, Max budget: 10.0"],
    [400, "Access denied, please make sure your account is in good standing."],
    [403, "Your account has exceeded its monthly included credits for Inference Providers."],
    [400, "The free quota of the model has been exhausted"],
    [403, "Budget exceeded: Current cost: 10.1, Max budget: 10.0"],
    [403, "quota is not enough, user quota: 0.01, need quota: 0.5"],
    [429, "monthly spending cap reached"],
    [403, "Prepayment credits are depleted. Please go to AI Studio"],
  ])("is told apart from an account without money, %d %s", async (status, words) => {
    expect(await refused(status, JSON.stringify({ error: { message: words } }))).toMatch(/credit/);
  });

  it("is waited for, also above a minute", async () => {
    const body = JSON.stringify({ error: { message: "Rate limit reached. Please try again in 1m2.5s." } });
    const fault = { status: 429, body, contentType: "application/json" };
    server = await startScriptedServer({ script: [{ fault }, { text: "fine" }] });
    const settings = providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } });
    const { reply, retries } = await askModel({ settings, retries: 1 });
    expect(reply?.content).toBe("fine");
    expect(retries[0]?.delayMs).toBe(62_500);
  });
});
