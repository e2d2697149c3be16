import { afterEach, beforeEach, expect, test } from "vitest";
import type { z } from "zod";
import { GET as agentInfo } from "@/app/agents/[id]/route";
import type { SendMessageBody } from "@/lib/schema/threads/thread-requests";
import { createAgent } from "@/lib/server/agents/publish-version";
import { createThread } from "@/lib/server/threads/change-thread";
import { flushSpans } from "@/lib/server/traces/recorder";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { POST as carryOn } from "../runs/[runId]/continue/route";
import { POST as retry } from "../runs/[runId]/retry/route";
import { GET as getSpan } from "../traces/[traceId]/spans/[spanId]/route";
import { POST as regenerate } from "./[threadId]/messages/[messageId]/regenerate/route";
import { POST as send } from "./[threadId]/messages/route";
import { GET as getQueue } from "./[threadId]/queue/route";
import { GET as readThread } from "./[threadId]/route";

let server: RunServer;
let threadId = "";
let script: ScriptedAnswer[] = [];

/** A member's thread with an agent whose choices are one more model and two efforts. */
beforeEach(async () => {
  script = [];
  server = await startRunServer(() => script.shift() ?? { text: "answer" });
  const quiet = { retries: 0, guard: { mode: "off" } } as const;
  const choices = { models: ["scripted:large"], efforts: ["low", "high"] };
  const chooser = { name: "Chooser", model: "scripted:m", fallback_models: ["scripted:spare"], choices, ...quiet };
  await createAgent(server.services, { agentId: "chooser", raw: chooser, createdById: null });
  const strict = { name: "Strict", model: "scripted:strict", choices: { models: [], efforts: [] }, ...quiet };
  await createAgent(server.services, { agentId: "strict", raw: strict, createdById: null });
  threadId = (await createThread(server.services, { id: "member" }, "chooser")).id;
});
afterEach(() => server.close());

type Body = z.input<typeof SendMessageBody>;

const call = { as: "member" } as const;
const post = (body: Body) => server.call(send, { ...call, params: { threadId }, body });
const ended = () => expect.poll(() => server.database.run.count({ where: { endedAt: null } })).toBe(0);
const asked = () => server.provider.requests.map(({ body }) => [body.model, body.reasoning_effort]);

async function say(body: Body): Promise<string> {
  const reply = await post(body);
  expect(reply.status, await reply.clone().text()).toBe(202);
  await ended();
  return (await reply.json()).runId;
}
async function refusal(reply: Response) {
  const { error } = await reply.json();
  return [reply.status, error.details?.[0]?.path ?? error.code, error.message];
}
async function lastReply() {
  const detail = await (await server.call(readThread, { ...call, params: { threadId } })).json();
  return detail.messages.at(-1);
}

test("a message is answered by the model and with the effort that were picked for it, the next one as usual", async () => {
  await say({ content: "one", model: "scripted:large", effort: "high" });
  expect(asked()).toEqual([["large", "high"]]);
  expect(await lastReply()).toMatchObject({ metadata: { model: "scripted:large", effort: "high" } });
  await say({ content: "two" });
  expect(asked().at(-1)).toEqual(["m", undefined]);
  expect((await lastReply()).metadata).not.toHaveProperty("effort");
});

test("the effort stands in the trace of the call", async () => {
  const runId = await say({ content: "one", effort: "low" });
  await flushSpans();
  const { traceId, id: spanId } = await server.database.span.findFirstOrThrow({ where: { runId, name: "llm.call" } });
  const reply = await server.call(getSpan, { ...call, params: { traceId, spanId } });
  expect(await reply.json()).toMatchObject({ modelCall: { request: { effort: "low" } } });
});

test("what the agent's choices do not allow is refused with what they do", async () => {
  expect(await refusal(await post({ content: "one", model: "scripted:spare" }))).toEqual([
    ...[
      400,
      "model",
      "scripted:spare can't be picked for this agent. Choose scripted:m or scripted:large, or name no model.",
    ],
  ]);
  expect(await refusal(await post({ content: "one", effort: "max" }))).toEqual([
    ...[400, "effort", "This agent takes the effort low or high. Choose one of them, or name none."],
  ]);
  threadId = (await createThread(server.services, { id: "member" }, "strict")).id;
  expect(await refusal(await post({ content: "one", model: "scripted:m" }))).toEqual([
    ...[
      400,
      "model",
      "scripted:m can't be picked for this agent: it answers with scripted:strict only. Name no other model.",
    ],
  ]);
  expect(await refusal(await post({ content: "one", effort: "low" }))).toEqual([
    ...[400, "effort", "This agent offers no choice of effort. Send the message without one."],
  ]);
  await say({ content: "one", model: "scripted:strict" });
  expect(await server.database.run.count()).toBe(1);
});

test("Retry and Continue keep what was picked, and Retry takes another model of the agent, also a fallback", async () => {
  const failure: ScriptedAnswer = { text: "", fault: { kind: "error-event", message: "no" } };
  script = [failure, failure, failure, failure, failure, failure];
  const runId = await say({ content: "one", model: "scripted:large", effort: "high" });
  const again = (route: typeof retry, id: string, body?: object) =>
    server.call(route, { ...call, method: "POST", params: { runId: id }, ...(body ? { body } : {}) });
  const repeated = await (await again(retry, runId)).json();
  await ended();
  const other = await (await again(retry, repeated.runId, { model: "scripted:spare", effort: "low" })).json();
  await ended();
  expect((await again(retry, other.runId, { model: "scripted:nobody" })).status).toBe(400);
  await again(carryOn, other.runId);
  await ended();
  const usual = [
    ["large", "high"],
    ["spare", "high"],
  ];
  const chosen = ["spare", "low"];
  expect(asked()).toEqual([...usual, ...usual, chosen, chosen, chosen]);
  expect(await server.database.run.count({ where: { status: "completed" } })).toBe(1);
});

test("a queued message keeps what was picked for it", async () => {
  const held = Promise.withResolvers<void>();
  script = [{ text: "first", gate: held.promise }];
  await post({ content: "one" });
  await post({ content: "two", model: "scripted:large", effort: "low" });
  const queue = await (await server.call(getQueue, { ...call, params: { threadId } })).json();
  expect(queue.messages).toMatchObject([{ content: "two", model: "scripted:large", effort: "low" }]);
  held.resolve();
  await ended();
  expect(asked().at(-1)).toEqual(["large", "low"]);
});

test("regenerating takes the model and the effort that are named, and refuses others", async () => {
  await say({ content: "one" });
  const { id: messageId } = await lastReply();
  const again = (body: object) => server.call(regenerate, { ...call, params: { threadId, messageId }, body });
  expect((await again({ model: "scripted:nobody" })).status).toBe(400);
  expect((await again({ model: "scripted:spare", effort: "high" })).status).toBe(202);
  await ended();
  expect(asked().at(-1)).toEqual(["spare", "high"]);
});

test("another agent answers one message, and the next one is the thread's agent's again", async () => {
  await say({ content: "one", agentId: "strict" });
  expect(await lastReply()).toMatchObject({ metadata: { agentId: "strict", agentName: "Strict" } });
  await say({ content: "two" });
  expect(await lastReply()).toMatchObject({ metadata: { agentId: "chooser", agentName: "Chooser" } });
  expect(asked().map(([model]) => model)).toEqual(["strict", "m"]);
});

test("an agent of other people's groups is refused like one that is not there", async () => {
  const group = await server.database.group.create({ data: { id: "grp_others", name: "Others" } });
  await server.database.groupAgent.create({ data: { agentId: "strict", groupId: group.id } });
  const hidden = await refusal(await post({ content: "one", agentId: "strict" }));
  expect(hidden).toEqual([404, "not_found", 'There is no agent "strict".']);
  const [status, code] = await refusal(await post({ content: "one", agentId: "nobody" }));
  expect([status, code]).toEqual([404, "not_found"]);
});

test("files lie with the thread's agent, so another one is not sent any", async () => {
  const [status, path] = await refusal(await post({ content: "look", agentId: "strict", files: ["a.txt"] }));
  expect([status, path]).toEqual([400, "files"]);
});

test("the draft answers again for admins only, and says which text of it did", async () => {
  await say({ content: "one" });
  const { id: messageId } = await lastReply();
  const reply = await server.call(regenerate, { ...call, params: { threadId, messageId }, body: { draft: true } });
  expect(reply.status).toBe(403);
});

test("people see what an agent lets them choose", async () => {
  const info = await (await server.call(agentInfo, { ...call, params: { id: "chooser" } })).json();
  expect(info.choices).toEqual({ models: ["scripted:large"], efforts: ["low", "high"] });
});
