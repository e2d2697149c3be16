import { expect, test } from "vitest";
import { GET as events } from "@/app/api/events/route";
import { getThread } from "@/lib/server/threads/get-thread";
import { processServices } from "@/lib/server/wiring/services";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { parseEventStream } from "@/lib/testing/servers/run-server";
import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { DELEGATES, resultsOf, subagentTests, task } from "@/lib/testing/servers/subagent-server";

const { start, use, say, follow, rowOf, childrenOf } = subagentTests();

async function tookOf(runId: string): Promise<number> {
  const { startedAt, endedAt } = await rowOf(runId);
  return (endedAt?.getTime() ?? 0) - (startedAt?.getTime() ?? 0);
}

test("a background subagent is answered at once and, when it ends after its parent, only its card changes", async () => {
  const gate = Promise.withResolvers<void>();
  await start({
    ...DELEGATES,
    go: [{ calls: [task("find it", { background: true })] }, { text: "It is being looked into." }],
    "find it": [{ text: "Found: 42.", usage: { input: 1_000, output: 50 }, gate: gate.promise }],
  });
  const runId = await say("go");
  const results = resultsOf(await follow(runId));
  const [child] = await childrenOf(runId);
  expect(results).toEqual([JSON.stringify({ run_id: child?.id })]);
  const before = await rowOf(runId);
  expect([before.status, child?.isBackground]).toEqual(["completed", true]);
  const { requests } = use().server.provider;
  // Two from the parent, and the child's, which waits at the gate.
  await reached(() => requests.length === 3);
  gate.resolve();
  await reached(async () => (await rowOf(child?.id ?? "")).isReported);
  const thread = await getThread(processServices(), use().threadId, { id: "member" });
  expect(thread.messages).toHaveLength(2);
  expect(thread.messages[1]?.parts).toContainEqual(
    expect.objectContaining({
      type: "data-subagent",
      data: expect.objectContaining({
        status: "completed",
        lastLine: "Found: 42.",
        background: true,
        durationMs: await tookOf(child?.id ?? ""),
      }),
    }),
  );
  expect(requests).toHaveLength(3);
  const after = await rowOf(runId);
  expect(after.inputTokens - before.inputTokens).toBe((await rowOf(child?.id ?? "")).inputTokens);
  expect(thread.usage.inputTokens).toBe(after.inputTokens);
});

test("the card of a background subagent continues after its parent's end, for every reader of the thread", async () => {
  const gate = Promise.withResolvers<void>();
  const asks = { name: "ask_user", args: { questions: [{ question: "Which one?" }] } };
  const asker = { name: "asker", description: "Asks", prompt: "You ask.", tools: ["ask_user"] };
  await start(
    {
      go: [{ calls: [task("ask", { agent: "asker", background: true })] }, { text: "It is being asked." }],
      ask: [{ text: "Which?", calls: [asks], gate: gate.promise }],
    },
    { tools: ["ask_user"], subagents: ["worker", asker] },
  );
  const runId = await say("go");
  await follow(runId);
  const card = async () => {
    const { messages } = await getThread(processServices(), use().threadId, { id: "member" });
    return messages.at(-1)?.parts.find(({ type }) => type === "data-subagent")?.data;
  };
  const [child] = await childrenOf(runId);
  const hasStatus = async (status: string) => (await rowOf(child?.id ?? "")).status === status;
  await reached(() => hasStatus("running"));
  expect(await card()).toMatchObject({ status: "running", lastLine: "" });
  gate.resolve();
  await reached(() => hasStatus("waiting"));
  expect(await card()).toMatchObject({ status: "waiting", lastLine: "ask_user", calls: 1 });
});

test("a run that fails leaves its background subagents at work", async () => {
  const gate = Promise.withResolvers<void>();
  await start({
    go: [{ calls: [task("find it", { background: true })] }, { fault: { status: 400, message: "No." } }],
    "find it": [{ text: "Found: 42.", gate: gate.promise }],
  });
  const runId = await say("go");
  await reached(async () => (await rowOf(runId)).status === "failed");
  const [child] = await childrenOf(runId);
  gate.resolve();
  await reached(async () => (await rowOf(child?.id ?? "")).endedAt !== null);
  expect((await rowOf(child?.id ?? "")).status).toBe("completed");
});

test("a background subagent can be looked at and stopped, by its own thread only", async () => {
  const gate = Promise.withResolvers<void>();
  let childId = "";
  const play: Record<string, ScriptedAnswer[]> = {
    go: [{ calls: [task("find it", { background: true })] }, { text: "Started." }],
    "find it": [{ text: ["Working on it", " and on."], gate: gate.promise }],
  };
  await start(play);
  const first = await say("go");
  await follow(first);
  childId = (await childrenOf(first))[0]?.id ?? "";
  play.look = [{ calls: [{ name: "task_status", args: { run_id: childId } }] }, { text: "ok" }];
  play.stop = [{ calls: [{ name: "task_cancel", args: { run_id: childId } }] }, { text: "ok" }];
  play.foreign = [{ calls: [{ name: "task_status", args: { run_id: first } }] }, { text: "ok" }];
  expect(resultsOf(await follow(await say("look")))[0]).toContain(`"run_id":"${childId}","status":"running"`);
  await follow(await say("stop"));
  await reached(async () => (await rowOf(childId)).status === "cancelled");
  expect(resultsOf(await follow(await say("foreign")))[0]).toContain("There is no subagent run");
});

test("a subagent's changes are reported for the thread that people see", async () => {
  await start(DELEGATES);
  const { server, threadId } = use();
  const feed = await server.call(events, { as: "member" });
  const runId = await say("go");
  await follow(runId);
  const childId = (await childrenOf(runId))[0]?.id;
  const told: { data: { runId?: string; threadId?: string; status?: string } }[] = [];
  const reader = feed.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (!told.some(({ data }) => data.runId === runId && data.status === "completed")) {
    const { value = "" } = (await reader?.read()) ?? {};
    told.push(...(parseEventStream(value) as typeof told));
  }
  await reader?.cancel();
  expect(told.map(({ data }) => data.runId)).toContain(childId);
  expect(new Set(told.flatMap(({ data }) => data.threadId ?? []))).toEqual(new Set([threadId]));
});

test("looking at a subagent and stopping it report its actual state, however it ended", async () => {
  const asks = { name: "ask_user", args: { questions: [{ question: "Which one?" }] } };
  const play: Record<string, ScriptedAnswer[]> = {
    go: [
      {
        calls: [
          task("find it", { background: true }),
          task("nobody knows", { background: true }),
          task("ask", { agent: "asker", background: true }),
        ],
      },
      { text: "Started." },
    ],
    "find it": [{ text: "Found: 42." }],
    ask: [{ calls: [asks] }],
  };
  const asker = { name: "asker", description: "Asks", prompt: "You ask.", tools: ["ask_user"] };
  await start(play, { tools: ["ask_user"], subagents: ["worker", asker] });
  const first = await say("go");
  await follow(first);
  const statuses = async () => (await childrenOf(first)).map(({ status }) => status);
  await reached(async () => (await statuses()).join() === "completed,failed,waiting");
  const ids = (await childrenOf(first)).map(({ id }) => id);
  play.look = [{ calls: ids.map((run_id) => ({ name: "task_status", args: { run_id } })) }, { text: "ok" }];
  play.stop = [{ calls: ids.map((run_id) => ({ name: "task_cancel", args: { run_id } })) }, { text: "ok" }];
  const told = async (content: string) => {
    const results = resultsOf(await follow(await say(content))).map((text) => JSON.parse(String(text)));
    return ids.map((id) => results.find(({ run_id: runId }) => runId === id));
  };
  const ended = [
    { run_id: ids[0], status: "completed", last_line: "Found: 42.", result: "Found: 42." },
    { run_id: ids[1], status: "failed", error: expect.stringContaining("not in the script") },
  ];
  const looked = await told("look");
  expect(looked).toMatchObject([...ended, { run_id: ids[2], status: "waiting", last_line: "ask_user" }]);
  expect(looked[2]).not.toHaveProperty("result");
  expect(await told("stop")).toMatchObject([...ended, { run_id: ids[2], status: "cancelled" }]);
  expect(await statuses()).toEqual(["completed", "failed", "cancelled"]);
});
