import type { QueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { spanQuery } from "@/lib/client/trace/trace-queries";
import type { TryHookBody } from "@/lib/schema/agents/try-hook";
import { Message } from "@/lib/schema/messages/message";
import type { Span } from "@/lib/schema/traces/span";

export type TrySample = Pick<TryHookBody, "messages" | "call">;

export interface SampleStep {
  readonly id: string;
  readonly name: string;
}

/** The model calls of a run, or its tool calls. */
export function sampleSteps(spans: readonly Span[], isCall: boolean): readonly SampleStep[] {
  const wanted = spans.filter(
    ({ name, endedAtMs }) => endedAtMs !== null && name === (isCall ? "tool.call" : "llm.call"),
  );
  return wanted.map(({ id, attributes }, index) => {
    const step = typeof attributes.step === "number" ? attributes.step : index + 1;
    const tool = typeof attributes.tool_name === "string" ? `, ${attributes.tool_name}` : "";
    return { id, name: `Step ${step}${tool}` };
  });
}

/** The input of the model, or of the tool, in a real step. */
export async function stepSample(
  client: QueryClient,
  { runId, step, isCall }: { runId: string; step: SampleStep | undefined; isCall: boolean },
): Promise<TrySample> {
  if (step === undefined) throw new Error("This run has no such step. Choose another run, or paste a sample.");
  const address = { traceId: runId, spanId: step.id, version: "ended", withEarlier: true };
  const { modelCall, toolCalls } = await client.fetchQuery(spanQuery(address));
  const [done] = toolCalls;
  if (isCall) {
    if (!done) throw new Error("The arguments of this call are not kept any more. Paste a call.");
    const { name, args } = done.call;
    return { call: { name, args, ...(done.result ? { result: done.result.content } : {}) } };
  }
  const { request } = modelCall ?? {};
  const messages = [...(request?.earlier ?? []), ...(request?.fresh ?? [])].filter((message) => message !== null);
  if (messages.length === 0) throw new Error("The messages of this step are not kept any more. Paste some.");
  return { messages };
}

const PastedMessages = z.array(Message).min(1);
const CALL = /^([^\s{]+)\s*(\{[\s\S]*)?$/u;

/** Pasted text is one message; JSON is a list of them, or `name {arguments}` for a call. */
export function readSample(text: string, isCall: boolean): TrySample {
  if (text.trim() === "") throw new Error(isCall ? "Paste a call first." : "Paste a message first.");
  if (isCall) return { call: readCall(text) };
  if (!text.trimStart().startsWith("[")) return { messages: [{ role: "user", content: text }] };
  const parsed = PastedMessages.safeParse(fromJson(text));
  if (parsed.success) return { messages: parsed.data };
  const [issue] = parsed.error.issues;
  throw new Error(`The list of messages can't be read: ${issue?.path.join(".")} ${issue?.message}`);
}

function readCall(text: string): NonNullable<TrySample["call"]> {
  const [, name = "", json = "{}"] = CALL.exec(text.trim()) ?? [];
  const args = z.record(z.string(), z.unknown()).safeParse(fromJson(json));
  if (name === "" || !args.success) throw new Error('Write the tool and its arguments: execute {"command": "ls"}');
  return { name, args: args.data };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
