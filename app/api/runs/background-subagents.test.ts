import { afterEach, expect, test } from "vitest";
import { getThread } from "@/lib/server/threads/get-thread";
import { reached } from "@/lib/testing/run-fixture";
import type { ScriptedAnswer } from "@/lib/testing/scripted-openai-events";
import { DELEGATES, type Play, resultsOf, startSubagentServer, task } from "@/lib/testing/subagent-server";

type SubagentServer = Awaited<ReturnType<typeof startSubagentServer>>;

let server: SubagentServer["server"];
let threadId: string;
let tools: SubagentServer;
afterEach(() => server.close());

async function start(play: Play): Promise<void> {
  tools = await startSubagentServer(play);
  ({ server, threadId } = tools);
}
const say = (content: string) => tools.say(content);
const follow = (runId: string) => tools.follow(runId);
const rowOf = (id: string) => tools.rowOf(id);
const childrenOf = (runId: string) => tools.childrenOf(runId);

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
  const requests = server.provider.requests.length;
  gate.resolve();
  await reached(async () => (await rowOf(child?.id ?? "")).isReported);
  const thread = await getThread(threadId, "member");
  expect(thread.messages).toHaveLength(2);
  expect(thread.messages[1]?.parts).toContainEqual(
    expect.objectContaining({
      type: "data-subagent",
      data: expect.objectContaining({ status: "completed", lastLine: "Found: 42.", background: true }),
    }),
  );
  expect(server.provider.requests).toHaveLength(requests);
  const after = await rowOf(runId);
  expect(after.inputTokens - before.inputTokens).toBe((await rowOf(child?.id ?? "")).inputTokens);
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
