import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as readTrace } from "@/app/agents/traces/[id]/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";

let server: RunServer;

beforeEach(async () => {
  server = await startRunServer(({ messages = [] }) => {
    const said = String(messages.findLast(({ role }) => role === "user")?.content);
    const [verb, count = "0"] = said.split(" ");
    if (messages.at(-1)?.role === "tool" || !["write", "say"].includes(verb ?? "")) return { text: "ok" };
    const text = "x".repeat(Number(count));
    return verb === "say" ? { text } : { calls: [{ name: "calculate", args: { expression: text } }] };
  });
  const base = { model: "scripted:m", retries: 0, tools: ["calculate"], guard: { mode: "off" } };
  await createAgent(server.services, { agentId: "terse", raw: { ...base, name: "Terse" }, createdById: null });
  await createAgent(server.services, {
    agentId: "verbose",
    raw: { ...base, name: "Verbose", trace: { verbose: true } },
    createdById: null,
  });
  const trace = { verbose: true, preview_chars: 10, max_body_chars: 200 };
  await createAgent(server.services, { agentId: "short", raw: { ...base, name: "Short", trace }, createdById: null });
});
afterEach(() => server.close());

/** The attributes of the first span with this name, in a run with this input. */
async function spanOf(agentId: string, content: string, name: string): Promise<Record<string, unknown>> {
  const body = { messages: [{ role: "user", content }] };
  const reply = await server.call(invoke, { as: "member", params: { id: agentId }, body });
  const { trace_id: id } = (await reply.json()) as { trace_id: string };
  const read = async () => {
    const trace = await server.call(readTrace, { as: "admin", params: { id } });
    const { spans } = (await trace.json()) as { spans: { name: string; attributes: Record<string, unknown> }[] };
    return spans.find((span) => span.name === name)?.attributes ?? {};
  };
  const isEnded = name === "llm.call" ? "content_length" : "output_length";
  await reached(async () => isEnded in (await read()));
  return read();
}

test("the input of a model call is on its span only when verbose, up to 50,000 characters", async () => {
  expect(await spanOf("terse", "hi", "llm.call")).not.toHaveProperty("input");
  const short = String((await spanOf("verbose", "x", "llm.call")).input);
  expect(JSON.parse(short).messages).toMatchObject([{ role: "user", content: "x" }]);
  // A message may have 32,768 characters; each quote counts twice because JSON escapes it.
  const sent = (length: number) => {
    const more = length - short.length;
    return `x${'"'.repeat(Math.floor(more / 2))}${"y".repeat(more % 2)}`;
  };
  const lengths = [49_999, 50_000, 50_001].map(async (length) => {
    const { input } = await spanOf("verbose", sent(length), "llm.call");
    return String(input).length;
  });
  expect(await Promise.all(lengths)).toEqual([49_999, 50_000, 50_000]);
});

test.each([
  [499, 499],
  [500, 500],
  [501, 500],
])("of an answer of %i characters the span shows %i", async (length, shown) => {
  const span = await spanOf("terse", `say ${length}`, "llm.call");
  expect([span.content_length, String(span.content_preview).length]).toEqual([length, shown]);
});

const AROUND = '{"expression":""}'.length;

test.each([
  [49_999, 49_999],
  [50_000, 50_000],
  [50_001, 50_000],
])("of arguments of %i characters the span of the call holds %i", async (length, held) => {
  const span = await spanOf("terse", `write ${length - AROUND}`, "tool.call");
  expect(String(span.tool_args)).toHaveLength(held);
});

test.each([
  [9, 9],
  [10, 10],
  [11, 10],
])("with preview_chars 10, of an answer of %i characters the span shows %i", async (length, shown) => {
  const span = await spanOf("short", `say ${length}`, "llm.call");
  expect([span.content_length, String(span.content_preview).length]).toEqual([length, shown]);
});

test.each([
  [199, 199],
  [200, 200],
  [201, 200],
])("with max_body_chars 200, of arguments of %i characters the span holds %i", async (length, held) => {
  const span = await spanOf("short", `write ${length - AROUND}`, "tool.call");
  expect(String(span.tool_args)).toHaveLength(held);
});

test("with max_body_chars 200, the span has that much of a verbose input", async () => {
  expect(String((await spanOf("short", "x".repeat(300), "llm.call")).input)).toHaveLength(200);
});
