import { afterEach, expect, test } from "vitest";
import type { InvokeReply } from "@/lib/schema/apis/invoke";
import { createAgent } from "@/lib/server/agents/publish-version";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { POST as invoke } from "./invoke/route";

let server: RunServer;
afterEach(() => server.close());

/** The answer of `/invoke` by an agent that may call the model once. */
async function ended(
  script: readonly ScriptedAnswer[],
  config: object = {},
  options: object = {},
): Promise<InvokeReply> {
  server = await startRunServer(script);
  const raw = { name: "Short", model: "scripted:m", retries: 0, max_iterations: 1, tools: ["calculate"], ...config };
  await createAgent(server.services, { agentId: "short", raw, createdById: null });
  const body = { messages: [{ role: "user", content: "go" }], ...options };
  const reply = await server.call(invoke, { as: "member", params: { id: "short" }, body });
  expect(reply.status).toBe(200);
  return reply.json();
}

const calls = [{ name: "calculate", args: { expression: "6*7" } }];
const LIMIT = expect.stringContaining("stopped after 1 model call");

test("at the limit the response is the last reply's text, although it came with calls", async () => {
  const reply = await ended([{ text: "Let me see.", calls }]);
  expect(reply).toMatchObject({ status: "limit", response: "Let me see.", notice: LIMIT });
});

test("at the limit without a text the response is the notice", async () => {
  const reply = await ended([{ calls }]);
  expect(reply).toMatchObject({ status: "limit", response: LIMIT, notice: LIMIT });
});

test("a default_response replaces the missing text, and the notice still says why", async () => {
  const reply = await ended([{ calls }], { default_response: "Ask me again." });
  expect(reply).toMatchObject({ status: "limit", response: "Ask me again.", notice: LIMIT });
});

test("with on_limit final_answer the response is the final answer", async () => {
  const reply = await ended([{ text: "Let me see.", calls }, { text: "It is 42." }], { on_limit: "final_answer" });
  expect(reply).toMatchObject({ status: "limit", response: "It is 42.", notice: LIMIT });
});

test("an empty reply is answered with the default_response, and the notice says that the model wrote nothing", async () => {
  const reply = await ended([{ text: "" }], { default_response: "Ask me again." });
  const notice = expect.stringContaining("without writing an answer");
  expect(reply).toMatchObject({ status: "completed", response: "Ask me again.", notice });
});

test("a default_response of the request takes the place of the agent's", async () => {
  const options = { default_response: "Nothing to say." };
  const reply = await ended([{ text: "" }], { default_response: "Ask me again." }, options);
  const notice = expect.stringContaining("without writing an answer");
  expect(reply).toMatchObject({ status: "completed", response: "Nothing to say.", notice });
});

test("a run that simply completes has no notice", async () => {
  const reply = await ended([{ text: "Hello." }]);
  expect(reply.response).toBe("Hello.");
  expect(reply).not.toHaveProperty("notice");
});
