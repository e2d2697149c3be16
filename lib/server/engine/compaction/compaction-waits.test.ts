import { afterEach, expect, test } from "vitest";
import { POST as carryOn } from "@/app/api/runs/[runId]/continue/route";
import { POST as compact } from "@/app/api/threads/[threadId]/compact/route";
import { type Conversation, saidIn, startConversation } from "@/lib/testing/fixtures/compaction-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";

let talk: Conversation;
afterEach(() => talk.server.close());

const start = async (...options: Parameters<typeof startConversation>) => {
  talk = await startConversation(...options);
};

test("more than max_messages compact only from min_ratio of the window on", async () => {
  await start({ context_window: 100, compaction: { max_messages: 4, min_ratio: 0.1 } });
  await talk.turns(3);
  await talk.turns(1);
  await talk.compacted(1);
  expect(talk.requests("summary")).toHaveLength(1);
  expect(saidIn(talk.requests("summary")[0]).join()).toContain("question 1");
});

const uses = (text: string) => ({ text, calls: [{ name: "calculate", args: { expression: "1+1" } }] });

test("a run that stopped at its limit is not compacted: Continue still reads all of it, and the run after it is", async () => {
  let asked = 0;
  const turn = () => (++asked <= 2 ? uses(`step ${asked}`) : { text: "fine" });
  await start({ max_iterations: 2, tools: ["calculate"], compaction: { max_messages: 1, keep_last: 1 } }, { turn });
  await talk.say("go");
  const limited = await talk.server.database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  expect(limited.status).toBe("limit");
  const sent = await talk.server.call(carryOn, { method: "POST", as: "member", params: { runId: limited.id } });
  expect(sent.status, await sent.clone().text()).toBe(202);
  await talk.compacted(1);
  expect(saidIn(talk.requests("turn").at(-1)).map((line) => line.split(":")[0])).toEqual([
    ...["user", "assistant", "tool", "assistant", "tool"],
  ]);
});

test("a summary that would not be shorter is dropped: history and count stay, and its tokens count", async () => {
  const summary = () => ({ text: "long ".repeat(200), usage: { input: 70, output: 7 } });
  await start({ compaction: { max_messages: 3, keep_last: 1 } }, { summary });
  await talk.turns(2);
  const ended = { name: "compaction", endedAt: { not: null } };
  await reached(async () => (await talk.server.database.span.count({ where: ended })) > 0);
  const span = await talk.server.database.span.findFirst({ where: ended });
  expect([span?.status, span?.attributes]).toEqual(["completed", expect.stringContaining("not have been shorter")]);
  expect(talk.requests("summary")).toHaveLength(1);
  expect(await talk.state()).toMatchObject({ summary: null, compaction_count: 0 });
  const last = await talk.server.database.run.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
  expect(last.inputTokens).toBe(10 + 70);
});

test("a person who compacts by hand is told that the summary was dropped", async () => {
  const summary = () => ({ text: "long ".repeat(200) });
  await start({ compaction: { keep_last: 1 } }, { summary });
  await talk.turns(2);
  const { id: threadId } = await talk.thread();
  const reply = await talk.server.call(compact, { as: "member", method: "POST", params: { threadId } });
  expect(await reply.json()).toMatchObject({ compacted: 0, kept: 4, dropped: true });
});
