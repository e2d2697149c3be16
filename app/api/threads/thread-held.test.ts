import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { POST as cancelRun } from "@/app/api/runs/[runId]/cancel/route";
import { POST as cancelAll } from "@/app/api/runs/cancel-all/route";
import type { ThreadDetail } from "@/lib/schema/threads/thread";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startRun } from "@/lib/server/engine/accept";
import { createThread } from "@/lib/server/threads/change-thread";
import { frameIn, readStream } from "@/lib/testing/servers/read-thread-stream";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { scriptedTurns, writes } from "@/lib/testing/servers/scripted-turns";
import { POST as cancelThread } from "./[threadId]/cancel/route";
import { POST as compact } from "./[threadId]/compact/route";
import { POST as fork } from "./[threadId]/fork/route";
import { POST as edit } from "./[threadId]/messages/[messageId]/edit/route";
import { POST as send } from "./[threadId]/messages/route";
import { PATCH as change, DELETE as remove } from "./[threadId]/queue/[messageId]/route";
import { POST as release } from "./[threadId]/queue/release/route";
import { GET as list } from "./[threadId]/queue/route";
import { DELETE as deleteThread, GET as getThread } from "./[threadId]/route";
import { GET as stream } from "./[threadId]/stream/route";

type AnyRoute = Parameters<RunServer["call"]>[0];

let server: RunServer;
let threadId = "";
let gate = Promise.withResolvers<void>();

beforeAll(async () => {
  const turns = scriptedTurns({ Write: [writes("a.txt")] });
  server = await startRunServer((request) => {
    const last = JSON.stringify(request.messages?.at(-1));
    if (last.includes("Wait")) return { text: "Waited.", gate: gate.promise };
    return last.includes("Write") ? turns(request) : { text: "Answered." };
  });
  const asking = { name: "Asking", model: "scripted:m", retries: 0, backend: { type: "state" } };
  const permissions = { enabled: true, allow: ["*"], ask: ["write_file"] };
  await createAgent(server.services, { agentId: "asking", raw: { ...asking, permissions }, createdById: null });
});
beforeEach(async () => {
  gate = Promise.withResolvers();
  threadId = (await createThread(server.services, { id: "member" }, "plain")).id;
});
afterAll(async () => {
  gate.resolve();
  await server.close();
});

async function made<Result>(route: AnyRoute, request: object = {}): Promise<Result> {
  const reply = await server.call(route, { as: "member", params: { threadId }, ...request });
  expect(reply.status, await reply.clone().text()).toBeLessThan(300);
  return reply.status === 204 ? (undefined as Result) : reply.json();
}

interface Sent {
  readonly runId: string;
  readonly messageId: string;
}

const say = (content: string) => made<Sent>(send, { body: { content } });
const stop = (runId: string) => made(cancelRun, { method: "POST", params: { runId } });
const statusOf = async (id: string) => (await server.database.run.findUnique({ where: { id } }))?.status;
const reaches = (runId: string, status: string) => expect.poll(() => statusOf(runId)).toBe(status);
const waiting = async (): Promise<string[]> => {
  const { messages } = await made<{ messages: { state: string; content: string }[] }>(list);
  return messages.map(({ state, content }) => `${state} ${content}`);
};
const detail = () => made<ThreadDetail>(getThread);

/** A run under way, with two messages behind it, and what a stop of it leaves. */
async function stopped() {
  const going = await say("Wait");
  await reaches(going.runId, "running");
  const [one, two] = [await say("one"), await say("two")];
  await stop(going.runId);
  await reaches(going.runId, "cancelled");
  return { going, one, two };
}

test("a stop twice changes nothing more, and the thread shows the stopped run with what is held", async () => {
  const { going } = await stopped();
  await stop(going.runId);
  expect(await waiting()).toEqual(["held one", "held two"]);
  expect(await detail()).toMatchObject({
    status: "cancelled",
    activeRunId: null,
    openRuns: [],
    held: [{ text: "one" }, { text: "two" }],
  });
  // A thread with held messages is at rest: it can be compacted.
  await made(compact, { method: "POST" });
});

test("a new message starts at once, and the stream of another tab shows it and then what is sent later", async () => {
  const reader = readStream(await server.call(stream, { as: "member", params: { threadId } }));
  const { one } = await stopped();
  const three = await say("three");
  await reaches(three.runId, "completed");
  await made(change, { method: "PATCH", params: { threadId, messageId: one.messageId }, body: { content: "uno" } });
  await made(release, { method: "POST", body: { ids: [one.messageId] } });
  await reaches(one.runId, "completed");
  const begun = () =>
    reader.events.map(frameIn).flatMap((frame) => (frame?.kind === "run-start" ? [frame.data.runId] : []));
  await expect.poll(() => begun().slice(1)).toEqual([three.runId, one.runId]);
  await reader.close();
  expect(await waiting()).toEqual(["held two"]);
  const { messages } = await detail();
  expect(messages.filter(({ role }) => role === "user").map(({ parts }) => parts[0]?.text)).toEqual([
    "Wait",
    "three",
    "uno",
  ]);
});

test("a stream that waits for a message moves on when that is held", async () => {
  const going = await say("Wait");
  await reaches(going.runId, "running");
  const one = await say("one");
  // The reader has all of the first run and waits for the next.
  const cursor = { headers: { "last-event-id": one.runId } };
  const reader = readStream(await server.call(stream, { as: "member", params: { threadId }, ...cursor }));
  await stop(going.runId);
  const three = await say("three");
  await reader.until((events) => events.some(({ data }) => data.includes(three.runId)));
  await reader.close();
  expect(await statusOf(one.runId)).toBe("queued");
});

test("a person's /stop says how much is held; the API key of a program that ends everything holds nothing", async () => {
  const going = await say("Wait");
  await reaches(going.runId, "running");
  await say("one");
  expect(await made(send, { body: { content: "/stop" } })).toEqual({ command: "stop", cancelled: 1, held: 1 });
  await reaches(going.runId, "cancelled");
  expect(await made(send, { body: { content: "/stop" } })).toEqual({ command: "stop", cancelled: 0 });
  const again = await say("Wait once more");
  await reaches(again.runId, "running");
  await say("two");
  const key = await server.addKey("member", ["chat"]);
  expect(await (await server.call(cancelAll, { key, method: "POST" })).json()).toEqual({ cancelled: 2 });
  expect(await waiting()).toEqual(["held one"]);
  await reaches(again.runId, "cancelled");
  const third = await say("Wait for the person");
  await reaches(third.runId, "running");
  await say("three");
  expect(await made(send, { body: { content: "/stopall" } })).toEqual({ command: "stopall", cancelled: 1, held: 1 });
  expect(await waiting()).toEqual(["held one", "held three"]);
});

test("a stop of what a schedule started holds a person's message and lets the next firing begin", async () => {
  const fire = (content: string) =>
    startRun(server.database, {
      ownerId: "member",
      threadId,
      agentId: "plain",
      origin: "schedule",
      attended: false,
      messages: [{ role: "user", content }],
      trigger: { details: { triggerId: "t1" } },
    });
  const going = await fire("Wait");
  await reaches(going.runId, "running");
  await say("mine");
  const next = await fire("the next one");
  await stop(going.runId);
  await reaches(next.runId, "completed");
  expect(await waiting()).toEqual(["held mine"]);
});

test("a stop while an approval waits holds what is queued; sending it declines what waits then", async () => {
  threadId = (await createThread(server.services, { id: "member" }, "asking")).id;
  const first = await say("Wait");
  await reaches(first.runId, "running");
  const [one, asked] = [await say("one"), await say("Write")];
  await stop(first.runId);
  await reaches(first.runId, "cancelled");
  await made(release, { method: "POST", body: { ids: [asked.messageId] } });
  await reaches(asked.runId, "waiting");
  expect(await made(cancelThread, { method: "POST", path: "/" })).toEqual({ cancelled: 1 });
  await reaches(asked.runId, "cancelled");
  const again = await say("Write");
  await reaches(again.runId, "waiting");
  await made(release, { method: "POST" });
  await reaches(one.runId, "completed");
  expect(await statusOf(again.runId)).toBe("cancelled");
});

test("an edit, a fork and the queue of a branch leave held messages where they are", async () => {
  const { going, one } = await stopped();
  const message = await server.database.transcriptMessage.findFirstOrThrow({
    where: { runId: going.runId, role: "user" },
  });
  const edited = await made<Sent>(edit, { params: { threadId, messageId: message.id }, body: { content: "Other" } });
  await reaches(edited.runId, "completed");
  expect(await waiting()).toEqual(["held one", "held two"]);
  const { messages } = await detail();
  expect(messages.at(-2)?.metadata).toHaveProperty("siblings.length", 2);
  const copy = await made<{ id: string }>(fork, { body: { messageId: messages.at(-1)?.id } });
  expect(await made<ThreadDetail>(getThread, { params: { threadId: copy.id } })).not.toHaveProperty("held");
  await made(release, { method: "POST", body: { ids: [one.runId] } });
  await reaches(one.runId, "completed");
  // It follows the branch that is shown.
  expect(await server.database.run.findUnique({ where: { id: one.runId } })).toMatchObject({
    afterRunId: edited.runId,
  });
});

test("a held message is dropped, and goes with its thread", async () => {
  const { one, two } = await stopped();
  await made(remove, { method: "DELETE", params: { threadId, messageId: one.messageId } });
  expect(await waiting()).toEqual(["held two"]);
  await made(deleteThread, { method: "DELETE" });
  await reaches(two.runId, "cancelled");
  expect(await server.database.run.count({ where: { threadId, heldAt: { not: null } } })).toBe(0);
});

test("a held message keeps its files", async () => {
  const going = await say("Wait");
  await reaches(going.runId, "running");
  const content = "Read it\n\n[Attached: uploads/a.txt (3 B)]";
  const sent = await say(content);
  await stop(going.runId);
  expect((await detail()).held).toMatchObject([{ text: content }]);
  await made(release, { method: "POST" });
  await reaches(sent.runId, "completed");
  expect(JSON.stringify(server.provider.requests.at(-1)?.body.messages)).toContain("uploads/a.txt");
});
