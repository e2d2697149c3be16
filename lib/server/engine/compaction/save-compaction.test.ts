import { expect, test } from "vitest";
import { releaseThread } from "@/lib/server/platform/db/queries/threads";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { saveCompaction } from "./save-compaction";
import { lockThread } from "./thread-lock";

const { database } = runDatabase();
const data = {
  compacted: 4,
  kept: 2,
  tokensBefore: 900,
  tokensAfter: 90,
  count: 1,
  estimated: true as const,
  memoryFlushed: false,
  summary: "They talked.",
};

test("a caller that lost the thread's lock saves no summary, whether or not another holds it now", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "Hello");
  const run = await database().run.findUniqueOrThrow({ where: { id: runId } });
  const late = (await lockThread(database(), "th1", 60_000)) ?? "";
  await releaseThread(database(), "th1", late);
  const holder = (await lockThread(database(), "th1", 60_000)) ?? "";
  const thread = () => database().thread.findUniqueOrThrow({ where: { id: "th1" } });

  const tooLate = saveCompaction(database(), { run, lockOwner: late, cutId: "msg_1", data });
  await expect(tooLate).rejects.toMatchObject({ name: "LeaseLost" });
  expect(await thread()).toMatchObject({ compactionCount: 0 });
  expect(await database().compaction.count()).toBe(0);
  await saveCompaction(database(), { run, lockOwner: holder, cutId: "msg_1", data });
  expect(await thread()).toMatchObject({ compactionCount: 1 });
  expect(await database().compaction.findMany()).toMatchObject([
    { summary: "They talked.", afterRunId: runId, count: 1 },
  ]);
});

test("a subagent's card that changes while a compaction is being stored keeps its change", async () => {
  await seedThread(database());
  const { runId } = await say(database(), "Hello");
  const run = await database().run.findUniqueOrThrow({ where: { id: runId } });
  const where = { id: run.assistantMessageId };
  const card = (status: string) => JSON.stringify([{ type: "data-subagent", data: { status } }]);
  const row = { ...where, threadId: "th1", runId, position: 99, role: "assistant", text: "" };
  await database().transcriptMessage.create({ data: { ...row, parts: card("running") } });
  const lockOwner = (await lockThread(database(), "th1", 60_000)) ?? "";
  let ended = 0;
  const endingChild = new Proxy(database(), {
    get(target, name) {
      if (name !== "$transaction" || ended++ > 0) return Reflect.get(target, name);
      return async (queries: []) => {
        await target.transcriptMessage.update({ where, data: { parts: card("completed") } });
        return target.$transaction(queries);
      };
    },
  });
  await saveCompaction(endingChild, { run, lockOwner, cutId: "msg_1", data });
  const { parts } = await database().transcriptMessage.findUniqueOrThrow({ where });
  expect(JSON.parse(parts)).toMatchObject([{ data: { status: "completed" } }, { type: "data-compaction" }]);
});
