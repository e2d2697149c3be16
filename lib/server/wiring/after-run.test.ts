import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { PATCH as patchAgent } from "@/app/agents/[id]/route";
import { POST as send } from "@/app/api/threads/[threadId]/messages/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { createLogger } from "@/lib/server/platform/logger";
import { forgetProcessState, processState } from "@/lib/server/platform/process-state";
import { createThread } from "@/lib/server/threads/change-thread";
import { stopProcessHost } from "@/lib/server/wiring/process-host";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;
let lines: Record<string, unknown>[];
let gate: PromiseWithResolvers<void>;

beforeEach(async () => {
  lines = [];
  gate = Promise.withResolvers<void>();
  server = await startRunServer(() => ({ text: "fine", usage: { input: 70, output: 7 }, gate: gate.promise }));
  forgetProcessState("logger");
  processState("logger", () => createLogger("info", { write: (line) => void lines.push(JSON.parse(line)) }));
});
afterEach(() => server.close());

const say = async (threadId: string) => {
  const reply = await server.call(send, { as: "member", params: { threadId }, body: { content: "hi" } });
  return ((await reply.json()) as { runId: string }).runId;
};
const usageOf = (runId: string) => lines.find((line) => line.msg === "run usage" && line.runId === runId);

test("every run that has ended leaves one line with its usage in the log, without a word of what was said", async () => {
  const { id: threadId } = await createThread(server.services, { id: "member" }, "plain");
  gate.resolve();
  const runId = await say(threadId);
  await expect
    .poll(() => usageOf(runId))
    .toMatchObject({
      threadId,
      agentId: "plain",
      status: "completed",
      model: "scripted:m",
      steps: 1,
      inputTokens: 70,
      outputTokens: 7,
      durationMs: expect.any(Number),
    });
  expect(JSON.stringify(usageOf(runId))).not.toContain("fine");
});

test("an agent with the hook usage-log leaves that line once as well", async () => {
  const raw = { name: "Logs", model: "scripted:m", retries: 0, hooks: ["tracing", "usage-log"] };
  await createAgent(server.services, { agentId: "logs", raw, createdById: null });
  gate.resolve();
  const body = { messages: [{ role: "user", content: "hi" }], thread_id: "t" };
  const reply = await server.call(invoke, { as: "member", params: { id: "logs" }, body });
  const { run_id: runId } = await reply.json();
  await stopProcessHost(server.services);
  expect(lines.filter((line) => line.msg === "run usage" && line.runId === runId)).toHaveLength(1);
});

test("a queued run keeps the version of its agent with which it was accepted; the next one has the new version", async () => {
  const { id: threadId } = await createThread(server.services, { id: "member" }, "plain");
  await say(threadId);
  const queued = await say(threadId);
  const change = {
    as: "admin",
    method: "PATCH",
    params: { id: "plain" },
    body: { system_prompt: "Now another." },
  } as const;
  expect((await server.call(patchAgent, change)).status).toBe(200);
  gate.resolve();
  await expect.poll(() => usageOf(queued)).toBeDefined();
  const next = await say(threadId);
  await expect.poll(() => usageOf(next)).toBeDefined();
  const asked = server.provider.requests.map(({ body }) => JSON.stringify(body).includes("Now another."));
  expect(asked).toEqual([false, false, true]);
});
