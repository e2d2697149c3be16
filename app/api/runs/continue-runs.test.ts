import { afterEach, expect, test } from "vitest";
import { createAgent, publishChange } from "@/lib/server/agents/publish-version";
import { createThread } from "@/lib/server/threads/change-thread";
import { flushSpans } from "@/lib/server/traces/recorder";
import { saidIn } from "@/lib/testing/fixtures/compaction-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedServerOptions } from "@/lib/testing/servers/scripted-openai-server";
import { PUT as upload } from "../../agents/[id]/files/upload/route";
import { GET as getMessages, POST as send } from "../threads/[threadId]/messages/route";
import { POST as cancel } from "./[runId]/cancel/route";
import { POST as carryOn } from "./[runId]/continue/route";
import { POST as retry } from "./[runId]/retry/route";
import { GET as getRun } from "./[runId]/route";

let server: RunServer;
afterEach(() => server.close());

const call = { as: "member" } as const;
let threadId = "";

async function start(script: ScriptedServerOptions["script"], config: object = {}) {
  server = await startRunServer(script);
  const raw = { name: "Worker", model: "scripted:m", retries: 0, tools: ["calculate"], ...config };
  await createAgent(server.services, { agentId: "worker", raw, createdById: null });
  threadId = (await createThread(server.services, { id: "member" }, "worker")).id;
}

async function accepted(reply: Response) {
  expect(reply.status, await reply.clone().text()).toBe(202);
  return reply.json();
}
const post = async (content: string) =>
  accepted(await server.call(send, { ...call, params: { threadId }, body: { content } }));
const ask = (route: typeof retry, runId: string, more: object = {}) =>
  server.call(route, { ...call, method: "POST", params: { runId }, ...more });
const continued = async (runId: string) => accepted(await ask(carryOn, runId));
const retried = async (runId: string) => accepted(await ask(retry, runId));
async function refusal(reply: Response) {
  return [reply.status, (await reply.json()).error.message];
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
/** What the card below the last reply says about its run. */
async function lastNotice(): Promise<object | undefined> {
  const reply = await server.call(getMessages, { ...call, params: { threadId } });
  const { parts } = (await reply.json()).messages.at(-1);
  return parts.find(({ type }: { type: string }) => type === "data-notice")?.data;
}
/** Everything that the model reads is visible to people: no user message is hidden. */
async function expectNothingHidden() {
  const users = saidIn(server.provider.requests.at(-1)?.body).filter((line) => line.startsWith("user: "));
  expect((await shown()).filter((line) => line.startsWith("user: "))).toEqual(users);
}
const isStreaming = (runId: string) =>
  expect.poll(() => server.database.runEvent.count({ where: { runId, type: "text.delta" } })).toBeGreaterThan(0);
const uses = { text: "", calls: [{ name: "calculate", args: { expression: "1+1" } }] };

test("Continue after a stopped reply adds a message that everybody sees", async () => {
  await start([{ text: "Once upon", fault: { kind: "silence" } }, { text: "a time." }]);
  const { runId } = await post("tell");
  await expect.poll(() => server.database.runEvent.count({ where: { runId, type: "text.delta" } })).toBeGreaterThan(0);
  await server.call(cancel, { ...call, method: "POST", params: { runId } });
  await ended(runId, "cancelled");
  const next = await continued(runId);
  await ended(next.runId, "completed");
  expect(await shown()).toEqual(["user: tell", "assistant: Once upon", "user: Continue.", "assistant: a time."]);
  const [, , said] = (await (await server.call(getMessages, { ...call, params: { threadId } })).json()).messages;
  expect(next.messageId).toBe(said.id);
  await expectNothingHidden();
});

test("Continue after a cut reply adds that message too", async () => {
  await start([{ text: "Once upon", finishReason: "length" }, { text: "a time." }]);
  const { runId } = await post("tell");
  await ended(runId, "completed");
  const next = await continued(runId);
  await ended(next.runId, "completed");
  expect((await shown())[2]).toBe("user: Continue.");
  await expectNothingHidden();
});

test("Continue after a limit adds nothing: the model continues from its last results", async () => {
  await start([uses, { text: "Two." }], { max_iterations: 1 });
  const { runId } = await post("add");
  await ended(runId, "limit");
  const next = await continued(runId);
  await ended(next.runId, "completed");
  expect(await shown()).toEqual(["user: add", "assistant: ", "assistant: Two."]);
  await expectNothingHidden();
});

test("Retry asks the failed step again with the same messages and adds no text", async () => {
  await start([uses, { text: "It i", fault: { kind: "cut" } }, { text: "It is two." }]);
  const { runId } = await post("add");
  await ended(runId, "failed");
  const next = await retried(runId);
  await ended(next.runId, "completed");
  const [, failed, again] = server.provider.requests.map(({ body }) => body);
  expect(again).toEqual(failed);
  expect((await shown()).filter((line) => line.startsWith("user: "))).toEqual(["user: add"]);
});

test("Continue of a failed run goes on from its finished steps with the current version and adds nothing", async () => {
  await start([uses, { fault: { status: 401 } }, { text: "Two." }], { system_prompt: "Be brief." });
  const { runId } = await post("add");
  await ended(runId, "failed");
  await publishChange(server.services, "worker", ({ raw }) => ({ ...raw, system_prompt: "Sing." }), {
    createdById: null,
  });
  const next = await continued(runId);
  await ended(next.runId, "completed");
  expect(await shown()).toEqual(["user: add", "assistant: ", "assistant: Two."]);
  expect(server.provider.requests.at(-1)?.body.messages?.[0]?.content).toBe("Sing.");
  await expectNothingHidden();
});

test("the card of a failed or empty run names the step that a Retry asks again", async () => {
  await start([uses, { fault: { status: 401 } }, { text: "" }]);
  const { runId } = await post("add");
  await ended(runId, "failed");
  expect(await lastNotice()).toMatchObject({ kind: "failed", retryStep: 2 });
  const next = await retried(runId);
  await ended(next.runId, "completed");
  expect(await lastNotice()).toMatchObject({ kind: "empty", retryStep: 1 });
});

test("the card of a run that ended outside a model call names no such step", async () => {
  await start([uses], { max_iterations: 1 });
  const { runId } = await post("add");
  await ended(runId, "limit");
  expect(await lastNotice()).not.toHaveProperty("retryStep");
});

test("where the steps are no longer recorded, the message says so and Continue is refused", async () => {
  await start([uses, { text: "Two." }], { max_iterations: 1 });
  const { runId } = await post("add");
  await ended(runId, "limit");
  const journals = async () => {
    const reply = await server.call(getMessages, { ...call, params: { threadId } });
    return (await reply.json()).messages.map(({ metadata }: { metadata?: { journal?: string } }) => metadata?.journal);
  };
  expect(await journals()).toEqual([undefined, undefined]);
  await server.database.runEvent.deleteMany({ where: { runId } });
  expect((await journals()).at(-1)).toBe("gone");
  expect(await refusal(await ask(carryOn, runId))).toEqual([409, expect.stringContaining("Send a message")]);
});

test("Retry of a step that took too long does not send what it had streamed", async () => {
  const slow = { text: "It i", fault: { kind: "silence" } } as const;
  await start([slow, { text: "It is two." }], { timeouts: { run_ms: 400, idle_ms: 60_000, model_ms: 60_000 } });
  const { runId } = await post("add");
  await ended(runId, "failed");
  const next = await retried(runId);
  await ended(next.runId, "completed");
  const [failed, again] = server.provider.requests.map(({ body }) => body);
  expect(again).toEqual(failed);
});

test("Retry sends what the failed step was asked, although the agent was changed since", async () => {
  await start([uses, { text: "It i", fault: { kind: "cut" } }, { text: "It is two." }], { system_prompt: "Be brief." });
  const { runId } = await post("add");
  await ended(runId, "failed");
  await publishChange(server.services, "worker", ({ raw }) => ({ ...raw, system_prompt: "Sing.", tools: [] }), {
    createdById: null,
  });
  const next = await retried(runId);
  await ended(next.runId, "completed");
  const [, failed, again] = server.provider.requests.map(({ body }) => body);
  expect(again).toEqual(failed);
});

async function stopped(text: string): Promise<string> {
  const { runId } = await post(text);
  await isStreaming(runId);
  await ask(cancel, runId);
  await ended(runId, "cancelled");
  return runId;
}

test("Retry of a stopped step asks it again, without the words it had written", async () => {
  await start([uses, { text: "Once upon", fault: { kind: "silence" } }, uses, { text: "Two and two." }]);
  const runId = await stopped("add");
  const next = await retried(runId);
  await ended(next.runId, "completed");
  const [, failed, again, after] = server.provider.requests.map(({ body }) => body);
  expect(again).toEqual(failed);
  expect(saidIn(after).map((line) => line.split(":")[0])).toEqual(["user", "assistant", "tool", "assistant", "tool"]);
  expect(JSON.stringify(after)).not.toContain("Once upon");
});

test("Retry of an empty answer asks for it again", async () => {
  await start([{ text: "" }, { text: "Hello." }]);
  const { runId } = await post("hi");
  await ended(runId, "completed");
  const next = await retried(runId);
  await ended(next.runId, "completed");
  const [empty, again] = server.provider.requests.map(({ body }) => body);
  expect(again).toEqual(empty);
});

test("Retry of a failed Retry sends the same request again", async () => {
  const cut = { text: "It i", fault: { kind: "cut" } } as const;
  await start([cut, cut, { text: "It is two." }]);
  const { runId } = await post("add");
  await ended(runId, "failed");
  const second = await retried(runId);
  await ended(second.runId, "failed");
  const third = await retried(second.runId);
  await ended(third.runId, "completed");
  const [first, ...others] = server.provider.requests.map(({ body }) => body);
  expect(others).toEqual([first, first]);
});

const remembers = { backend: { type: "state" }, memory: { paths: ["AGENTS.md"] } };
async function remember(content: string) {
  const body = { path: "AGENTS.md", content };
  expect((await server.call(upload, { ...call, method: "PUT", params: { id: "worker" }, body })).status).toBe(200);
}

test("Retry sends what the failed step was asked, although the agent remembers something else by now", async () => {
  await start([uses, { text: "It i", fault: { kind: "cut" } }, uses, { text: "It is two." }], remembers);
  await remember("Likes whales.");
  const { runId } = await post("add");
  await ended(runId, "failed");
  await remember("Likes birds.");
  const next = await retried(runId);
  await ended(next.runId, "completed");
  const [, failed, again, after] = server.provider.requests.map(({ body }) => body);
  expect(JSON.stringify(failed)).toContain("whales");
  expect(again).toEqual(failed);
  expect(JSON.stringify(after)).toContain("birds");
});

test("a Retry that a restart interrupts sends the same request in the next process", async () => {
  const slow = { text: "It i", fault: { kind: "silence" } } as const;
  await start([{ text: "It", fault: { kind: "cut" } }, slow, { text: "It is two." }], remembers);
  await remember("Likes whales.");
  const { runId } = await post("add");
  await ended(runId, "failed");
  await remember("Likes birds.");
  const next = await retried(runId);
  await isStreaming(next.runId);
  await server.restart();
  await ended(next.runId, "completed");
  const [failed, ...others] = server.provider.requests.map(({ body }) => body);
  expect(others).toEqual([failed, failed]);
});

test("where what was sent is no longer kept, Retry builds the request again and its card says so", async () => {
  await start([{ text: "It i", fault: { kind: "cut" } }, { text: "It is two." }]);
  const { runId } = await post("add");
  await ended(runId, "failed");
  await flushSpans();
  await server.database.span.deleteMany({ where: { runId } });
  const next = await retried(runId);
  await ended(next.runId, "completed");
  const [failed, again] = server.provider.requests.map(({ body }) => body);
  expect(again).toEqual(failed);
  const { messages } = await (await server.call(getMessages, { ...call, params: { threadId } })).json();
  expect(messages.at(-1).parts[0]).toEqual({
    type: "data-rebuilt",
    data: { reason: "the trace no longer holds what was sent" },
  });
});

test("Continue uses the current version, and Retry that of the failed run", async () => {
  const slow = { text: "Once upon", fault: { kind: "silence" } } as const;
  await start([slow, slow, { text: "a time." }], { system_prompt: "Be brief." });
  const runId = await stopped("tell");
  await publishChange(server.services, "worker", ({ raw }) => ({ ...raw, system_prompt: "Sing." }), {
    createdById: null,
  });
  const again = await retried(runId);
  await isStreaming(again.runId);
  await ask(cancel, again.runId);
  await ended(again.runId, "cancelled");
  const next = await continued(again.runId);
  await ended(next.runId, "completed");
  const prompts = server.provider.requests.map(({ body }) => body.messages?.[0]?.content);
  expect(prompts).toEqual(["Be brief.", "Be brief.", "Sing."]);
  const versionOf = async (id: string) =>
    (await (await server.call(getRun, { ...call, params: { runId: id } })).json()).version;
  expect(await Promise.all([runId, again.runId, next.runId].map(versionOf))).toEqual([1, 1, 2]);
});

test.each<[string, ScriptedServerOptions["script"], string, typeof retry, string]>([
  ["Retry of a run at its limit", [uses], "limit", retry, "Continue it instead."],
  ["Retry of a cut answer", [{ text: "Once", finishReason: "length" }], "completed", retry, "Continue it instead."],
  ["Continue of a run that has finished", [{ text: "Hello." }], "completed", carryOn, "Send a message instead."],
])("%s is refused with what to do", async (_, script, status, route, advice) => {
  await start(script, { max_iterations: 1 });
  const { runId } = await post("go");
  await ended(runId, status);
  expect(await refusal(await ask(route, runId))).toEqual([409, expect.stringContaining(advice)]);
});

test("a run that is still open or no longer the last of its thread is refused, and another user's run is not found", async () => {
  await start([{ text: "Once upon", fault: { kind: "silence" } }, { text: "Hello." }]);
  const { runId } = await post("tell");
  await isStreaming(runId);
  expect(await refusal(await ask(carryOn, runId))).toEqual([409, expect.stringContaining("has not ended")]);
  await ask(cancel, runId);
  await ended(runId, "cancelled");
  expect((await ask(carryOn, runId, { as: "admin" })).status).toBe(404);
  expect((await ask(retry, runId, { as: "viewer" })).status).toBe(403);
  expect((await ask(retry, runId, { body: { content: "hidden" } })).status).toBe(400);
  const { runId: newer } = await post("hi");
  await ended(newer, "completed");
  expect(await refusal(await ask(retry, runId))).toEqual([409, expect.stringContaining("has a later run")]);
});

test("the same Idempotency-Key continues a run once", async () => {
  await start([uses, { text: "Two." }], { max_iterations: 1 });
  const { runId } = await post("add");
  await ended(runId, "limit");
  const at = (how: string) => ({ headers: { "idempotency-key": "k1" }, path: `/api/runs/${runId}/${how}` });
  const [one, other] = [await ask(carryOn, runId, at("continue")), await ask(carryOn, runId, at("continue"))];
  expect((await one.json()).runId).toBe((await other.json()).runId);
  expect((await ask(retry, runId, at("retry"))).status).toBe(409);
});
