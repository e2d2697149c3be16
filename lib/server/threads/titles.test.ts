import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as budgetRoute } from "@/app/api/budgets/route";
import { POST as sendRoute } from "@/app/api/threads/[threadId]/messages/route";
import { PATCH as patchRoute, GET as threadRoute } from "@/app/api/threads/[threadId]/route";
import { POST as titleRoute } from "@/app/api/threads/[threadId]/title/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { onFeedEvent } from "@/lib/server/engine/log/signals";
import { cleanTitle } from "@/lib/server/engine/titles/clean-title";
import { createThread } from "@/lib/server/threads/change-thread";
import { flushSpans } from "@/lib/server/traces/recorder";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ChatRequestBody } from "@/lib/testing/servers/scripted-openai-server";

const QUESTION = "Please tell me in a few words where the blue whales of the southern sea spend their winters.";
const LOCAL = /^Please tell me in a few words .*…$/u;
const isTitle = ({ messages = [] }: ChatRequestBody) => JSON.stringify(messages).includes("Write a title");

let server: RunServer;
let titles: number;
let answer: () => Promise<{ text: string; usage?: { input: number; output: number } }>;
beforeEach(async () => {
  titles = 0;
  answer = async () => ({ text: 'Title: "Winters of blue whales."\n', usage: { input: 50, output: 5 } });
  server = await startRunServer((request) => {
    if (!isTitle(request)) return { text: "They swim north.", usage: { input: 100, output: 10 } };
    titles += 1;
    return answer();
  });
  // The built-in provider `scripted` writes no titles; any other does.
  const raw = { name: "Namer", model: { provider: "openai-compatible", model: "m", base_url: server.provider.url } };
  await createAgent(server.services, { agentId: "namer", raw, createdById: null });
});
afterEach(() => server.close());

async function say(threadId: string, content = QUESTION): Promise<void> {
  const reply = await server.call(sendRoute, { as: "member", params: { threadId }, body: { content } });
  const { runId } = await reply.json();
  const find = () => server.database.run.findUniqueOrThrow({ where: { id: runId } });
  await expect.poll(async () => (await find()).endedAt, { timeout: 10_000 }).not.toBeNull();
  expect((await find()).status).toBe("completed");
}
const ask = async (threadId: string, as: "member" | "admin" = "member") => {
  const reply = await server.call(titleRoute, { as, method: "POST", params: { threadId } });
  return { status: reply.status, ...(await reply.json()) };
};
const start = async (agentId = "namer") => (await createThread(server.services, { id: "member" }, agentId)).id;

describe("a title by the model", () => {
  test("replaces the first line after the first turn, once, in the thread and its traces", async () => {
    const threadId = await start();
    await say(threadId);
    expect(await ask(threadId)).toEqual({ status: 200, title: "Winters of blue whales" });
    expect(await ask(threadId)).toEqual({ status: 200, title: "Winters of blue whales" });
    expect(titles).toBe(1);
    const traces = await server.database.trace.findMany({ select: { title: true } });
    expect(traces).toEqual([{ title: "Winters of blue whales" }]);
  });

  test("counts: its span is in the trace, its tokens are in run, thread and trace, not in the reply", async () => {
    const threadId = await start();
    await say(threadId);
    await ask(threadId);
    await flushSpans();
    const thread = await (await server.call(threadRoute, { as: "member", params: { threadId } })).json();
    expect(thread.usage).toMatchObject({ inputTokens: 150, outputTokens: 15 });
    const run = await server.database.run.findFirstOrThrow();
    expect([run.inputTokens, run.outputTokens]).toEqual([150, 15]);
    // The reply's own are those of its call.
    const { usage } = thread.messages.at(-1).metadata;
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
    const spans = await server.database.span.findMany({ where: { name: "llm.call" } });
    expect(spans.filter(({ attributes }) => attributes.includes("Title of the thread"))).toHaveLength(1);
  });

  test("is stored as a call of its run while it is made, so that a kill loses none of what it costs", async () => {
    const threadId = await start();
    await say(threadId);
    const open: unknown[] = [];
    const written = answer;
    answer = async () => {
      open.push(...(await server.database.followUpCall.findMany({ select: { runId: true } })));
      return written();
    };
    await ask(threadId);
    const run = await server.database.run.findFirstOrThrow({ where: { threadId } });
    expect(open).toEqual([{ runId: run.id }]);
    expect(await server.database.followUpCall.count()).toBe(0);
  });

  test("is asked for once, however many pages ask", async () => {
    const threadId = await start();
    await say(threadId);
    await Promise.all([ask(threadId), ask(threadId), ask(threadId)]);
    expect(titles).toBe(1);
  });

  test("never replaces a name that a person has given, not even while it is written", async () => {
    const threadId = await start();
    await say(threadId);
    answer = async () => {
      const body = { title: "Mine" };
      await server.call(patchRoute, { as: "member", method: "PATCH", params: { threadId }, body });
      return { text: "Theirs" };
    };
    const announced: unknown[] = [];
    const stop = onFeedEvent("member", (event) => announced.push(event));
    expect((await ask(threadId)).title).not.toBe("Theirs");
    stop();
    // The name, then what the call has used.
    expect(announced).toEqual([
      { type: "thread.changed", threadId },
      { type: "thread.changed", threadId },
    ]);
    const row = await server.database.thread.findUniqueOrThrow({ where: { id: threadId } });
    expect(row.title).toBe("Mine");
    const other = await start();
    await say(other);
    await server.call(patchRoute, {
      as: "member",
      method: "PATCH",
      params: { threadId: other },
      body: { title: "Me" },
    });
    expect((await ask(other)).title).toBe("Me");
    expect(titles).toBe(1);
  });

  test.each([
    ["says nothing", async () => ({ text: " \n" })],
    ["fails", () => Promise.reject(new Error("broken"))],
  ])("that %s leaves the first line", async (_, given) => {
    const threadId = await start();
    await say(threadId);
    answer = given;
    const announced: unknown[] = [];
    const stop = onFeedEvent("member", (event) => announced.push(event));
    expect(await ask(threadId)).toEqual({ status: 200, title: expect.stringMatching(LOCAL) });
    stop();
    // The call has changed what the thread has used.
    expect(announced).toEqual([{ type: "thread.changed", threadId }]);
  });

  test("is not asked for where it would pass a budget", async () => {
    const threadId = await start();
    await say(threadId);
    const body = { scope: "user", scopeId: "member", period: "total", tokens: 1, on_reach: "stop" };
    expect((await server.call(budgetRoute, { as: "admin", body })).status).toBe(201);
    expect(await ask(threadId)).toEqual({ status: 200, title: expect.stringMatching(LOCAL) });
    expect(titles).toBe(0);
    expect((await server.database.run.findFirstOrThrow()).isUsagePartial).toBe(false);
  });

  test("comes only after the first turn, and only to the owner", async () => {
    const threadId = await start();
    expect(await ask(threadId)).toEqual({ status: 200, title: null });
    await say(threadId);
    expect((await ask(threadId, "admin")).status).toBe(404);
    await say(threadId, "And in summer?");
    expect((await ask(threadId)).title).toMatch(LOCAL);
    expect(titles).toBe(0);
  });
});

test.each([
  ["# **Blue whales**", "Blue whales"],
  ["“Winters”.", "Winters"],
  ["\n\n> Titel der Wale\nmore", "Titel der Wale"],
  ["「鯨の冬」", "鯨の冬"],
  ["C++ and C#", "C++ and C#"],
  ["《厨房刷漆》", "厨房刷漆"],
  ["\\boxed{\\text{Kitchen paint}}", "Kitchen paint"],
  ['{"name":"set_title","arguments":{"title":"Kitchen paint"}}', "Kitchen paint"],
  ['{"type":"object","properties":{"title":"Kitchen paint"}}', "Kitchen paint"],
  ['{"emoji":"🎨","title":"Kitchen paint"}', "Kitchen paint"],
  ['{"title": "Otters at sea"}', "Otters at sea"],
  ['```json\n{"title": "Otters at sea"}\n```', "Otters at sea"],
  ['Here you go: {"thread": 1, "Title": "Otters at sea"}', "Otters at sea"],
  ['{"result": {"title": "Otters at sea"}}', "Otters at sea"],
  ['{"otters": "Otters at sea"}', "Otters at sea"],
  ["Sure! Here is a title:\n\nOtters at sea", "Otters at sea"],
  ["Sure! Here is a title: Otters at sea", "Otters at sea"],
  ["Sure!\n**Otters at sea**", "Otters at sea"],
  ['Of course.\n\n"Otters at sea"', "Otters at sea"],
  ['A good title would be "Otters at sea".', "Otters at sea"],
  ["**Title:** Otters at sea", "Otters at sea"],
  ["**Title**: Otters at sea", "Otters at sea"],
  ["Titel: Otter im Meer", "Otter im Meer"],
  ["标题：海里的水獭", "海里的水獭"],
  ["```\nOtters at sea\n```", "Otters at sea"],
  ["<think>A title?\nLong.</think>\nOtters at sea", "Otters at sea"],
  ["The user asks about otters.\n</think>\n\nOtters at sea", "Otters at sea"],
  ["<|channel|>analysis<|message|>Hm.<|end|><|channel|>final<|message|>Otters at sea<|return|>", "Otters at sea"],
  ["Otters: a life at sea", "Otters: a life at sea"],
  ["The title deeds: who owns them", "The title deeds: who owns them"],
  ["Using {} in Go", "Using {} in Go"],
  ['How to parse {"title": "x"} in Go', 'How to parse {"title": "x"} in Go'],
  ['The title of the song "Hello"', 'The title of the song "Hello"'],
  ["OK Computer: a review", "OK Computer: a review"],
  ["{'title': 'Otters at sea'}", "Otters at sea"],
  ['{"title": "Otters at sea", "emoji": "🦦"', "Otters at sea"],
  ['{"conversation": {"title": "Otters at sea"}}', "Otters at sea"],
  ['["Otters at sea", "Sea otters"]', "Otters at sea"],
  ["1. Otters at sea\n2. Sea otters", "Otters at sea"],
  ["<title>Otters at sea</title>", "Otters at sea"],
  ["[THINK]hm[/THINK]Otters at sea", "Otters at sea"],
  ["◁think▷hm◁/think▷Otters at sea", "Otters at sea"],
  ["analysisWe need a title.assistantfinalOtters at sea", "Otters at sea"],
  ["Otters at sea<|im_end|>", "Otters at sea"],
  ["Otters at sea</s>", "Otters at sea"],
  ["Sure thing! **Otters at sea**", "Otters at sea"],
  ["Title\nOtters at sea", "Otters at sea"],
  ["Suggested title: Otters at sea", "Otters at sea"],
  ["Заголовок: Выдры в море", "Выдры в море"],
  ["タイトル：海のカワウソ", "海のカワウソ"],
  ["Voici un titre : Les loutres en mer", "Les loutres en mer"],
])("of the answer %j the title is %j", (text, title) => {
  expect(cleanTitle(text)).toBe(title);
});

test.each([
  "",
  "***",
  "word ".repeat(17),
  "Here is a title:",
  "<think>What could",
  "```json\n```",
  "I'm sorry, but I can't help with that.",
])("the answer %j is no title", (text) => {
  expect(() => cleanTitle(text)).toThrow("The model gave no title.");
});
