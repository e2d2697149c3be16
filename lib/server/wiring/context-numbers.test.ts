import { afterEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { InvokeReply } from "@/lib/schema/apis/invoke";
import { createAgent } from "@/lib/server/agents/publish-version";
import { saidIn, textOf } from "@/lib/testing/fixtures/compaction-fixture";
import { QUIET_AGENT } from "@/lib/testing/fixtures/quiet-agent";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import type { ChatRequestBody } from "@/lib/testing/servers/scripted-openai-server";

let server: RunServer;
afterEach(() => server.close());

const isSummary = ({ messages = [] }: ChatRequestBody) =>
  messages.some((sent) => textOf(sent).includes("<conversation>"));
const requests = () => server.provider.requests.map(({ body }) => body);
const summaries = () => requests().filter(isSummary);

async function start(config: Partial<AgentConfigInput>, answers: readonly ScriptedAnswer[] = [{ text: "k" }]) {
  let asked = 0;
  server = await startRunServer((request) =>
    isSummary(request) ? { text: "Earlier." } : (answers[Math.min(asked++, answers.length - 1)] ?? { text: "k" }),
  );
  await createAgent(server.services, {
    agentId: "a",
    raw: { name: "A", ...QUIET_AGENT, ...config },
    createdById: null,
  });
}
async function ask(content: string): Promise<InvokeReply> {
  const body = { messages: [{ role: "user", content }], thread_id: "t" };
  return (await server.call(invoke, { as: "member", params: { id: "a" }, body })).json();
}

test.each([
  [0.5, 4, 50, 0],
  [0.5, 4, 51, 1],
  [0.85, 4, 84, 0],
  [0.85, 4, 85, 0],
  [0.85, 4, 86, 1],
  [0.85, 2, 85, 0],
  [0.85, 2, 86, 1],
])("with a ratio of %d and %i characters a token, %i of 100 tokens are summarised %i times", async (...numbers) => {
  const [ratio, chars_per_token, tokens, times] = numbers;
  await start({ context_window: 100, chars_per_token, summarization: { ratio } });
  await ask("x".repeat(tokens * chars_per_token));
  await ask("n");
  expect(summaries()).toHaveLength(times);
});

test.each([
  [{ keep_min: 1, keep_ratio: 0.01 }, 1],
  [{ keep_min: 3, keep_ratio: 0.01 }, 3],
  [{ keep_min: 1, keep_ratio: 0.5 }, 4],
])("with %o of nine messages the summary keeps the last %i", async (numbers, kept) => {
  await start({ context_window: 400, summarization: { ratio: 0.5, ...numbers } });
  for (const text of ["x".repeat(780), "b", "c", "d", "e".repeat(40)]) await ask(text);
  expect(summaries()).toHaveLength(1);
  expect(saidIn(requests().at(-1)).slice(1)).toHaveLength(kept);
});

test("summarization.max_tokens and max_words are the length asked of the summary, truncate_chars what it reads of a written file", async () => {
  const write = { calls: [{ name: "write_file", args: { path: "a.txt", content: "y".repeat(400) } }] };
  const summarization = { max_tokens: 321, max_words: 12, truncate_chars: 7, keep_min: 1 };
  await start({ context_window: 160, backend: { type: "state" }, summarization }, [write, { text: "ok" }]);
  await ask("go");
  await ask("n".repeat(80));
  const [request] = summaries();
  expect(request?.max_tokens ?? request?.max_completion_tokens).toBe(321);
  expect(saidIn(request).join()).toContain("in under 12 words");
  expect(saidIn(request).join()).toContain('"content":"yyyyyyy… (393 more characters)"');
});

/** The result of calling a tool that does not exist: 51 characters. */
const UNKNOWN = `unknown tool: ${"f".repeat(37)}`;

test.each([
  [{ max_chars: 50, head: 14, tail: 5 }, "unknown tool: \n\n... (truncated 32 characters) ...\n\nfffff"],
  [{ max_chars: 50, head: 7, tail: 0 }, "unknown\n\n... (truncated 44 characters) ...\n\n"],
  [{ max_chars: 51, head: 14, tail: 5 }, UNKNOWN],
  [{ max_chars: 50, head: 30, tail: 21 }, UNKNOWN],
  [{ max_chars: 50, head: 14, tail: 5, enabled: false }, UNKNOWN],
])("with eviction %o a result of 51 characters is read as %j", async (eviction, read) => {
  await start({ eviction }, [{ calls: [{ name: "f".repeat(37), args: {} }] }, { text: "k" }]);
  await ask("go");
  expect(textOf(requests().at(-1)?.messages?.at(-1) ?? { role: "none" })).toBe(read);
});

test.each([
  [{ warn_at: 2, stop_at: 3 }, [false, true, true]],
  [{ warn_at: 1, stop_at: 2 }, [true, true]],
  [{ warn_at: 5, stop_at: 4 }, [false, false, false, false]],
])("with loop_guard %o the same failing call is warned about and stopped as %j", async (numbers, told) => {
  await start({ loop_guard: numbers }, [{ calls: [{ name: "fly", args: {} }] }]);
  const { status, tool_calls: calls } = await ask("go");
  expect(status).toBe("limit");
  expect(calls.map(({ error }) => error?.includes("has now failed"))).toEqual(told);
});
