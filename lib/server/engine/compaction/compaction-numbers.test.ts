import { afterEach, expect, test } from "vitest";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { type Answer, type Conversation, saidIn, startConversation } from "@/lib/testing/fixtures/compaction-fixture";

let talk: Conversation;
afterEach(() => talk.server.close());

async function start(config: Partial<AgentConfigInput>, answers: Partial<Record<"flush" | "summary", Answer>> = {}) {
  talk = await startConversation(config, answers);
}
const spans = (name: string) => talk.server.database.span.findMany({ where: { name, endedAt: { not: null } } });

test.each([
  [1, 5],
  [4, 2],
  [5, 1],
])("with keep_last %i a compaction of six messages summarises %i", async (keep_last, summarised) => {
  await start({ compaction: { max_messages: 5, keep_last } });
  await talk.turns(3);
  await talk.compacted(1);
  const said = saidIn(talk.requests("summary")[0]).join();
  expect(said.match(/\[(User|Assistant)\]/g)).toHaveLength(summarised);
});

test.each([
  [0.5, 50],
  [0.9, 90],
])("with a ratio of %d nothing happens at %i of 100 tokens, and one more is too many", async (ratio, tokens) => {
  await start({ context_window: 100, compaction: { ratio, keep_last: 1 } });
  // Each answer counts one token, "abc" none.
  await talk.say("x".repeat((tokens - 1) * 4));
  await talk.say("abc");
  await talk.compacted(1);
  expect(talk.requests("summary")).toHaveLength(1);
  expect(saidIn(talk.requests("summary")[0]).join()).toContain("[User]\nabc");
});

test("a summary that takes longer than timeout_ms has failed, and its span says why", async () => {
  await start(
    { compaction: { max_messages: 2, timeout_ms: 50 } },
    { summary: () => ({ gate: new Promise(() => {}) }) },
  );
  await talk.turns(3);
  await expect.poll(async () => (await spans("compaction")).length).toBe(1);
  expect((await spans("compaction"))[0]).toMatchObject({
    status: "failed",
    error: expect.stringContaining("compaction.timeout_ms"),
  });
  await talk.compacted(0);
});

const MEMORY: Partial<AgentConfigInput> = { backend: { type: "state" }, memory: { paths: ["AGENTS.md"] } };

test.each([1, 2, 7])("a flush with max_iterations %i makes as many model calls", async (max_iterations) => {
  const write: Answer = () => ({ calls: [{ name: "write_file", args: { path: "AGENTS.md", content: "again" } }] });
  const memory_flush = { enabled: true, always: true, max_iterations };
  await start({ ...MEMORY, memory_flush, compaction: { max_messages: 4 } }, { flush: write });
  await talk.turns(3);
  await talk.compacted(1);
  expect(talk.requests("flush")).toHaveLength(max_iterations);
});

test.each([
  [1, 2],
  [3, 4],
  [6, 7],
  [7, 7],
])("a flush with recent_messages %i after six messages sends %i", async (recent_messages, sent) => {
  const memory_flush = { enabled: true, always: true, recent_messages };
  await start({ ...MEMORY, memory_flush, compaction: { max_messages: 5 } });
  await talk.turns(3);
  await talk.compacted(1);
  expect(saidIn(talk.requests("flush")[0])).toHaveLength(sent);
});
