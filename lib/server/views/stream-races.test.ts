import type { Compilable, CompiledQuery } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { POST as cancel } from "@/app/api/runs/[runId]/cancel/route";
import { GET as runStream } from "@/app/api/runs/[runId]/stream/route";
import { DELETE as deleteThread } from "@/app/api/threads/[threadId]/route";
import { keepServices, processServices } from "@/lib/server/wiring/services";
import { ended, ends, outline, started, threadStreamTests } from "@/lib/testing/fixtures/thread-stream-fixture";
import { readStream, type StreamReader } from "@/lib/testing/servers/read-thread-stream";

const { server, threadId, openGate, say, follow } = threadStreamTests((gate) => ({
  slow: [{ text: ["Answer ", "to slow."], gate }],
  two: [{ text: "Answer to two." }],
}));

/** What the streams that open from now on read arrives only once `meanwhile` is over. */
function readSlowly(meanwhile: () => Promise<unknown>): void {
  const services = processServices();
  const fast = services.database;
  const isOpening = (sql: string) => sql.includes('"run_event" as "e"');
  const execute = async (query: Compilable<object> | CompiledQuery<object>) => {
    const compiled = "sql" in query ? query : query.compile();
    const rows = await fast.execute(compiled);
    if (isOpening(compiled.sql)) await meanwhile();
    return rows;
  };
  keepServices({ ...services, database: { ...fast, execute } as typeof fast });
  onTestFinished(() => void keepServices(services));
}

async function hasEnded(runId: string): Promise<void> {
  await vi.waitUntil(
    async () => (await server().database.run.findUniqueOrThrow({ where: { id: runId } })).endedAt !== null,
    { timeout: 30_000, interval: 5 },
  );
}

async function followRunOf(runId: string): Promise<StreamReader> {
  const reader = readStream(await server().call(runStream, { as: "member", params: { runId } }));
  onTestFinished(() => reader.close());
  return reader;
}

test("what a run does while its streams open is sent once and in order", async () => {
  const runId = await say("slow");
  const whole = await follow();
  await whole.until((events) => events.some(({ data }) => data.includes("start-step")));
  readSlowly(async () => {
    openGate();
    await hasEnded(runId);
  });
  const reader = await follow();
  await reader.until(ends(1));
  await whole.until(ends(1));
  expect(reader.events).toEqual(whole.events);
  const own = await followRunOf(runId);
  await own.until((events) => events.at(-1)?.data === "[DONE]");
  expect(outline({ ...own, events: own.events.slice(0, -1) })).toEqual(["text Answer to slow."]);
});

test("so is what another process stores of it", async () => {
  const runId = await say("slow");
  const whole = await follow();
  await whole.until((events) => events.some(({ data }) => data.includes("start-step")));
  await whole.close();
  readSlowly(async () => {
    const { _max } = await server().database.runEvent.aggregate({ where: { runId }, _max: { seq: true } });
    const event = { type: "text.delta", step: 1, delta: "From elsewhere" };
    const row = { runId, seq: (_max.seq ?? 0) + 1, epoch: 1, type: event.type, data: JSON.stringify(event) };
    await server().database.runEvent.create({ data: { ...row, createdAt: new Date() } });
  });
  const [reader, own] = [await follow(), await followRunOf(runId)];
  const hasArrived = (events: StreamReader["events"]) => events.some(({ data }) => data.includes("From elsewhere"));
  await reader.until(hasArrived);
  await own.until(hasArrived);
  await server().call(cancel, { method: "POST", as: "member", params: { runId } });
});

test("a message that is sent while the stream opens is answered in it", async () => {
  const first = await say("one");
  await hasEnded(first);
  let second = "";
  readSlowly(async () => {
    second ||= await say("two");
  });
  const reader = await follow({ cursor: first });
  await reader.until(ends(1));
  expect(outline(reader)).toEqual([started(second), "text Answer to two.", ended()]);
});

test("the stream of a thread that is deleted while it opens ends", async () => {
  await hasEnded(await say("one"));
  readSlowly(() => server().call(deleteThread, { method: "DELETE", as: "member", params: { threadId: threadId() } }));
  const reader = await follow();
  await vi.waitUntil(() => reader.isOver, { timeout: 30_000 });
});

test("a log of which a part is already deleted is read as it is", async () => {
  const runId = await say("two");
  await hasEnded(runId);
  await server().database.runEvent.deleteMany({ where: { runId, seq: { lt: 3 } } });
  const reader = await follow();
  await reader.until(ends(1));
  const own = await followRunOf(runId);
  await own.until((events) => events.at(-1)?.data === "[DONE]");
  expect(outline(reader)[0]).toBe(started(runId));
});
