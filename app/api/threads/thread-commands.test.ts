import { afterEach, beforeEach, expect, test } from "vitest";
import { createThread } from "@/lib/server/threads/change-thread";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { POST as cancel } from "./[threadId]/cancel/route";
import { POST as send } from "./[threadId]/messages/route";

let server: RunServer;
const threads: string[] = [];

/** A model that never answers, and two threads of the member. */
beforeEach(async () => {
  server = await startRunServer([{ text: "x", fault: { kind: "silence" } }]);
  threads.splice(
    0,
    2,
    (await createThread(server.services, { id: "member" }, "plain")).id,
    (await createThread(server.services, { id: "member" }, "plain")).id,
  );
});
afterEach(() => server.close());

const say = async (content: string, threadId = threads[0] ?? "") => {
  const reply = await server.call(send, { as: "member", params: { threadId }, body: { content } });
  return { status: reply.status, body: await reply.json() };
};
const stop = (query = "", as: "member" | "admin" = "member", threadId = threads[0] ?? "") =>
  server.call(cancel, { as, method: "POST", params: { threadId }, path: `/${query}` });
const statuses = async () => {
  const runs = await server.database.run.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
  return runs.map(({ status }) => status);
};
const running = () => expect.poll(statuses).toContain("running");

test("/stop ends the thread's run, holds what is queued, and is not stored as a message", async () => {
  await say("go");
  await say("and then this");
  await say("elsewhere", threads[1]);
  await running();
  expect(await say(" /Stop ")).toEqual({ status: 200, body: { command: "stop", cancelled: 1, held: 1 } });
  await expect.poll(statuses).toEqual(["cancelled", "queued", "running"]);
  const said = await server.database.transcriptMessage.findMany({ where: { role: "user" } });
  expect(said.map(({ text }) => text).toSorted()).toEqual(["elsewhere", "go"]);
});

test("/stopall ends the runs of all threads of the person", async () => {
  await say("go");
  await say("elsewhere", threads[1]);
  await running();
  expect((await say("/stopall")).body).toEqual({ command: "stopall", cancelled: 2 });
  await expect.poll(statuses).toEqual(["cancelled", "cancelled"]);
});

test("/compact replies with what was done, and is refused while a run is running", async () => {
  const nothing = { compacted: 0, kept: 0, tokensBefore: 0, tokensAfter: 0, estimated: true };
  expect(await say("/compact")).toEqual({ status: 200, body: { command: "compact", compaction: nothing } });
  await say("go");
  expect((await say("/compact")).status).toBe(409);
});

test("text that only begins like a command is a message", async () => {
  expect((await say("/stop that, please")).status).toBe(202);
});

test("a thread's runs are stopped through its own route, one by one only when they are the thread's", async () => {
  const { runId } = (await say("go")).body;
  const other = (await say("elsewhere", threads[1])).body.runId;
  await running();
  expect((await stop(`?runId=${other}`)).status).toBe(404);
  expect((await stop("", "admin")).status).toBe(404);
  expect(await (await stop(`?runId=${runId}`)).json()).toEqual({ cancelled: 1 });
  await expect.poll(statuses).toEqual(["cancelled", "running"]);
  expect(await (await stop()).json()).toEqual({ cancelled: 0 });
});
