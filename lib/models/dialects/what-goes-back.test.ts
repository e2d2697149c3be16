import { afterEach, expect, it } from "vitest";
import { createModelRegistry } from "@/lib/models/model-registry";
import type { Message } from "@/lib/schema/messages/message";
import { providerSettings, REPLY_LIMITS, USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { type ScriptedServer, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

let server: ScriptedServer;
afterEach(() => server.close());

type Json = Readonly<Record<string, unknown>>;

const delta = (fields: Json, finish: string | null = null) => ({
  id: "c",
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const call = (index: number, fields: Json = {}) => ({
  ...{ index, id: `call_${index}`, type: "function", function: { name: "ls", arguments: "{}" } },
  ...fields,
});

/** The reply as it stands in the next request to the same server, for `model`. */
async function sentBack(deltas: readonly Json[], model = "m"): Promise<Json> {
  const events = [...deltas.map((fields) => delta(fields)), delta({}, "tool_calls")];
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const first = { fault: { status: 200, body, contentType: "text/event-stream" } };
  server = await startScriptedServer({ script: [first, { text: "Done." }] });
  const registry = createModelRegistry(providerSettings({ openaiCompatible: { baseUrl: server.url, apiKey: null } }));
  const options = {
    ...{ fallbacks: [], retries: 0, timeouts: { model_ms: 5_000, idle_ms: 5_000 } },
    replyLimits: REPLY_LIMITS,
  };
  const signal = new AbortController().signal;
  const reply = await registry.resolve("openai-compatible:m", options).call(USER_REQUEST, { signal });
  // As the database keeps it.
  const kept: typeof reply = JSON.parse(JSON.stringify(reply));
  const results = kept.toolCalls.map(
    ({ id, name }): Message => ({
      ...{ role: "tool", toolCallId: id, name, content: "ok" },
    }),
  );
  const messages: Message[] = [
    ...USER_REQUEST.messages,
    { role: "assistant", content: kept.content, reasoning: kept.reasoning, toolCalls: kept.toolCalls },
    ...results,
  ];
  await registry.resolve(`openai-compatible:${model}`, options).call({ ...USER_REQUEST, messages }, { signal });
  const sent = (server.requests[1]?.body.messages ?? []) as unknown as readonly Json[];
  return sent.find(({ role }) => role === "assistant") ?? {};
}

const calls = { tool_calls: [call(0), call(1)] };
const signed = { google: { thought_signature: "SIG" } };

const BACK: Readonly<Record<string, { deltas: readonly Json[]; want: Json }>> = {
  "the signature of a whole message": {
    deltas: [{ content: "I look." }, { extra_content: signed }, calls],
    want: { extra_content: signed },
  },
  "an opaque text beside readable thoughts": {
    deltas: [{ reasoning_text: "Hm." }, { reasoning_opaque: "OPAQUE" }, calls],
    want: { reasoning_text: "Hm.", reasoning_opaque: "OPAQUE" },
  },
  "an opaque text alone": { deltas: [{ reasoning_opaque: "OPAQUE" }, calls], want: { reasoning_opaque: "OPAQUE" } },
  "thoughts in pieces, of which the last is signed": {
    deltas: [
      { reasoning_content: "Let ", thinking_blocks: [{ type: "thinking", thinking: "Let ", signature: "" }] },
      { reasoning_content: "me.", thinking_blocks: [{ type: "thinking", thinking: "me.", signature_delta: null }] },
      { thinking_blocks: [{ type: "thinking", thinking: "", signature: "S1" }] },
      { thinking_blocks: [{ type: "redacted_thinking", data: "HIDDEN" }] },
      { thinking_blocks: [{ type: "thinking", thinking: "Again", signature: null }] },
      { thinking_blocks: [{ type: "thinking", thinking: "Again.", signature: "S2" }] },
      { thinking_blocks: [{ type: "thinking", thinking: "not signed" }] },
      calls,
    ],
    want: {
      thinking_blocks: [
        { type: "thinking", thinking: "Let me.", signature: "S1" },
        { type: "redacted_thinking", data: "HIDDEN" },
        { type: "thinking", thinking: "Again.", signature: "S2" },
      ],
    },
  },
  "details that repeat all of the text so far": {
    deltas: [
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "The" }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "The user" }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "The user asks." }] },
      calls,
    ],
    want: { reasoning_details: [{ type: "reasoning.text", index: 0, text: "The user asks." }] },
  },
  "details in pieces that happen to begin alike": {
    deltas: [
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "ha" }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "ha!" }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "", signature: "S" }] },
      calls,
    ],
    want: { reasoning_details: [{ type: "reasoning.text", index: 0, text: "haha!", signature: "S" }] },
  },
  "a signature that comes after its call, for the first of two": {
    deltas: [calls, { tool_calls: [{ index: 0, extra_content: signed }] }],
    want: { tool_calls: [{ ...call(0, { extra_content: signed }), index: undefined }, { id: "call_1" }] },
  },
  "a signature among the fields of a gateway": {
    deltas: [
      {
        provider_specific_fields: { refusal: null, thought_signatures: ["M"] },
        tool_calls: [call(0, { provider_specific_fields: { thought_signature: "P", cost: 1 } })],
      },
    ],
    want: {
      provider_specific_fields: { thought_signatures: ["M"] },
      tool_calls: [{ provider_specific_fields: { thought_signature: "P" } }],
    },
  },
};

it.each(Object.entries(BACK))("%s goes back as it came", async (_, { deltas, want }) => {
  expect(await sentBack(deltas)).toMatchObject(JSON.parse(JSON.stringify(want)));
});

it.each(Object.entries(BACK))("%s does not go to another model", async (_, { deltas }) => {
  const sent = await sentBack(deltas, "other");
  expect(Object.keys(sent).sort()).toEqual(["content", "role", "tool_calls"]);
  expect(JSON.stringify(sent)).not.toMatch(/SIG|OPAQUE|HIDDEN|"P"|"M"/);
});

it.each<[string, Json]>([
  ["fields of a gateway without a signature", { provider_specific_fields: { refusal: null, citations: [] } }],
  ["empty fields", { reasoning_opaque: "", thinking_blocks: [], extra_content: null, provider_specific_fields: {} }],
  ["fields of another type", { reasoning_opaque: 1, thinking_blocks: "x", extra_content: "x" }],
  ["what no server wants back", { annotations: [{}], audio: { id: "a" }, refusal: null, signature: "S" }],
])("%s does not go back", async (_, fields) => {
  expect(Object.keys(await sentBack([fields, calls])).sort()).toEqual(["content", "role", "tool_calls"]);
});
