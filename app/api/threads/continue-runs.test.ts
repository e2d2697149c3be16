import { afterEach, expect, test } from "vitest";
import { createAgent } from "@/lib/server/agents/publish-version";
import { createThread } from "@/lib/server/threads/change-thread";
import { saidIn } from "@/lib/testing/fixtures/compaction-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedServerOptions } from "@/lib/testing/servers/scripted-openai-server";
import { POST as cancel } from "../runs/[runId]/cancel/route";
import { GET as getMessages, POST as send } from "./[threadId]/messages/route";

let server: RunServer;
afterEach(() => server.close());

const call = { as: "member" } as const;
let threadId = "";

async function start(script: ScriptedServerOptions["script"], config: object = {}) {
  server = await startRunServer(script);
  const raw = { name: "Worker", model: "scripted:m", retries: 0, tools: ["calculate"], ...config };
  await createAgent({ agentId: "worker", raw, createdById: null });
  threadId = (await createThread("member", "worker")).id;
}

async function post(body: object) {
  const reply = await server.call(send, { ...call, params: { threadId }, body });
  expect(reply.status, await reply.clone().text()).toBe(202);
  return reply.json();
}
const statusOf = async (id: string) => (await server.database.run.findUniqueOrThrow({ where: { id } })).status;
const ended = (runId: string, status: string) => expect.poll(() => statusOf(runId)).toBe(status);

/** What people see: `role: text` of each message. */
async function shown(): Promise<string[]> {
  const reply = await server.call(getMessages, { ...call, params: { threadId } });
  const { messages } = await reply.json();
  return messages.map(({ role, parts }: { role: string; parts: { type: string; text?: string }[] }) => {
    const texts = parts.flatMap(({ type, text }) => (type === "text" ? [text] : []));
    return `${role}: ${texts.join("")}`;
  });
}
/** Everything that the model reads stands in what people see: no text of a user is hidden. */
async function expectNothingHidden() {
  const users = saidIn(server.provider.requests.at(-1)?.body).filter((line) => line.startsWith("user: "));
  expect((await shown()).filter((line) => line.startsWith("user: "))).toEqual(users);
}
const uses = { text: "", calls: [{ name: "calculate", args: { expression: "1+1" } }] };

test("Continue after a stopped reply adds a message that everybody sees", async () => {
  await start([{ text: "Once upon", fault: { kind: "silence" } }, { text: "a time." }]);
  const { runId } = await post({ content: "tell" });
  await expect.poll(() => server.database.runEvent.count({ where: { runId, type: "text.delta" } })).toBeGreaterThan(0);
  await server.call(cancel, { ...call, method: "POST", params: { runId } });
  await ended(runId, "cancelled");
  const next = await post({ content: "Continue", continuesRunId: runId });
  await ended(next.runId, "completed");
  expect(await shown()).toEqual(["user: tell", "assistant: Once upon", "user: Continue.", "assistant: a time."]);
  const [, , said] = (await (await server.call(getMessages, { ...call, params: { threadId } })).json()).messages;
  expect(next.messageId).toBe(said.id);
  await expectNothingHidden();
});

test("Continue after a cut reply adds that message too", async () => {
  await start([{ text: "Once upon", finishReason: "length" }, { text: "a time." }]);
  const { runId } = await post({ content: "tell" });
  await ended(runId, "completed");
  const next = await post({ content: "Continue", continuesRunId: runId });
  await ended(next.runId, "completed");
  expect((await shown())[2]).toBe("user: Continue.");
  await expectNothingHidden();
});

test("Continue after a limit adds nothing: the model goes on from its last results", async () => {
  await start([uses, { text: "Two." }], { max_iterations: 1 });
  const { runId } = await post({ content: "add" });
  await ended(runId, "limit");
  const next = await post({ content: "Continue", continuesRunId: runId });
  await ended(next.runId, "completed");
  expect(await shown()).toEqual(["user: add", "assistant: ", "assistant: Two."]);
  await expectNothingHidden();
});

test("Retry asks the failed step again with the same messages and adds no text", async () => {
  await start([uses, { text: "It i", fault: { kind: "cut" } }, { text: "It is two." }]);
  const { runId } = await post({ content: "add" });
  await ended(runId, "failed");
  const next = await post({ content: "Retry", continuesRunId: runId });
  await ended(next.runId, "completed");
  const [, failed, again] = server.provider.requests.map(({ body }) => body);
  expect(again).toEqual(failed);
  expect((await shown()).filter((line) => line.startsWith("user: "))).toEqual(["user: add"]);
});

test("where the steps are no longer recorded, the message says so and Continue is refused", async () => {
  await start([uses, { text: "Two." }], { max_iterations: 1 });
  const { runId } = await post({ content: "add" });
  await ended(runId, "limit");
  const journals = async () => {
    const reply = await server.call(getMessages, { ...call, params: { threadId } });
    return (await reply.json()).messages.map(({ metadata }: { metadata?: { journal?: string } }) => metadata?.journal);
  };
  expect(await journals()).toEqual([undefined, undefined]);
  await server.database.runEvent.deleteMany({ where: { runId } });
  expect((await journals()).at(-1)).toBe("gone");
  const body = { content: "Continue", continuesRunId: runId };
  const reply = await server.call(send, { ...call, params: { threadId }, body });
  expect([reply.status, (await reply.json()).error.message]).toEqual([409, expect.stringContaining("Send a message")]);
});

test("Retry of a step that took too long does not send what it had streamed", async () => {
  const slow = { text: "It i", fault: { kind: "silence" } } as const;
  await start([slow, { text: "It is two." }], { timeouts: { run_ms: 400, idle_ms: 60_000, model_ms: 60_000 } });
  const { runId } = await post({ content: "add" });
  await ended(runId, "failed");
  const next = await post({ content: "Retry", continuesRunId: runId });
  await ended(next.runId, "completed");
  const [failed, again] = server.provider.requests.map(({ body }) => body);
  expect(again).toEqual(failed);
});
