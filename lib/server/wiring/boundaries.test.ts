import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as register } from "@/app/agents/tools/register/route";
import type { AgentConfigInput } from "@/lib/schema/agents/agent-config";
import type { InvokeReply } from "@/lib/schema/apis/invoke";
import { createAgent } from "@/lib/server/agents/publish-version";
import { QUIET_AGENT } from "@/lib/testing/fixtures/quiet-agent";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";

let server: RunServer;
afterEach(() => server.close());

async function start(
  answers: readonly ScriptedAnswer[],
  config: Partial<AgentConfigInput> = {},
  environment: Record<string, string> = {},
) {
  let asked = 0;
  server = await startRunServer(() => answers[Math.min(asked++, answers.length - 1)] ?? { text: "ok" }, environment);
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
const lastSent = () => String(server.provider.requests.at(-1)?.body.messages?.at(-1)?.content);

test.each([
  [32_767, false],
  [32_768, false],
  [32_769, true],
])("a message of %i characters is sent shortened: %s", async (length, isShortened) => {
  await start([{ text: "ok" }]);
  await ask("x".repeat(length));
  const notice = `[This message was shortened: it has ${length} characters, of which you see the first 32768.]`;
  expect(lastSent()).toBe(isShortened ? `${"x".repeat(32_768)}\n\n${notice}` : "x".repeat(length));
});

/** An HTTP tool `talk` with a result of this many characters, and what it says to the user. */
async function startWithTool(length: number, config: Partial<AgentConfigInput> = {}): Promise<void> {
  const callback = createServer((_, response) => response.end(JSON.stringify({ result: "x".repeat(length) })));
  await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void callback.close());
  const host = `127.0.0.1:${(callback.address() as AddressInfo).port}`;
  const answers = [{ calls: [{ name: "talk", args: {} }] }, { text: "ok" }];
  await start(answers, { tools: ["talk"], ...config }, { RINGMASTER_ALLOWED_PRIVATE_HOSTS: host });
  const parameters = { type: "object", properties: {} };
  const tool = { name: "talk", description: "Talks", parameters, callback_url: `http://${host}/` };
  expect((await server.call(register, { as: "admin", body: tool })).status).toBe(201);
}
const cut = (length: number) =>
  `${"x".repeat(2_000)}\n\n... (truncated ${length - 4_000} characters) ...\n\n${"x".repeat(2_000)}`;

describe("a tool result", () => {
  test.each([79_999, 80_000])("of %i characters passes whole", async (length) => {
    await startWithTool(length);
    await ask("go");
    expect(lastSent()).toBe("x".repeat(length));
  });

  test("of 80,001 is cut to its first and last 2,000, with a backend and without", async () => {
    await startWithTool(80_001);
    await ask("go");
    expect(lastSent()).toBe(cut(80_001));
    await server.close();
    await startWithTool(80_001, { backend: { type: "state" } });
    await ask("go");
    expect(lastSent()).toBe(cut(80_001));
  });
});

test.each([
  [85, 1],
  [86, 2],
])("a conversation estimated at %i of 100 tokens takes %i requests", async (tokens, requests) => {
  await start([{ text: "ok" }], { context_window: 100, summarization: { enabled: true } });
  // "ok" and the new message amount to less than a whole token.
  await ask("x".repeat(tokens * 4));
  const before = server.provider.requests.length;
  await ask("now");
  expect(server.provider.requests.length - before).toBe(requests);
});

test("two identical failures say nothing, the third tells the model, the fifth continues, the sixth ends the run", async () => {
  await start([{ calls: [{ name: "fly", args: {} }] }], { loop_guard: { enabled: true } });
  const { status, tool_calls: calls } = await ask("go");
  expect([status, calls.length]).toEqual(["limit", 6]);
  const warned = calls.map(({ error }) => /has now failed (\d) times/.exec(error ?? "")?.[1] ?? null);
  expect(warned).toEqual([null, null, "3", "4", "5", "6"]);
});

test.each([
  [79, "x".repeat(79)],
  [80, "x".repeat(80)],
  [81, `${"x".repeat(40)}…`],
])("a first message of %i characters gives the title %j", async (length, title) => {
  await start([{ text: "ok" }]);
  await ask(`${"x".repeat(length)}\nand more`);
  expect((await server.database.thread.findFirstOrThrow()).title).toBe(title);
});

test.each([
  [79, ""],
  [80, ""],
  [81, "x".repeat(81)],
])("%i characters before NO_REPLY leave the answer %j", async (length, response) => {
  await start([{ text: `${"x".repeat(length)} NO_REPLY` }]);
  expect((await ask("go")).response).toBe(response);
});

test.each([
  [1, 1],
  [25, 25],
])("max_iterations %i is exactly %i model calls", async (max_iterations, requests) => {
  await start([{ calls: [{ name: "fly", args: {} }] }], { max_iterations });
  expect((await ask("go")).status).toBe("limit");
  expect(server.provider.requests).toHaveLength(requests);
});
