import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Message } from "@/lib/schema/messages/message";
import type { Span } from "@/lib/schema/traces/span";
import { VERSION } from "@/lib/server/platform/version";
import { decodeExport } from "@/lib/testing/traces/otlp-collector";
import { runContent } from "./content";
import { encodeSpans } from "./encode-spans";
import { toOtlpSpan } from "./to-otlp-span";

const AT = Date.parse("2026-03-01T10:00:00.000Z");

type Finished = Span & { readonly endedAtMs: number };

function span(id: string, facts: Partial<Finished> & Pick<Span, "type" | "name">): Finished {
  return {
    ...{ id, traceId: "tr_1", runId: "run_1", parentId: "sp_run_1", status: "completed", error: null, attributes: {} },
    ...{ startedAtMs: AT, endedAtMs: AT + 1_234.5 },
    ...facts,
  };
}

const TOKENS = { input_tokens: 120, cached_read_tokens: 100, cached_write_tokens: 5, output_tokens: 30 };

const SPANS: readonly Finished[] = [
  span("sp_run_1", {
    type: "agent",
    name: "coder",
    parentId: null,
    status: "failed",
    error: "The provider is overloaded.",
    attributes: {
      agent_id: "coder",
      agent_version: 7,
      thread_id: "th_1",
      steps: 2,
      input_tokens: 120,
      output_tokens: 30,
    },
  }),
  span("sp_call", {
    type: "llm",
    name: "llm.call",
    attributes: {
      ...{ step: 1, model: "google:gemini-2.5:free", provider: "google", ...TOKENS, reasoning_tokens: 0 },
      ...{ cost_usd: 0.25, finish_reason: "tool-calls", time_to_first_token_ms: 250, content_length: 4 },
      content_preview: "never sent as it is",
    },
  }),
  span("sp_tool", {
    type: "tool",
    name: "tool.call",
    status: "failed",
    error: "no such file: /home/ada/secret.txt",
    attributes: { step: 1, tool_name: "read_file", tool_call_id: "call_1", tool_args: '{"path":"secret.txt"}' },
  }),
  span("sp_lost", {
    type: "llm",
    name: "llm.call",
    status: "interrupted",
    attributes: { step: 2, model: "scripted", input_tokens: null, output_tokens: null, cost_usd: null },
  }),
  span("sp_attempt", {
    type: "llm",
    name: "llm.attempt",
    parentId: "sp_lost",
    status: "failed",
    error: "429",
    attributes: { attempt: 1, error_code: "model_failed" },
  }),
  span("sp_summary", { type: "summary", name: "compaction", attributes: { model: "openai:gpt-5", ...TOKENS } }),
  span("sp_hook", { type: "hook", name: "cache.wrapModelCall", status: "cancelled" }),
];

const MESSAGES: readonly Message[] = [
  { id: "msg_1", role: "user", content: "Read my file." },
  {
    id: "run_1:1",
    role: "assistant",
    content: "I look.",
    reasoning: [{ text: "A file." }],
    toolCalls: [{ id: "call_1", name: "read_file", args: { path: "secret.txt" }, rawArgs: '{"path":"secret.txt"}' }],
  },
  { id: "run_1:1.1", role: "tool", name: "read_file", toolCallId: "call_1", content: "no such file", isError: true },
];

const CALLER = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };

/** What a collector reads, on a version that does not change with ours. */
async function received(content: "with content" | "without content") {
  const texts = content === "with content" ? runContent("run_1", MESSAGES) : null;
  const run = { errorCode: "model_failed", origin: "api", caller: CALLER };
  const spans = SPANS.map((each) => toOtlpSpan(each, run, texts?.of(each) ?? null));
  const body = await encodeSpans(spans, { serviceName: "agents", resource: { "deployment.environment.name": "test" } });
  return JSON.parse(JSON.stringify(decodeExport(body)).replaceAll(VERSION, "VERSION"));
}

test.each(["with content", "without content"] as const)("the payload %s is the golden one", async (content) => {
  const file = `./golden/${content.replaceAll(" ", "-")}.json`;
  const golden = readFileSync(new URL(file, import.meta.url), "utf8");
  expect(await received(content)).toEqual(JSON.parse(golden));
});

test("without content, nothing that somebody or a model wrote is in the payload", async () => {
  const text = JSON.stringify(await received("without content"));
  for (const written of ["secret", "never sent", "Read my file", "I look", "no such file", "A file"]) {
    expect(text).not.toContain(written);
  }
});

test("each message is in the payload once as a reply, and once where it was new", async () => {
  const text = JSON.stringify(await received("with content"));
  // On the run and on the call that it began.
  expect(text.split("Read my file.")).toHaveLength(3);
  expect(text.split("I look.")).toHaveLength(3);
});
