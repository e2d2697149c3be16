import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ChatMessage, toChatMessages } from "@/lib/client/chat/chat-message";
import { followReply } from "@/lib/client/chat/run-stream";
import type { SubagentData } from "@/lib/schema/messages/ui-message";
import { getThread } from "@/lib/server/threads/get-thread";
import { processServices } from "@/lib/server/wiring/services";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { subagentTests, task } from "@/lib/testing/servers/subagent-server";
import { POST as decide } from "./[runId]/decisions/route";
import { GET as stream } from "./[runId]/stream/route";

const { start, use, say, rowOf, childrenOf } = subagentTests();

/** The page calls the route directly, everything else goes to the network. */
beforeEach(() => {
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", (target: string | URL | Request, init?: RequestInit) => {
    const runId = /^\/api\/runs\/([^/]+)\/stream$/.exec(String(target))?.[1];
    if (runId === undefined) return fetch(target, init);
    const headers = Object.fromEntries(new Headers(init?.headers));
    return use().server.call(stream, { as: "member", params: { runId }, headers });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function cardsOf(message: ChatMessage | undefined): SubagentData[] {
  const cards = message?.parts.flatMap((part) => (part.type === "data-subagent" ? [part.data] : [])) ?? [];
  return cards.toSorted((left, right) => left.name.localeCompare(right.name));
}

/** The cards of the run's message as a newly opened page shows them. */
function openPage(runId: string) {
  const messages = followReply(runId, { signal: new AbortController().signal });
  let cards: SubagentData[] = [];
  return {
    /** The cards once they match, or at the end of the stream. */
    async until(check: (asker: SubagentData | undefined, worker: SubagentData | undefined) => boolean) {
      while (!check(cards[0], cards[1])) {
        const { done, value } = await messages.next();
        if (done) return cards;
        cards = cardsOf(value);
      }
      return cards;
    },
  };
}

/** One subagent asks a person, the other has used a tool and waits for `gate` before it answers. */
async function startAskerAndWorker(gate: Promise<void>): Promise<void> {
  const asks = { name: "ask_user", args: { questions: [{ question: "Which one?" }] } };
  const looks = { name: "write_todos", args: { todos: [] } };
  const asker = { name: "asker", description: "Asks", prompt: "You ask.", tools: ["ask_user"] };
  const usage = { input: 1_000, output: 50 };
  await start(
    {
      go: [{ calls: [task("ask", { agent: "asker" }), task("find it")] }, { text: "Done." }],
      ask: [{ calls: [asks], usage }, { text: "The blue one." }],
      "find it": [
        { text: "Looking", calls: [looks], usage },
        { text: "It is 42.", gate },
      ],
    },
    { tools: ["ask_user"], subagents: ["worker", asker] },
  );
}

async function answerQuestion(): Promise<void> {
  const asked = await use().server.database.approval.findFirstOrThrow({ where: { status: "pending" } });
  const decision = { tool_call_id: asked.toolCallId, decision: "answer", answers: ["blue"] };
  const params = { runId: asked.runId };
  const reply = await use().server.call(decide, { as: "member", params, body: { decisions: [decision] } });
  expect(reply.status).toBe(200);
}

test("a page shows how each of two subagents gets on while one asks a person, also one that is opened then", async () => {
  const gate = Promise.withResolvers<void>();
  await startAskerAndWorker(gate.promise);
  const runId = await say("go");
  const page = openPage(runId);
  const atWork = [
    { name: "asker", status: "waiting", lastLine: "ask_user", calls: 1, tokens: 1_050 },
    { name: "worker", status: "running", lastLine: "write_todos", calls: 1, tokens: 1_050 },
  ];
  const isAtWork = (asker?: SubagentData, worker?: SubagentData) =>
    asker?.status === "waiting" && worker?.lastLine === "write_todos" && (worker.tokens ?? 0) > 0;
  expect(await page.until(isAtWork)).toMatchObject(atWork);
  const reloaded = openPage(runId);
  expect(await reloaded.until(isAtWork)).toMatchObject(atWork);

  gate.resolve();
  const ended = { name: "worker", status: "completed", lastLine: "It is 42.", calls: 1 };
  for (const { until } of [page, reloaded]) {
    expect(await until((_, worker) => worker?.status === "completed")).toMatchObject([atWork[0], ended]);
  }

  await answerQuestion();
  const answered = [{ name: "asker", status: "completed", lastLine: "The blue one.", calls: 1 }, ended];
  for (const { until } of [page, reloaded]) expect(await until(() => false)).toMatchObject(answered);
  await reached(async () => (await childrenOf(runId)).every(({ endedAt }) => endedAt !== null));
  const { messages } = await getThread(processServices(), use().threadId, { id: "member" });
  expect(cardsOf(toChatMessages(messages).at(-1))).toMatchObject(answered);
});

test.each([
  ["a subagent", {}],
  ["a subagent in the background", { background: true }],
])("the card of %s is updated while the run that started it asks a person itself", async (_, more) => {
  const gate = Promise.withResolvers<void>();
  const asks = { name: "ask_user", args: { questions: [{ question: "Which one?" }] } };
  const looks = { name: "write_todos", args: { todos: [] } };
  await start(
    {
      go: [{ calls: [asks, task("find it", more)] }, { text: "Done." }],
      "find it": [
        { text: "Looking", calls: [looks] },
        { text: "It is 42.", gate: gate.promise },
      ],
    },
    { tools: ["ask_user"] },
  );
  const runId = await say("go");
  await reached(async () => (await rowOf(runId)).waitingFor?.includes("question") ?? false);
  const pages = [openPage(runId), openPage(runId)];
  for (const page of pages) {
    const cards = await page.until((worker) => worker?.lastLine === "write_todos");
    expect(cards).toMatchObject([{ name: "worker", status: "running", calls: 1 }]);
  }
  gate.resolve();
  const ended = [{ name: "worker", status: "completed", lastLine: "It is 42." }];
  for (const page of pages) expect(await page.until((worker) => worker?.status === "completed")).toMatchObject(ended);
  expect((await rowOf(runId)).status).toBe("waiting");
  await answerQuestion();
  for (const page of pages) expect(await page.until(() => false)).toMatchObject(ended);
  expect((await rowOf(runId)).status).toBe("completed");
});
