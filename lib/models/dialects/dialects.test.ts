import { describe, expect, it } from "vitest";
import { createModelRegistry } from "@/lib/models/model-registry";
import type { Message } from "@/lib/schema/messages/message";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { providerSettings, REPLY_LIMITS, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { guessDialect } from "./dialect-presets";

type Json = Readonly<Record<string, unknown>>;
interface SentMessage extends Json {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly (Json & { readonly id: string; readonly extra_content?: unknown })[];
  readonly tool_call_id?: string;
}
interface Body extends Json {
  readonly messages: readonly SentMessage[];
  readonly tools: readonly unknown[];
}

/** A server of one dialect: what it refuses, in its words, and how it streams a call and an answer. */
interface Server {
  readonly baseUrl: string;
  refuse(body: Body): { status: number; body: unknown } | null;
  readonly call: readonly unknown[];
}

const chunk = (delta: unknown, finish: string | null = null, rest: Json = {}) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...rest,
});
const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const ls = (fields: Json = {}) => ({
  index: 0,
  id: "call_1",
  type: "function",
  function: { name: "ls", arguments: "{}" },
  ...fields,
});
const called = (fields: Json = {}) => chunk({ role: "assistant", content: null, tool_calls: [ls(fields)] });
const assistants = ({ messages }: Body) => messages.filter(({ role }) => role === "assistant");
const details = [{ type: "reasoning.encrypted", data: "SIG-ENC", id: "call_1", format: "google-gemini-v1", index: 0 }];
const accept = () => null;

const SERVERS: Readonly<Record<string, Server>> = {
  openrouter: {
    baseUrl: "https://openrouter.ai/api/v1",
    call: [
      chunk({
        role: "assistant",
        content: "",
        reasoning: "Hm",
        reasoning_details: [{ type: "reasoning.text", text: "H", index: 1 }],
      }),
      chunk({ content: "", reasoning_details: [{ type: "reasoning.text", text: "m", index: 1 }, ...details] }),
      called(),
      chunk({ role: "assistant", content: "" }, "tool_calls", { usage: counts }),
    ],
    refuse(body) {
      const whole = [{ type: "reasoning.text", text: "Hm", index: 1 }, ...details];
      const own = assistants(body).filter(({ tool_calls: [first] = [] }) => first?.id === "call_1");
      const isKept = own.every((turn) => JSON.stringify(turn.reasoning_details) === JSON.stringify(whole));
      return isKept
        ? null
        : { status: 400, body: { error: { message: "reasoning details must be preserved", code: 400 } } };
    },
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    call: [
      called({ extra_content: { google: { thought_signature: "SIG" } } }),
      chunk({ role: "assistant" }, "stop", { usage: counts }),
    ],
    refuse(body) {
      const isSigned = assistants(body).every(({ tool_calls: calls = [] }) => calls[0]?.extra_content !== undefined);
      const hasEmpty = body.tools.some((tool) => JSON.stringify(tool).includes('"properties":{}'));
      const messages = [
        ...(isSigned ? [] : ["Function call is missing a thought_signature in functionCall parts."]),
        ...(hasEmpty ? ["parameters.properties: should be non-empty for OBJECT type"] : []),
      ];
      const [message] = messages;
      const error = { code: 400, message, status: "INVALID_ARGUMENT" };
      return message === undefined ? null : { status: 400, body: [{ error }] };
    },
  },
  mistral: {
    baseUrl: "https://api.mistral.ai/v1",
    call: [
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "", tool_calls: [ls({ id: "D681PevKs" })] }, "tool_calls", { usage: counts }),
    ],
    refuse({ messages }) {
      const roles = messages.map(({ role }) => role);
      const at = roles.findIndex((role, index) => role === "user" && roles[index - 1] === "tool");
      if (at >= 0)
        return { status: 400, body: { object: "error", message: "Unexpected role 'user' after role 'tool'" } };
      const odd = messages.find(({ tool_call_id: id }) => id !== undefined && !/^[a-zA-Z0-9]{9}$/.test(id));
      const extra = messages.some((message) => "reasoning_content" in message);
      const words = odd
        ? `Tool call id was ${odd.tool_call_id} but must be a-z, A-Z, 0-9, with a length of 9.`
        : "extra_forbidden";
      return odd || extra ? { status: 422, body: { object: "error", message: words } } : null;
    },
  },
  deepseek: {
    baseUrl: "https://api.deepseek.com/v1",
    call: [
      chunk({ role: "assistant", content: null, reasoning_content: "Hm" }),
      called(),
      chunk({ content: "" }, "tool_calls", { usage: { ...counts, prompt_cache_hit_tokens: 4 } }),
    ],
    refuse(body) {
      const isWhole = assistants(body).every((turn) => typeof turn.reasoning_content === "string");
      const message = "The `reasoning_content` in the thinking mode must be passed back to the API.";
      return isWhole ? null : { status: 400, body: { error: { message, type: "invalid_request_error" } } };
    },
  },
  groq: {
    baseUrl: "https://api.groq.com/openai/v1",
    call: [
      chunk({ role: "assistant", reasoning: "Hm" }),
      called(),
      chunk({}, "tool_calls", { x_groq: { id: "r", usage: counts } }),
    ],
    refuse(body) {
      const odd = assistants(body).some((turn) => "reasoning_content" in turn || "reasoning" in turn);
      return odd ? { status: 400, body: { error: { message: "property 'reasoning_content' is unsupported" } } } : null;
    },
  },
  azure: {
    baseUrl: "https://lab.openai.azure.com/openai/v1",
    call: [
      { choices: [], prompt_filter_results: [{ prompt_index: 0 }] },
      called(),
      chunk({}, "tool_calls"),
      { choices: [], usage: counts },
    ],
    refuse: (body) =>
      "max_tokens" in body
        ? {
            status: 400,
            body: { error: { message: "Unsupported parameter: 'max_tokens'", code: "unsupported_parameter" } },
          }
        : null,
  },
  together: {
    baseUrl: "https://api.together.xyz/v1",
    call: [called(), { ...chunk({ content: "" }, "tool_calls"), usage: counts }],
    refuse: accept,
  },
  vllm: {
    baseUrl: "http://10.0.0.5:8000/v1",
    call: [
      chunk({ role: "assistant", content: "" }),
      called({ id: "chatcmpl-tool-1" }),
      chunk({ content: "" }, "tool_calls"),
      { choices: [], usage: counts },
    ],
    refuse: accept,
  },
  "llama.cpp": {
    baseUrl: "http://localhost:8080/v1",
    call: [
      chunk({ role: "assistant", content: null }),
      called(),
      { ...chunk({}, "tool_calls"), timings: { prompt_n: 10, predicted_n: 5 } },
    ],
    refuse: ({ messages }) =>
      messages.some(({ role, content }) => role === "user" && content === "")
        ? { status: 500, body: { error: { code: 500, message: "empty" } } }
        : null,
  },
  ollama: {
    baseUrl: "http://localhost:11434/v1",
    call: [
      chunk({ role: "assistant", content: "", reasoning: "Hm" }),
      chunk({ role: "assistant", content: "", tool_calls: [ls()] }),
      chunk({ role: "assistant", content: "" }, "tool_calls", { usage: counts }),
    ],
    refuse({ messages }) {
      const isNull = messages.some(({ content }) => content === null);
      return isNull ? { status: 400, body: { error: { message: "invalid message content type: <nil>" } } } : null;
    },
  },
};

const ANSWER = [chunk({ role: "assistant", content: "a.txt" }), chunk({}, "stop", { usage: counts }), "[DONE]"];

function connect({ baseUrl, call, refuse }: Server) {
  const bodies: Body[] = [];
  const answer = async (_: unknown, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body)) as Body;
    bodies.push(body);
    const refused = refuse(body);
    if (refused) return new Response(JSON.stringify(refused.body), { status: refused.status });
    const events = body.messages.at(-1)?.role === "tool" || bodies.length > 1 ? ANSWER : [...call, "[DONE]"];
    const lines = events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
    return new Response(lines.join(""), { headers: { "content-type": "text/event-stream" } });
  };
  const registry = createModelRegistry(
    providerSettings({ openaiCompatible: { baseUrl, apiKey: "k" } }),
    answer as typeof fetch,
  );
  const timeouts = { model_ms: 20_000, idle_ms: 10_000 };
  const port = registry.resolve("openai-compatible:m", {
    fallbacks: [],
    retries: 0,
    timeouts,
    replyLimits: REPLY_LIMITS,
  });
  const ask = (messages: readonly Message[]): Promise<ModelReply> =>
    port.call({ ...USER_REQUEST, messages }, { signal: new AbortController().signal });
  return { bodies, ask };
}

const asked: Message = { role: "user", content: "list" };
const toMessage = ({ content, toolCalls, reasoning }: ModelReply): Message => ({
  role: "assistant",
  content,
  toolCalls,
  reasoning,
});
const resultOf = (id: string): Message => ({ role: "tool", toolCallId: id, name: "ls", content: "a.txt" });

describe.each(Object.entries(SERVERS))("%s", (id, server) => {
  it("is guessed from its address", () => {
    expect(guessDialect("openai-compatible", server.baseUrl)).toBe(id);
  });

  it("answers after a call, and takes its own reply back without being asked twice", async () => {
    const { ask, bodies } = connect(server);
    const reply = await ask([asked]);
    expect(reply).toMatchObject({ finishReason: "tool-calls", toolCalls: [{ name: "ls", args: {} }] });
    expect(reply.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 });
    const answer = await ask([asked, toMessage(reply), resultOf(reply.toolCalls[0]?.id ?? "")]);
    expect([answer.content, answer.finishReason, bodies.length]).toEqual(["a.txt", "stop", 2]);
  });

  it("takes a history that another model wrote, with a stop after a result", async () => {
    const { ask, bodies } = connect(server);
    const foreign = { chat: { writer: "another", details, field: "reasoning_content" } };
    const history: Message[] = [
      asked,
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "toolu_01A-b", name: "ls", args: {}, rawArgs: "{}" }],
        reasoning: [{ text: "Foreign thoughts.", providerMetadata: foreign }],
      },
      resultOf("toolu_01A-b"),
      { role: "user", content: "Go on" },
    ];
    await ask(history);
    expect(bodies).toHaveLength(1);
    expect(JSON.stringify(bodies[0])).not.toMatch(/Foreign thoughts|SIG-ENC/);
  });
});

it.each([
  ["ollama", "http://other:1/v1", "ollama"],
  ["openai-compatible", "https://gateway.example.com/v1", "standard"],
  ["openai-compatible", "http://192.168.0.7:9999/v1", "local"],
  ["openai-compatible", "https://notmistral.ai.example.com/v1", "standard"],
  ["openai-compatible", "no address", "standard"],
])("a %s at %s is read as %s", (kind, baseUrl, dialect) => {
  expect(guessDialect(kind, baseUrl)).toBe(dialect);
});
