import { afterEach, expect, test } from "vitest";
import { POST as compact } from "@/app/api/threads/[threadId]/compact/route";
import { type Conversation, startConversation } from "@/lib/testing/fixtures/compaction-fixture";

let talk: Conversation;
afterEach(() => talk.server.close());

/** The running compaction and its model call. */
const openSpans = () =>
  talk.server.database.span.findMany({ where: { name: { in: ["compaction", "llm.call"] }, status: "running" } });

test("a compaction that died with its process leaves no lock to the next one, and its spans have ended", async () => {
  const gate = Promise.withResolvers<void>();
  let summaries = 0;
  const answer = { text: "They talked." };
  talk = await startConversation(
    {},
    { summary: () => (++summaries === 1 ? { ...answer, gate: gate.promise } : answer) },
  );
  await talk.turns(3);
  const { id: threadId } = await talk.thread();
  const byHand = () => talk.server.call(compact, { as: "member", method: "POST", params: { threadId } });
  const dead = byHand();
  await expect.poll(async () => (await openSpans()).length).toBe(2);
  await talk.server.restart();
  expect(await openSpans()).toEqual([]);
  expect((await byHand()).status).toBe(200);
  gate.resolve();
  await dead;
  expect((await talk.thread()).compactionCount).toBe(1);
});
