import { afterEach, expect, test } from "vitest";
import { PUT as upload } from "@/app/agents/[id]/files/upload/route";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as threadState } from "@/app/agents/[id]/threads/[threadId]/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import { createAgent } from "@/lib/server/agents/publish-version";
import { QUIET_AGENT } from "@/lib/testing/fixtures/quiet-agent";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

const PRUNED = {
  ...QUIET_AGENT,
  pruning: { enabled: true },
  backend: { type: "state" },
  eviction: { enabled: false },
} as const;
const READ = { calls: [{ name: "read_file", args: { path: "a.txt" } }] };
/** The tokens of the conversation besides the result: the call's raw arguments. */
const OTHER_TOKENS = 4;
const CLEARED = "[Old tool result content cleared]";
const TRIMMED = `${"x".repeat(1_500)}...${"x".repeat(1_500)}`;

let server: RunServer;
afterEach(() => server.close());

async function say(content: string): Promise<void> {
  const body = { messages: [{ role: "user", content }], thread_id: "t" };
  expect((await server.call(invoke, { as: "member", params: { id: "a" }, body })).status).toBe(200);
}

/** What the model reads of a result of `length` characters that is followed by `replies` replies. */
async function resultRead(length: number, config: Partial<AgentConfigInput>, replies = 3): Promise<unknown> {
  let asked = 0;
  server = await startRunServer(() => (asked++ === 0 ? READ : { text: "k" }));
  await createAgent(server.services, { agentId: "a", raw: { name: "A", ...PRUNED, ...config }, createdById: null });
  const file = { path: "a.txt", content: "x".repeat(length) };
  await server.call(upload, { method: "PUT", as: "member", params: { id: "a" }, body: file });
  for (let turn = 0; turn <= replies; turn += 1) await say("b");
  return server.provider.requests.at(-1)?.body.messages?.find(({ role }) => role === "tool")?.content;
}

test.each([
  [3_999, 3_999],
  [4_000, 4_000],
  [4_001, TRIMMED.length],
])("soft trim leaves %i of a result's characters as %i", async (length, left) => {
  expect(await resultRead(length, { context_window: 2_001 })).toHaveLength(left);
});

/** The window of which the rest of a soft trim, 3,003 characters, is this share. */
const windowOf = (share: number) => (Math.floor(TRIMMED.length / 4) + OTHER_TOKENS) / share;

test.each([
  [windowOf(0.5) + 1, TRIMMED.length],
  [windowOf(0.5), CLEARED.length],
  [windowOf(0.5) - 1, CLEARED.length],
])("in a window of %i a trimmed result of 50,000 has %i characters left", async (context_window, left) => {
  expect(await resultRead(50_000, { context_window })).toHaveLength(left);
});

test.each([
  [49_999, TRIMMED.length],
  [50_000, CLEARED.length],
  [50_001, CLEARED.length],
])("a full window leaves of %i original characters %i", async (length, left) => {
  expect(await resultRead(length, { context_window: 100 })).toHaveLength(left);
});

test.each([
  [2, 50_000],
  [3, CLEARED.length],
  [4, CLEARED.length],
])("before %i replies a result is read with %i characters", async (replies, left) => {
  expect(await resultRead(50_000, { context_window: 100 }, replies)).toHaveLength(left);
});

/** A small trim, and a window of which it fills a tenth. */
const SMALL = { soft_max_chars: 100, soft_head: 10, soft_tail: 30, soft_ratio: 0.1, hard_ratio: 1 };
const SMALL_TRIM = `${"x".repeat(10)}...${"x".repeat(30)}`;

test.each([
  ["trimmed", 101, {}],
  ["whole", 100, {}],
  ["whole", 101, { soft_ratio: 0.5 }],
  ["whole", 101, { keep_last_assistants: 4 }],
  ["cleared", 101, { hard_ratio: 0.04, min_prunable_tool_chars: 101 }],
  ["trimmed", 101, { hard_ratio: 0.04, min_prunable_tool_chars: 102 }],
  ["whole", 101, { enabled: false }],
] as const)("a result is read %s: %i characters, pruning as configured and %o", async (expected, length, numbers) => {
  const read = await resultRead(length, { context_window: 290, pruning: { ...SMALL, ...numbers } });
  expect(read).toBe({ whole: "x".repeat(length), trimmed: SMALL_TRIM, cleared: CLEARED }[expected]);
});

test("what is stored and shown stays whole, and the cleared text is S4's", async () => {
  expect(await resultRead(50_000, { context_window: 100 })).toBe(CLEARED);
  const state = await server.call(threadState, { as: "member", params: { id: "a", threadId: "t" } });
  const { messages } = await state.json();
  expect(messages.find(({ role }: { role: string }) => role === "tool").content).toHaveLength(50_000);
});
