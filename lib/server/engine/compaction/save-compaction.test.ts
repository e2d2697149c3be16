import { expect, test } from "vitest";
import { releaseThread } from "@/lib/server/platform/db/queries/threads";
import { runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { saveCompaction } from "./save-compaction";
import { lockThread } from "./thread-lock";

const { database } = runDatabase();
const data = {
  ...{ compacted: 4, kept: 2, tokensBefore: 900, tokensAfter: 90, count: 1 },
  ...{ estimated: true as const, memoryFlushed: false, summary: "They talked." },
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
  expect(await thread()).toMatchObject({ summary: null, compactionCount: 0 });
  await saveCompaction(database(), { run, lockOwner: holder, cutId: "msg_1", data });
  expect(await thread()).toMatchObject({ summary: "They talked.", compactionCount: 1 });
});
