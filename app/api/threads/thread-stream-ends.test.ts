import { expect, test, vi } from "vitest";
import { createThread } from "@/lib/server/threads/change-thread";
import { ends, outline, started, threadStreamTests } from "@/lib/testing/fixtures/thread-stream-fixture";
import { countEvents } from "@/lib/testing/servers/read-thread-stream";
import { DELETE as deleteThread } from "./[threadId]/route";
import { GET as stream } from "./[threadId]/stream/route";

const { server, threadId, useThread, say, follow } = threadStreamTests((gate) => ({
  slow: [{ text: "Late.", gate }],
}));

test("a cursor whose events are gone is answered with reset, and then the last run as it is stored", async () => {
  const runId = await say("one");
  const whole = await follow();
  await whole.until(ends(1));
  const other = (await createThread(server().services, { id: "member" }, "plain")).id;
  for (const cursor of ["run_unknown:3", "nonsense!", `${runId}:9999`]) {
    const reader = await follow({ cursor });
    await reader.until(ends(1));
    expect(outline(reader)).toEqual(["reset {}", ...outline(whole)]);
  }
  await server().database.runEvent.deleteMany({ where: { runId } });
  const reader = await follow({ cursor: `${runId}:2` });
  await reader.until(ends(1));
  expect(outline(reader)).toEqual(["reset {}", ...outline(whole)]);
  // A reader can still resume after the end of a run whose rows are gone.
  const rest = await follow({ cursor: reader.events.at(-1)?.id });
  const next = await say("two");
  await rest.until(ends(1));
  expect(outline(rest)[0]).toBe(started(next));
  useThread(other);
  const foreign = await follow({ cursor: `${runId}:1` });
  await foreign.until(({ length }) => length > 0);
  expect(outline(foreign)).toEqual(["reset {}"]);
});

test("someone else's thread and one that is not there are the same 404, for admins too", async () => {
  for (const [as, id] of [
    ["viewer", threadId()],
    ["admin", threadId()],
    ["member", "th_none"],
  ] as const) {
    const reply = await server().call(stream, { as, params: { threadId: id } });
    expect([reply.status, (await reply.json()).error.code]).toEqual([404, "not_found"]);
  }
});

test("the stream of a deleted thread ends, in the middle of a run and between two", async () => {
  await say("one");
  const idle = await follow();
  await idle.until(ends(1));
  await say("slow");
  await idle.until((events) => countEvents(events, "run-start") === 2);
  await server().call(deleteThread, { method: "DELETE", as: "member", params: { threadId: threadId() } });
  await vi.waitUntil(() => idle.isOver, { timeout: 30_000 });
  expect((await server().call(stream, { as: "member", params: { threadId: threadId() } })).status).toBe(404);

  useThread((await createThread(server().services, { id: "member" }, "coder")).id);
  const quiet = await follow();
  await server().call(deleteThread, { method: "DELETE", as: "member", params: { threadId: threadId() } });
  await vi.waitUntil(() => quiet.isOver, { timeout: 30_000 });
});

test("a reader who loses access is cut off at the next heartbeat, and others keep reading", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const key = await server().addKey("member", ["read"]);
  const revoked = await follow({ key });
  const other = await follow();
  await server().database.apiKey.updateMany({
    where: { userId: "member", scopes: '["read"]' },
    data: { revokedAt: new Date() },
  });
  await vi.advanceTimersByTimeAsync(15_000);
  await vi.waitUntil(() => revoked.isOver, { timeout: 30_000 });
  await say("one");
  await other.until(ends(1));
});
