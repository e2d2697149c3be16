import { afterEach, beforeEach, expect, test } from "vitest";
import { GET as getBody } from "@/app/api/traces/[traceId]/spans/[spanId]/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { addMessages, addSpan, addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(() => server.close());

const body = async (spanId: string, query = "") => {
  const params = { traceId: "tr_a", spanId };
  const reply = await server.call(getBody, { as: "member", params, path: `/x${query}` });
  return await reply.json();
};

const READ_CALL = { id: "c1", name: "read_file", args: { path: "a.txt" }, rawArgs: '{"path":"a.txt"}' };

/** An earlier exchange of the thread, then a run with two model calls and a tool between them. */
const MESSAGES = {
  before: [
    { id: "h1", role: "user", content: "Before" },
    { id: "h2", role: "assistant", content: "Earlier answer" },
  ],
  own: [
    { id: "m1", role: "user", content: "Go" },
    { id: "m2", role: "assistant", content: "", toolCalls: JSON.stringify([READ_CALL]) },
    { id: "m3", role: "tool", content: "text of a", toolCallId: "c1", name: "read_file" },
    { id: "m4", role: "assistant", content: "Done" },
  ],
} as const;

test("a call of an earlier version, which kept nothing, shows its reply and no guess at what it read", async () => {
  await addTrace(server, "a");
  await addMessages(server, "a", MESSAGES);
  await addSpan(server, "a", { id: "s1" }, { step: 1, message_count: 3, last_message_id: "m1" });
  await addSpan(server, "a", { id: "s2" }, { step: 2, message_count: 5 });
  const { modelCall, toolCalls } = await body("s1", "?earlier=true");
  expect(modelCall).toMatchObject({ step: 1, request: null, reply: { toolCalls: [{ id: "c1", name: "read_file" }] } });
  expect(toolCalls).toMatchObject([{ result: { content: "text of a" } }]);
  expect((await body("s2")).modelCall).toMatchObject({ request: null, reply: { content: "Done" } });
});

test("a missing message leaves a gap, and the others keep their places", async () => {
  await addTrace(server, "a");
  await addMessages(server, "a", MESSAGES);
  await server.database.message.update({ where: { id: "m1" }, data: { bodyHash: "hash_of_m1" } });
  const sent = { base_call: null, kept_messages: 0, message_hashes: ["hash_of_nothing", "hash_of_m1"] };
  await addSpan(server, "a", { id: "s1" }, { step: 1, ...sent });
  const { request } = (await body("s1")).modelCall;
  expect(request).toMatchObject({ earlierCount: 0, fresh: [null, { content: "Go" }], tools: null });
});

test("a call whose base is gone says how much is missing", async () => {
  await addTrace(server, "a");
  await addMessages(server, "a", MESSAGES);
  await server.database.message.update({ where: { id: "m3" }, data: { bodyHash: "hash_of_m3" } });
  const sent = { base_call: "sp_dropped", kept_messages: 2, message_hashes: ["hash_of_m3"] };
  await addSpan(server, "a", { id: "s2" }, { step: 2, ...sent });
  const { request } = (await body("s2", "?earlier=true")).modelCall;
  expect(request).toMatchObject({ earlierCount: 2, earlier: [null, null], fresh: [{ content: "text of a" }] });
});

test("a tool call is paired with its result", async () => {
  await addTrace(server, "a");
  await addMessages(server, "a", MESSAGES);
  await addSpan(server, "a", { id: "s3", type: "tool" }, { tool_call_id: "c1" });
  expect((await body("s3")).toolCalls).toMatchObject([
    { call: { id: "c1", args: { path: "a.txt" } }, result: { content: "text of a", isError: false } },
  ]);
});
