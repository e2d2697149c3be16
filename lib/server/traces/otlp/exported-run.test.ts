import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { POST as sendMessage } from "@/app/api/threads/[threadId]/messages/route";
import { POST as createThread } from "@/app/api/threads/route";
import { POST as complete } from "@/app/v1/chat/completions/route";
import { setMasks } from "@/lib/server/platform/masking";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { type OtlpCollector, startOtlpCollector } from "@/lib/testing/traces/otlp-collector";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` };

let collector: OtlpCollector;
let server: RunServer;
beforeEach(async () => {
  collector = await startOtlpCollector();
});
afterEach(async () => {
  await server.close();
  await collector.close();
  setMasks([]);
});

const start = (environment: Record<string, string> = {}) =>
  startRunServer([{ text: "Look.", calls: [{ name: "write_todos", args: { todos: [] } }] }, { text: "Done, Ada." }], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    ...environment,
  });

async function sentRoot() {
  await expect.poll(() => collector.accepted.some(({ name }) => name.startsWith("invoke_agent"))).toBe(true);
  return collector.accepted.find(({ name }) => name.startsWith("invoke_agent"));
}

test("a run over /agents arrives at the collector below its caller's span; the API's trace id stays ours", async () => {
  server = await start();
  const body = { messages: [{ role: "user", content: "I am Ada." }] };
  const call = { method: "POST", as: "member", params: { id: "coder" }, body, headers: CALLER } as const;
  const { trace_id: traceId } = await (await server.call(invoke, { ...call, path: "/agents/coder/invoke" })).json();
  const root = await sentRoot();
  expect(root).toMatchObject({ traceId: TRACE, parentSpanId: "00f067aa0ba902b7", name: "invoke_agent coder" });
  expect(root?.attributes).toMatchObject({ "ringmaster.trace_id": traceId, "gen_ai.agent.id": "coder" });
  expect(traceId).not.toBe(TRACE);
  const names = collector.accepted.map(({ name }) => name).toSorted();
  expect(names).toEqual(["chat m", "chat m", "execute_tool write_todos", "invoke_agent coder"]);
  expect(JSON.stringify(collector.accepted)).not.toContain("Ada");
  await expect.poll(() => server.database.traceExport.count()).toBe(0);
});

test("what was said is sent where a setting says so, masked", async () => {
  server = await start({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true" });
  setMasks([(text) => text.replaceAll("Ada", "[name]")]);
  const body = { messages: [{ role: "user", content: "I am Ada." }] };
  await server.call(invoke, { method: "POST", as: "member", params: { id: "coder" }, body });
  expect((await sentRoot())?.attributes).toMatchObject({
    "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"I am [name]."}]}]',
    "gen_ai.output.messages": expect.stringContaining("Done, [name]."),
  });
  expect(JSON.stringify(collector.accepted)).not.toContain("Ada");
});

test("/v1 takes a caller's trace as well, and an invalid one is ignored", async () => {
  server = await start();
  const call = (headers: Record<string, string>) =>
    server.call(complete, {
      ...{ method: "POST", as: "member", path: "/v1/chat/completions", headers },
      body: { model: "agent:plain", messages: [{ role: "user", content: "Hello" }] },
    });
  expect((await call(CALLER)).status).toBe(200);
  expect((await call({ traceparent: `00-${"0".repeat(32)}-00f067aa0ba902b7-01` })).status).toBe(200);
  await expect.poll(() => collector.accepted.filter(({ name }) => name.startsWith("invoke")).length).toBe(2);
  const roots = collector.accepted.filter(({ name }) => name.startsWith("invoke"));
  expect(roots.filter(({ traceId }) => traceId === TRACE)).toHaveLength(1);
  expect(roots.find(({ traceId }) => traceId !== TRACE)?.parentSpanId).toBe("");
});

test("the browser's API takes no trace from outside", async () => {
  server = await start();
  const { id } = await (
    await server.call(createThread, { method: "POST", as: "member", body: { agentId: "plain" } })
  ).json();
  const call = { method: "POST", as: "member", params: { threadId: id }, body: { content: "Hello" } } as const;
  await server.call(sendMessage, { ...call, path: `/api/threads/${id}/messages`, headers: CALLER });
  expect((await sentRoot())?.parentSpanId).toBe("");
});

test("without an endpoint a run has no place in the outbox, and stores no caller", async () => {
  server = await startRunServer([{ text: "Hello." }]);
  const call = {
    method: "POST",
    as: "member",
    params: { id: "plain" },
    body: { messages: [{ role: "user", content: "Hi" }] },
  } as const;
  await server.call(invoke, { ...call, path: "/agents/plain/invoke", headers: CALLER });
  expect(await server.database.traceExport.count()).toBe(0);
  expect((await server.database.run.findFirstOrThrow()).input).not.toContain("traceparent");
});
