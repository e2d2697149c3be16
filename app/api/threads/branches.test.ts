import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as agentState } from "@/app/agents/[id]/threads/[threadId]/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { createThread } from "@/lib/server/threads/change-thread";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { PUT as choose, GET as getVersions } from "./[threadId]/branch/route";
import { GET as exportThread } from "./[threadId]/export/route";
import { POST as fork } from "./[threadId]/fork/route";
import { POST as edit } from "./[threadId]/messages/[messageId]/edit/route";
import { POST as regenerate } from "./[threadId]/messages/[messageId]/regenerate/route";
import { POST as send } from "./[threadId]/messages/route";
import { GET as readThread } from "./[threadId]/route";

let server: RunServer;
let threadId = "";
let answered = 0;
let gate: Promise<void> | undefined;

/** A model that numbers its answers, and a thread of the member. */
beforeEach(async () => {
  answered = 0;
  gate = undefined;
  server = await startRunServer(() => ({ text: `answer ${++answered}`, gate }));
  const quiet = { model: "scripted:m", retries: 0, guard: { mode: "off" } } as const;
  await createAgent(server.services, { agentId: "first", raw: { name: "First", ...quiet }, createdById: null });
  await createAgent(server.services, { agentId: "second", raw: { name: "Second", ...quiet }, createdById: null });
  threadId = (await createThread(server.services, { id: "member" }, "first")).id;
});
afterEach(() => server.close());

interface Shown {
  readonly id: string;
  readonly text: string;
  readonly siblings?: string[];
  readonly editedAtMs?: number;
  readonly index?: number;
  readonly parentId?: string | null;
  readonly agentName?: string;
}

async function shown(id = threadId): Promise<Shown[]> {
  const detail = await (await server.call(readThread, { as: "member", params: { threadId: id } })).json();
  return detail.messages.map(messageOf);
}

function messageOf({ id, parts, metadata = {} }: { id: string; parts: { text?: string }[]; metadata?: object }): Shown {
  return { ...metadata, id, text: parts.map(({ text = "" }) => text).join("") };
}

const texts = async (id?: string) => (await shown(id)).map(({ text }) => text);

async function say(content: string, id = threadId) {
  const reply = await server.call(send, { as: "member", params: { threadId: id }, body: { content } });
  expect(reply.status).toBe(202);
  await ended();
}

const ended = () => expect.poll(() => server.database.run.count({ where: { endedAt: null } })).toBe(0);
const idOf = async (text: string) => (await shown()).find((message) => message.text === text)?.id ?? "";

async function change(route: typeof edit | typeof regenerate, messageId: string, body: object) {
  const reply = await server.call(route as typeof edit, {
    as: "member",
    params: { threadId, messageId },
    body: body as { content: string },
  });
  return { status: reply.status, body: await reply.json() };
}

const show = (messageId: string, as: "member" | "admin" = "member") =>
  server.call(choose, { as, method: "PUT", params: { threadId }, body: { messageId } });

test("an edited message is a branch of its own; both wordings can be shown, and are read by the next message", async () => {
  await say("one");
  await say("two");
  const second = await idOf("two");
  expect(await change(edit, second, { content: "two, edited" })).toMatchObject({ status: 202 });
  await ended();
  expect(await texts()).toEqual(["one", "answer 1", "two, edited", "answer 3"]);
  const [, reply, edited] = await shown();
  expect(edited).toMatchObject({ siblings: [second, edited?.id], index: 1, parentId: reply?.id });
  expect(reply?.siblings).toBeUndefined();
  const run = await server.database.run.findFirstOrThrow({ orderBy: { position: "desc" } });
  expect(edited?.editedAtMs).toBe(run.createdAt.getTime());
  expect((await show(second)).status).toBe(204);
  expect(
    (await shown()).map(({ editedAtMs }) => editedAtMs),
    "only an edited message says when",
  ).toEqual(Array.from({ length: 4 }, () => undefined));
  expect(await texts()).toEqual(["one", "answer 1", "two", "answer 2"]);
  await say("three");
  const sent = server.provider.requests.at(-1)?.body.messages?.filter(({ role }) => role !== "system");
  expect(sent?.map(({ content }) => content)).toEqual(["one", "answer 1", "two", "answer 2", "three"]);
  const state = await server.call(agentState, { as: "member", params: { id: "first", threadId } });
  const { messages } = await state.json();
  expect(messages.map(({ content }: { content: string }) => content)).toEqual([
    ...["one", "answer 1", "two", "answer 2", "three", "answer 4"],
  ]);
});

test("the versions of the last message that has any are listed with their replies", async () => {
  const versions = async () => {
    const reply = await server.call(getVersions, { as: "member", params: { threadId } });
    return (await reply.json()).versions;
  };
  await say("one");
  expect(await versions()).toEqual([]);
  await say("two");
  await change(edit, await idOf("two"), { content: "two, edited" });
  await ended();
  const [, , , second] = await shown();
  await change(regenerate, second?.id ?? "", {});
  await ended();
  expect(await versions()).toMatchObject([
    { text: "two", isShown: false, replies: [{ status: "completed", steps: 1, isShown: false }] },
    { text: "two, edited", isShown: true, replies: [{ isShown: false }, { isShown: true, model: "scripted:m" }] },
  ]);
  const [first] = await versions();
  await show(first.messageId);
  expect((await versions()).map(({ isShown }: { isShown: boolean }) => isShown)).toEqual([true, false]);
  await show(first.replies[0].messageId);
  expect(await texts()).toEqual(["one", "answer 1", "two", "answer 2"]);
});

test("a reply is answered again from the same message, by another agent for this once", async () => {
  await say("one");
  const [asked, first] = await shown();
  expect(await change(regenerate, first?.id ?? "", {})).toMatchObject({ status: 202 });
  await ended();
  expect(await texts()).toEqual(["one", "answer 2"]);
  const [again, second] = await shown();
  expect(second).toMatchObject({ siblings: [first?.id, second?.id], index: 1 });
  expect(again?.siblings).toBeUndefined();
  await change(regenerate, second?.id ?? "", { agentId: "second" });
  await ended();
  const [, third] = await shown();
  expect(third).toMatchObject({ text: "answer 3", agentName: "Second", index: 2 });
  expect(third?.siblings).toHaveLength(3);
  await say("two");
  expect((await shown()).at(-1)).toMatchObject({ agentName: "First" });
  await show(first?.id ?? "");
  expect((await shown())[0]).toMatchObject({ id: asked?.id, text: "one" });
  expect(await texts()).toEqual(["one", "answer 1"]);
  expect(await change(regenerate, first?.id ?? "", { version: 9 })).toMatchObject({ status: 404 });
  expect(await change(regenerate, first?.id ?? "", { agentId: "nobody" })).toMatchObject({ status: 404 });
});

test("a branch continues while another is shown, and can be shown again", async () => {
  await say("one");
  const [asked] = await shown();
  const held = Promise.withResolvers<void>();
  gate = held.promise;
  await change(edit, asked?.id ?? "", { content: "one, edited" });
  await expect.poll(() => server.database.run.count({ where: { status: "running" } })).toBe(1);
  await show(asked?.id ?? "");
  const detail = await (await server.call(readThread, { as: "member", params: { threadId } })).json();
  expect(detail.messages.map((message: never) => messageOf(message).text)).toEqual(["one", "answer 1"]);
  expect(detail.openRuns).toMatchObject([{ elsewhere: true, text: "one, edited" }]);
  const queued = await server.call(send, { as: "member", params: { threadId }, body: { content: "two" } });
  const { status, messageId } = await queued.json();
  expect(status).toBe("queued");
  expect(await change(edit, messageId, { content: "other" })).toMatchObject({ status: 409 });
  held.resolve();
  await ended();
  expect(await texts()).toEqual(["one", "answer 1", "two", "answer 3"]);
  await show((await shown())[0]?.siblings?.[1] ?? "");
  expect(await texts()).toEqual(["one, edited", "answer 2"]);
});

test("the Markdown has the branch that is shown, the JSON all of them", async () => {
  await say("one");
  const [asked] = await shown();
  await change(edit, asked?.id ?? "", { content: "another" });
  await ended();
  const params = { threadId };
  const markdown = await server.call(exportThread, { as: "member", params, path: "/?format=md" });
  expect(await markdown.text()).not.toContain("answer 1");
  const json = await (await server.call(exportThread, { as: "member", params, path: "/?format=json" })).json();
  expect(json.messages.map((message: never) => messageOf(message).text)).toEqual([
    ...["one", "answer 1", "another", "answer 2"],
  ]);
});

test("a fork has everything up to the message, and continues on its own", async () => {
  await say("one");
  await say("two");
  const from = await idOf("answer 1");
  const reply = await server.call(fork, {
    as: "member",
    params: { threadId },
    body: { messageId: from, carry: { todos: true, files: false } },
  });
  expect(reply.status).toBe(201);
  const { id } = await reply.json();
  expect(await texts(id)).toEqual(["one", "answer 1"]);
  await say("three", id);
  const sent = server.provider.requests.at(-1)?.body.messages?.filter(({ role }) => role !== "system");
  expect(sent?.map(({ content }) => content)).toEqual(["one", "answer 1", "three"]);
  const third = (await shown(id)).find(({ text }) => text === "three")?.id ?? "";
  threadId = id;
  await change(edit, third, { content: "four" });
  await ended();
  expect(await texts(id)).toEqual(["one", "answer 1", "four", "answer 4"]);
  expect(await change(edit, await idOf("one"), { content: "x" })).toMatchObject({ status: 409 });
});

test("another person's thread and an unknown message are not there", async () => {
  await say("one");
  const [asked] = await shown();
  expect((await show(asked?.id ?? "", "admin")).status).toBe(404);
  expect((await show("msg_unknown")).status).toBe(404);
  expect(await change(edit, "msg_unknown", { content: "x" })).toMatchObject({ status: 404 });
});
