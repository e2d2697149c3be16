import { afterEach, expect, test } from "vitest";
import { POST as compact } from "@/app/api/threads/[threadId]/compact/route";
import { type Conversation, startConversation } from "@/lib/testing/fixtures/compaction-fixture";

let talk: Conversation;
afterEach(() => talk.server.close());

/** The running compaction and its model call. */
const openSpans = () =>
  talk.server.database.span.findMany({ where: { name: { in: ["compaction", "llm.call"] }, status: "running" } });

test("a compaction that died with its process is given up by the others when its lease has run out", async () => {
  const gate = Promise.withResolvers<void>();
  let summaries = 0;
  const answer = { text: "They talked." };
  const summary = () => (++summaries === 1 ? { ...answer, gate: gate.promise } : answer);
  talk = await startConversation({}, { summary });
  await talk.turns(3);
  const { id } = await talk.thread();
  const byHand = () => talk.server.call(compact, { as: "member", method: "POST", params: { threadId: id } });
  const dead = byHand();
  await expect.poll(async () => (await openSpans()).length).toBe(2);
  // The row as it is 15 s after a kill: nobody renews a lock held under another name.
  const abandoned = { compactionOwner: "cmp_dead", compactionUntil: new Date(Date.now() - 1) };
  await talk.server.database.thread.update({ where: { id }, data: abandoned });
  await expect.poll(async () => (await talk.thread()).compactionOwner).toBeNull();
  await expect.poll(openSpans).toEqual([]);
  expect((await byHand()).status).toBe(200);
  gate.resolve();
  await dead;
  expect((await talk.thread()).compactionCount).toBe(1);
});
