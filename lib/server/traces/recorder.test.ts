import { afterEach, beforeEach, expect, test } from "vitest";
import { interruptSpans } from "@/lib/server/platform/db/queries/spans";
import { createLogger } from "@/lib/server/platform/logger";
import { forgetProcessState, processState } from "@/lib/server/platform/process-state";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { processorTimeMs } from "@/lib/testing/reading/processor-time";
import { createRecorder, flushDelayMs, flushSpans, SpanBuffer } from "./recorder";

let testDatabase: TestDatabase;
let buffer: SpanBuffer;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  buffer = new SpanBuffer(testDatabase.database);
});
afterEach(async () => {
  await buffer.flush();
  await testDatabase.close();
});

const RUN = { traceId: "tr_1", runId: "run_1", rootId: "sp_root" };
const spans = () => testDatabase.database.span.findMany({ orderBy: { id: "asc" } });

async function addTrace() {
  const row = { id: "tr_1", runId: "run_1", ownerId: "u", threadId: "t", agentId: "a", agentVersionId: "v" };
  const data = { ...row, agentVersion: 1, status: "running", startedAt: new Date() };
  await testDatabase.database.trace.create({ data });
}

test("a span is stored while it is open and again when it has ended, once", async () => {
  const recorder = createRecorder(buffer, RUN);
  const span = recorder.startSpan({ name: "llm.call", type: "llm", attributes: { step: 1 } });
  await buffer.flush();
  expect(await spans()).toMatchObject([{ status: "running", endedAt: null, parentId: "sp_root" }]);
  span.set({ output_tokens: 5 });
  span.end("completed");
  span.end("failed", "too late");
  await buffer.flush();
  const [stored] = await spans();
  expect(stored).toMatchObject({ status: "completed", error: null, endedAt: expect.any(Date) });
  expect(JSON.parse(stored?.attributes ?? "")).toEqual({ step: 1, output_tokens: 5 });
});

test("spans are stored by themselves within a moment", async () => {
  createRecorder(buffer, RUN).recordEvent("loop_guard", { reason: "again" });
  await expect.poll(async () => (await spans()).length).toBe(1);
});

test("a reader waits while a trace's spans are being stored", async () => {
  createRecorder(buffer, RUN).recordEvent("loop_guard", { reason: "again" });
  let isStored = false;
  void buffer.flush().then(() => {
    isStored = true;
  });
  // Storing has begun.
  await Promise.resolve();
  await flushSpans();
  expect(isStored).toBe(true);
});

test("what a trace can't keep is counted on it", async () => {
  await addTrace();
  const small = new SpanBuffer(testDatabase.database, 100);
  const recorder = createRecorder(small, RUN);
  for (let index = 0; index < 105; index++) recorder.recordEvent("e", {});
  await small.flush();
  expect(await testDatabase.database.span.count()).toBe(100);
  expect((await testDatabase.database.trace.findFirst())?.droppedSpans).toBe(5);
});

test("a database that accepts nothing gives one line in the log, and another when all is stored", async () => {
  const lines: string[] = [];
  forgetProcessState("logger");
  processState("logger", () => createLogger("info", { write: (line) => void lines.push(JSON.parse(line).msg) }));
  await testDatabase.database.raw('alter table "span" rename to "away"');
  createRecorder(buffer, RUN).recordEvent("e", {});
  for (let attempt = 0; attempt < 3; attempt++) await buffer.flush();
  await testDatabase.database.raw('alter table "away" rename to "span"');
  await buffer.flush();
  forgetProcessState("logger");
  expect(lines).toEqual(["could not store spans; trying again", "spans are stored again"]);
  expect(await spans()).toHaveLength(1);
});

test("spans are stored again after everything has failed at once, the line about it too", async () => {
  forgetProcessState("logger");
  const write = () => {
    throw new Error("no space left on device");
  };
  processState("logger", () => createLogger("info", { write }));
  await testDatabase.database.raw('alter table "span" rename to "away"');
  createRecorder(buffer, RUN).recordEvent("e", {});
  await buffer.flush().catch(() => undefined);
  forgetProcessState("logger");
  await testDatabase.database.raw('alter table "away" rename to "span"');
  await buffer.flush();
  expect(await spans()).toHaveLength(1);
});

test("retries become rarer while it fails, down to one every five seconds", () => {
  expect([0, 1, 2, 5, 6, 1_000].map(flushDelayMs)).toEqual([100, 200, 400, 3_200, 5_000, 5_000]);
});

test("recording costs less than 0.1 ms a span", () => {
  const recorder = createRecorder(buffer, RUN);
  const spentMs = processorTimeMs(() => {
    for (let index = 0; index < 5_000; index++) {
      recorder.startSpan({ name: "tool.call", type: "tool", attributes: { step: index } }).end("completed");
    }
  });
  expect(spentMs / 5_000).toBeLessThan(0.1);
});

test("spans of a process that died are closed as interrupted, but for the root", async () => {
  const recorder = createRecorder(buffer, RUN);
  const done = recorder.startSpan({ name: "llm.call", type: "llm" });
  recorder.startSpan({ name: "tool.call", type: "tool" });
  done.end("completed");
  await buffer.flush();
  await interruptSpans(testDatabase.database, { runId: "run_1", traceId: "tr_1" }, "sp_root");
  expect((await spans()).map(({ status }) => status).toSorted()).toEqual(["completed", "interrupted"]);
});
