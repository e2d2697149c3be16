import { afterEach, expect, test } from "vitest";
import { type Conversation, startConversation } from "@/lib/testing/fixtures/compaction-fixture";
import { GET as getFlow } from "./[id]/flow/route";
import { GET as getAgent } from "./[id]/route";
import { POST as create } from "./route";

let talk: Conversation;
afterEach(() => talk.server.close());

const SONNET = "anthropic:claude-sonnet-5-5";
const HAIKU = "anthropic:claude-haiku-4-5";

test.each<[string, Record<string, unknown>, number]>([
  ["the model's own", { model: SONNET }, 1_000_000],
  ["that of an older model, from the shipped catalogue", { model: "openai:gpt-4" }, 8_192],
  ["128,000 when it is unknown", { model: "ollama:llama3.1:8b" }, 128_000],
  ["the agent's own number", { model: SONNET, context_window: 64_000 }, 64_000],
  ["the model's own for 0 and less", { model: SONNET, context_window: 0 }, 1_000_000],
  ["that of the smallest model that may be asked", { model: SONNET, fallback_models: [HAIKU] }, 200_000],
])("context_window in the agent's info is %s", async (_, config, expected) => {
  talk = await startConversation({});
  const body = { agent_id: "wide", name: "Wide", ...config };
  const made = await talk.server.call(create, { as: "admin", method: "POST", body });
  expect([made.status, (await made.json()).context_window]).toEqual([201, expected]);
  const params = { id: "wide" };
  const info = await talk.server.call(getAgent, { as: "member", params });
  expect((await info.json()).context_window).toBe(expected);
  const flow = await talk.server.call(getFlow, { as: "member", params });
  expect((await flow.json()).limits.context_window).toBe(expected);
});

test.each([
  ["a fallback takes less than that, a summary", ["openai:gpt-4"], 1],
  ["every model takes that, no summary", [], 0],
])("when %s is sent", async (_, fallback_models, summaries) => {
  const compaction = { enabled: false };
  talk = await startConversation({ fallback_models, summarization: { enabled: true }, compaction });
  await talk.say("x".repeat(4 * 8_000));
  await talk.say("and now?");
  expect(talk.requests("summary")).toHaveLength(summaries);
});
