import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as getBody } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/test-server";
import { addMessages, addSpan, addTrace, readCall, START } from "@/lib/testing/trace-fixture";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent({ agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

const body = async (spanId: string, query = "") => {
  const params = { traceId: "tr_a", spanId };
  const reply = await server.call(getBody, { as: "member", params, path: `/x${query}` });
  return await reply.json();
};

test("the first model call has read the thread so far and the question", async () => {
  await addTrace(server, "a");
  await addMessages(server, "a");
  await addSpan(server, "a", "s1", { step: 1 });
  const { modelCall } = await body("s1");
  expect(modelCall).toMatchObject({ earlierCount: 2, sameAsStep: null, earlier: null, fresh: [{ content: "Go" }] });
  expect(modelCall.reply.toolCalls).toMatchObject([{ id: "c1", name: "read_file" }]);
});

test("a later model call shows only what is new; the rest comes when asked for", async () => {
  await addTrace(server, "a");
  await addMessages(server, "a");
  await addSpan(server, "a", "s2", { step: 2 });
  const { modelCall } = await body("s2");
  expect(modelCall).toMatchObject({ earlierCount: 4, sameAsStep: 1, fresh: [{ role: "tool", content: "text of a" }] });
  expect(modelCall.reply.content).toBe("Done");
  const opened = await body("s2", "?earlier=true");
  expect(opened.modelCall.earlier.map((message: { id: string }) => message.id)).toEqual(["h1", "h2", "m1", "m2"]);
});

test("a tool call is paired with its result", async () => {
  await addTrace(server, "a");
  await addMessages(server, "a");
  await addSpan(server, "a", "s3", { tool_call_id: "c1" }, "tool");
  expect((await body("s3")).toolCalls).toMatchObject([
    { call: { id: "c1", args: { path: "a.txt" } }, result: { content: "text of a", isError: false } },
  ]);
});

test("while a run goes on its messages come from its events", async () => {
  await addTrace(server, "a", { status: "running" });
  await addSpan(server, "a", "s2", { step: 2 });
  const reply = {
    content: "",
    reasoning: [],
    toolCalls: [readCall("c1", "read_file")],
    finishReason: "tool-calls",
    usage: { inputTokens: 1, cachedReadTokens: 0, cachedWriteTokens: 0, outputTokens: 1, reasoningTokens: 0 },
    model: "demo:ringmaster",
    timeToFirstTokenMs: 1,
  };
  const result = { toolCallId: "c1", name: "read_file", output: "", error: "No such file" };
  const events = [
    { type: "model.completed", step: 1, durationMs: 1, reply },
    { type: "tool.result", step: 1, durationMs: 1, result },
  ];
  await server.database.runEvent.createMany({
    data: events.map((event, index) => ({
      runId: "run_a",
      seq: index + 1,
      epoch: 0,
      type: event.type,
      data: JSON.stringify(event),
      createdAt: new Date(START),
    })),
  });
  const { modelCall } = await body("s2");
  expect(modelCall).toMatchObject({ earlierCount: 2, sameAsStep: 1, reply: null });
  expect(modelCall.fresh).toMatchObject([{ role: "tool", content: "No such file", isError: true }]);
});
