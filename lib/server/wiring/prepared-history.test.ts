import { afterEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as threadState } from "@/app/agents/[id]/threads/[threadId]/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { createAgent } from "@/lib/server/agents/publish-version";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
afterEach(() => server.close());

async function start(script: Parameters<typeof startRunServer>[0], config: Partial<AgentConfigInput>) {
  server = await startRunServer(script);
  const raw = { name: "A", model: "scripted:m", retries: 0, ...config };
  await createAgent(server.services, { agentId: "a", raw, createdById: null });
}
async function ask(content: string) {
  const body = { messages: [{ role: "user", content }], thread_id: "t" };
  return server.call(invoke, { as: "member", params: { id: "a" }, body });
}
const lastRequest = () => server.provider.requests.at(-1)?.body.messages?.map(({ content }) => content);

test.each([
  [null, ["1", "ok", "2", "ok", "3", "ok", "4"]],
  [1, ["3", "ok", "4"]],
  [2, ["2", "ok", "3", "ok", "4"]],
  [3, ["1", "ok", "2", "ok", "3", "ok", "4"]],
])("with limit_turns %s the fourth message is sent with the turns before it", async (limit_turns, contents) => {
  await start([{ text: "ok" }], { history: { limit_turns } });
  for (const text of ["1", "2", "3", "4"]) await ask(text);
  expect(lastRequest()).toEqual(contents);
});

test("injected context is sent first in every run and never stored", async () => {
  await start([{ text: "ok" }], { inject_context: "The office is closed." });
  await ask("1");
  await ask("2");
  expect(lastRequest()).toEqual(["The office is closed.", "1", "ok", "2"]);
  const state = await server.call(threadState, { as: "member", params: { id: "a", threadId: "t" } });
  expect((await state.json()).messages.map(({ content }: { content: string }) => content)).toEqual([
    "1",
    "ok",
    "2",
    "ok",
  ]);
});

/** A call with a result of 6,000 characters (1,500 tokens) before the last three replies. */
async function addOldResult(): Promise<void> {
  const thread = await server.database.thread.findFirstOrThrow();
  const call = { id: "c1", name: "read_file", args: {}, rawArgs: "{}" };
  const replies = ["a", "b", "c"].map((content) => ({ role: "assistant", content }));
  const rows = [
    { role: "assistant", content: "", toolCalls: JSON.stringify([call]) },
    { role: "tool", content: "x".repeat(6_000), toolCallId: "c1", name: "read_file" },
    ...replies,
  ];
  await server.database.message.createMany({
    data: rows.map((row, index) => ({
      ...row,
      id: `m${index}`,
      threadId: thread.id,
      runId: "r",
      position: 100 + index,
    })),
  });
}

test.each([
  [4_999, true],
  [5_000, true],
  [5_001, false],
])("an old result of 1,500 tokens in a window of %i is trimmed for the model only: %s", async (window, isTrimmed) => {
  await start([{ text: "ok" }], { context_window: window, summarization: { enabled: false } });
  await ask("1");
  await addOldResult();
  await ask("2");
  const result = lastRequest()?.find((content) => String(content).startsWith("xxx")) as string;
  expect(result).toBe(isTrimmed ? `${"x".repeat(1_500)}...${"x".repeat(1_500)}` : "x".repeat(6_000));
  expect((await server.database.message.findFirstOrThrow({ where: { id: "m1" } })).content).toHaveLength(6_000);
  if (!isTrimmed) return;
  await reached(async () => (await server.database.span.count({ where: { name: "pruning" } })) === 1);
});

test("a call without a result is sent with S4's placeholder", async () => {
  await start([{ text: "ok" }], {});
  await ask("1");
  await addOldResult();
  await server.database.message.delete({ where: { id: "m1" } });
  await ask("2");
  expect(lastRequest()).toContain("[Tool result missing -- session was compacted]");
});
