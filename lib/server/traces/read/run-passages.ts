import type { AssistantMessage, Message, ToolCall, ToolMessage } from "@/lib/schema/messages/message";
import { plainGist } from "@/lib/schema/tools/plain-gist";
import type { ReadCall, ReadPassage, ReadText } from "@/lib/schema/traces/read-trace";
import type { Span } from "@/lib/schema/traces/span";
import { maskText } from "@/lib/server/platform/masking";
import type { Wait } from "@/lib/server/traces/waits";
import { waitLabels } from "./wait-labels";

/** What is stored of a tool call beside its message. */
interface StoredCall {
  readonly runId: string;
  readonly toolCallId: string;
  readonly step: number;
  readonly spanId: string;
  readonly tool: string;
  readonly gist: string;
  readonly args: string | null;
  readonly status: string;
  readonly error: string | null;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
}

/** Everything about one run, texts masked. */
export interface RunParts {
  readonly runId: string;
  readonly messages: readonly Message[];
  /** False once they were removed: only what it was started with may be left of them. */
  readonly hasMessages: boolean;
  readonly calls: readonly StoredCall[];
  /** Of this run alone. */
  readonly spans: readonly Span[];
  readonly waits: readonly Wait[];
  /** Subagents' runs by the call that started them. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** How it ended, if that is worth saying. */
  readonly end: { readonly tone: "plain" | "fail"; readonly text: string } | null;
}

/** The parts of a run, found without a search for each step. */
interface Indexed extends RunParts {
  readonly spansByStep: ReadonlyMap<unknown, readonly Span[]>;
  readonly callById: ReadonlyMap<string, StoredCall>;
  readonly waitsByCall: ReadonlyMap<string, readonly Wait[]>;
  readonly callsByStep: ReadonlyMap<number, readonly StoredCall[]>;
}

/** Keeps a text as it is or cuts it. */
export type Cut = (text: string) => ReadText;

/** The passages of a run in the order in which a reader follows it. */
export function runPassages(run: RunParts, cut: Cut): ReadPassage[] {
  const parts: Indexed = {
    ...run,
    spansByStep: Map.groupBy(run.spans, ({ attributes }) => attributes.step),
    callById: new Map(run.calls.map((call) => [call.toolCallId, call])),
    waitsByCall: Map.groupBy(run.waits, ({ toolCallId }) => toolCallId),
    callsByStep: Map.groupBy(run.calls, ({ step }) => step),
  };
  const said = passagesOfMessages(parts, cut);
  const passages = parts.hasMessages ? said : [...said, ...passagesOfCalls(parts, cut)];
  const { end, runId } = parts;
  return end === null ? passages : [...passages, { kind: "notice", id: `${runId}:end`, ...end }];
}

function passagesOfMessages(parts: Indexed, cut: Cut): ReadPassage[] {
  const { messages } = parts;
  const results = new Map(
    messages.flatMap((message) => (message.role === "tool" ? [[message.toolCallId, message] as const] : [])),
  );
  let step = 0;
  return messages.flatMap((message, index): ReadPassage[] => {
    const id = `${parts.runId}:${index}`;
    if (message.role === "tool") return [];
    if (message.role !== "assistant") return [{ kind: "message", id, text: cut(message.content) }];
    step += 1;
    return stepPassages(parts, { id, step, message, results }, cut);
  });
}

interface StepParts {
  readonly id: string;
  readonly step: number;
  readonly message: AssistantMessage;
  readonly results: ReadonlyMap<string, ToolMessage>;
}

function stepPassages(parts: Indexed, { id, step, message, results }: StepParts, cut: Cut): ReadPassage[] {
  const thought = (message.reasoning ?? []).map(({ text }) => text).join("\n\n");
  return [
    stepHead(parts, step, message.toolCalls.length),
    ...summaries(parts, step),
    ...(thought.trim() === "" ? [] : [{ kind: "thought" as const, id: `${id}:thought`, text: cut(thought) }]),
    ...(message.content.trim() === ""
      ? []
      : [{ kind: "answer" as const, id: `${id}:answer`, text: cut(message.content) }]),
    ...message.toolCalls.flatMap((call) => callPassages(parts, call, results.get(call.id), cut)),
  ];
}

function stepHead({ runId, spansByStep, callsByStep, waitsByCall }: Indexed, step: number, calls: number): ReadPassage {
  const own = (spansByStep.get(step) ?? []).filter(({ type }) => type !== "agent");
  const models = own.filter(({ type, name }) => type === "llm" && name !== "llm.attempt");
  const waits = (callsByStep.get(step) ?? []).flatMap(({ toolCallId }) => waitsByCall.get(toolCallId) ?? []);
  const atMs = own.length === 0 ? null : Math.min(...own.map(({ startedAtMs }) => startedAtMs));
  const ends = own.map(({ endedAtMs }) => endedAtMs);
  const isOver = atMs !== null && !ends.includes(null);
  const tookMs = isOver ? Math.max(...ends.map((end) => end ?? 0)) - atMs : null;
  const waitedMs = waits.reduce(
    (sum, { askedAtMs, decidedAtMs }) => sum + Math.max(0, (decidedAtMs ?? askedAtMs) - askedAtMs),
    0,
  );
  const costs = models.map(({ attributes }) => attributes.cost_usd);
  const isPriced = costs.length > 0 && costs.every((cost) => typeof cost === "number");
  return {
    kind: "step",
    id: `${runId}:step ${step}`,
    step,
    atMs,
    workedMs: tookMs === null ? null : Math.max(0, tookMs - waitedMs),
    costUsd: isPriced ? costs.reduce<number>((sum, cost) => sum + Number(cost), 0) : null,
    calls,
  };
}

function summaries({ spansByStep }: Indexed, step: number): ReadPassage[] {
  return (spansByStep.get(step) ?? [])
    .filter(({ type, status }) => type === "summary" && status === "completed")
    .map(({ id, attributes: { note } }) => ({
      kind: "notice",
      id,
      tone: "plain",
      text: typeof note === "string" ? `${note} for this call` : "Older messages were summarised for this call",
    }));
}

function callPassages(parts: Indexed, call: ToolCall, result: ToolMessage | undefined, cut: Cut): ReadPassage[] {
  const stored = parts.callById.get(call.id);
  const args = call.argsError === undefined ? JSON.stringify(call.args, null, 2) : call.rawArgs;
  const shown: ReadCall = {
    kind: "call",
    id: `${parts.runId}:${call.id}`,
    toolCallId: call.id,
    spanId: stored?.spanId ?? null,
    tool: call.name,
    gist: stored === undefined ? plainGist(call.args) : maskText(stored.gist),
    ...timesOf(stored),
    status: statusOf(stored, result),
    args: cut(args),
    result: result === undefined ? null : cut(result.content),
    isError: result?.isError ?? stored?.status === "failed",
    childRunIds: [...(parts.children.get(call.id) ?? [])],
  };
  return [shown, ...waitPassages(parts, call.id)];
}

function timesOf(stored: StoredCall | undefined) {
  if (stored === undefined) return { startedAtMs: null, durationMs: null };
  const { startedAtMs, endedAtMs } = stored;
  return { startedAtMs, durationMs: endedAtMs === null ? null : Math.max(0, endedAtMs - startedAtMs) };
}

const STATUSES = ["running", "waiting", "completed", "failed", "cancelled", "interrupted"] as const;

function statusOf(stored: StoredCall | undefined, result: ToolMessage | undefined): ReadCall["status"] {
  const known = STATUSES.find((status) => status === stored?.status);
  if (known !== undefined) return known;
  if (result === undefined) return "unknown";
  return result.isError ? "failed" : "completed";
}

function waitPassages({ waitsByCall, runId }: Indexed, toolCallId: string): ReadPassage[] {
  return (waitsByCall.get(toolCallId) ?? []).map((wait) => ({
    kind: "wait",
    id: `${runId}:${toolCallId}:wait ${wait.askedAtMs}`,
    fromMs: wait.askedAtMs,
    toMs: wait.decidedAtMs,
    ...waitLabels(wait),
  }));
}

/** Without the messages: what is stored of the calls, by step. */
function passagesOfCalls(parts: Indexed, cut: Cut): ReadPassage[] {
  const bySteps = [...parts.callsByStep].toSorted(([one], [other]) => one - other);
  return bySteps.flatMap(([step, calls]) => [
    stepHead(parts, step, calls.length),
    ...calls.flatMap((stored): ReadPassage[] => [
      {
        kind: "call",
        id: `${parts.runId}:${stored.toolCallId}`,
        toolCallId: stored.toolCallId,
        spanId: stored.spanId,
        tool: stored.tool,
        gist: maskText(stored.gist),
        ...timesOf(stored),
        status: statusOf(stored, undefined),
        args: cut(maskText(stored.args ?? "")),
        result: stored.error === null ? null : cut(maskText(stored.error)),
        isError: stored.status === "failed",
        childRunIds: [...(parts.children.get(stored.toolCallId) ?? [])],
      },
      ...waitPassages(parts, stored.toolCallId),
    ]),
  ]);
}
