import { afterEach, beforeEach, expect, test } from "vitest";
import { createThread } from "@/lib/server/threads/change-thread";
import { countEvents, readStream } from "@/lib/testing/servers/read-thread-stream";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { POST as send } from "./[threadId]/messages/route";
import { PATCH as change, DELETE as remove } from "./[threadId]/queue/[messageId]/route";
import { GET as list } from "./[threadId]/queue/route";
import { GET as stream } from "./[threadId]/stream/route";

let server: RunServer;
let threadId = "";

/** A model that never answers. */
beforeEach(async () => {
  server = await startRunServer([{ text: "x", fault: { kind: "silence" } }]);
  threadId = (await createThread(server.services, { id: "member" }, "plain")).id;
});
afterEach(() => server.close());

const say = async (content: string, mode?: "steer") => {
  const reply = await server.call(send, { as: "member", params: { threadId }, body: { content, mode } });
  return (await reply.json()) as { runId: string; messageId: string; status: string };
};
const queue = async () => {
  const { messages } = await (await server.call(list, { as: "member", params: { threadId } })).json();
  return messages.map((one: { mode: string; position: number; content: string }) =>
    [one.position, one.mode, one.content].join(" "),
  );
};
const patch = (messageId: string, body: object, as: "member" | "admin" = "member") =>
  server.call(change, { as, method: "PATCH", params: { threadId, messageId }, body });
const running = () => expect.poll(() => server.database.run.count({ where: { threadId, status: "running" } })).toBe(1);

test("the queue is listed, edited, moved, steered and thinned out, and every device is told", async () => {
  const first = await say("go");
  await running();
  const reader = readStream(await server.call(stream, { as: "member", params: { threadId } }));
  const [one, two] = [await say("one"), await say("two")];
  const steer = await say("steer", "steer");
  expect(steer).toMatchObject({ runId: first.runId, status: "running" });
  expect(await queue()).toEqual(["1 steer steer", "2 queue one", "3 queue two"]);

  const moved = await patch(two.messageId, { position: 2, content: "two, first" });
  expect(moved.status).toBe(200);
  expect((await moved.json()).messages.map(({ runId }: { runId: string }) => runId)[1]).toBe(two.runId);
  expect((await patch(one.runId, { mode: "steer" })).status).toBe(200);
  expect(await queue()).toEqual(["1 steer steer", "2 steer one", "3 queue two, first"]);
  const gone = await server.call(remove, {
    as: "member",
    method: "DELETE",
    params: { threadId, messageId: steer.messageId },
  });
  expect(gone.status).toBe(204);
  expect(await queue()).toEqual(["1 steer one", "2 queue two, first"]);
  await reader.until((events) => countEvents(events, "queue-changed") >= 1);
  await reader.close();
});

test("what the agent has is a conflict, another person's queue is not found, and an empty change is refused", async () => {
  const first = await say("go");
  await running();
  const next = await say("next");
  expect((await patch(first.messageId, { content: "changed" })).status).toBe(409);
  expect((await patch(first.runId, { position: 1 })).status).toBe(409);
  expect((await patch("msg_unknown", { position: 1 })).status).toBe(404);
  expect((await patch(next.messageId, { content: "mine now" }, "admin")).status).toBe(404);
  expect((await patch(next.messageId, {})).status).toBe(400);
  expect((await patch(next.messageId, { content: "  " })).status).toBe(400);
  expect(await queue()).toEqual(["1 queue next"]);
});
