import "server-only";
import { z } from "zod";
import type { RunState } from "@/lib/agent/run-context";
import { UNFINISHED_CALLS } from "@/lib/agent/run-ending";
import { callKey } from "@/lib/hooks/replay";
import type { Message, ToolCall, ToolMessage } from "@/lib/schema/messages/message";
import { type ModelReply, type RunEvent, RunSummary } from "@/lib/schema/runs/run-event";
import { Todo } from "@/lib/schema/runs/todo";
import { NO_SPENDING } from "@/lib/schema/runs/usage";
import { RunInput } from "@/lib/server/engine/run-input";
import { toMessage } from "@/lib/server/engine/transcript/load-history";
import type { Database } from "@/lib/server/platform/db/database";
import type { RunRow } from "@/lib/server/platform/db/queries/runs";
import { readKeptTexts } from "@/lib/server/traces/kept-texts";
import { UNDO_PREFIX } from "@/lib/server/traces/undo/undo-targets";

/** A tool call of a run, with its result; null if none came. */
export interface RecordedCall {
  readonly step: number;
  readonly key: string;
  readonly call: ToolCall;
  readonly result: ToolMessage | null;
}

/** What an ended run did, from rows that outlive its events. */
export interface RecordedRun {
  readonly run: RunRow;
  readonly input: RunInput;
  /** Its replies, results and steering messages as the events of its journal, which cost nothing. */
  readonly events: readonly RunEvent[];
  /** In order. */
  readonly calls: readonly RecordedCall[];
  /** The tools whose call ended it. */
  readonly endingTools: ReadonlySet<string>;
}

/** Null if its messages are gone, or from before their steps were recorded. */
export async function loadRecordedRun(db: Database, run: RunRow): Promise<RecordedRun | null> {
  const own = { runId: run.id, NOT: { id: { startsWith: UNDO_PREFIX } } };
  const rows = await db.message.findMany({ where: own, orderBy: { position: "asc" } });
  const replies = rows.filter(({ role }) => role === "assistant");
  if (replies.length === 0 || replies.some(({ step }) => step === null)) return null;
  const input = RunInput.parse(JSON.parse(run.input));
  const messages = rows.map((row) => ({
    message: toMessage(row),
    step: row.step,
    model: row.model ?? run.model ?? "",
  }));
  const journal = journalOf(run, messages, new Set(input.messages.map(({ id }) => id)));
  return { run, input, ...journal, endingTools: endingToolsOf(run, rows.at(-1)?.role, journal.calls) };
}

interface StoredMessage {
  readonly message: Message;
  readonly step: number | null;
  readonly model: string;
}

function journalOf(run: RunRow, stored: readonly StoredMessage[], asked: ReadonlySet<string | undefined>) {
  const results = new Map(
    stored.flatMap(({ message }) => (message.role === "tool" ? [[message.toolCallId, message] as const] : [])),
  );
  const calls: RecordedCall[] = [];
  const events: RunEvent[] = [];
  let last = 0;
  // A reply without text and calls is no message.
  const fillUpTo = (step: number, model: string) => {
    for (last += 1; last < step; last += 1) events.push(replied(last, EMPTY, model));
  };
  const addReply = ({ message, step, model }: StoredMessage) => {
    if (message.role !== "assistant") return;
    fillUpTo(step ?? last + 1, model);
    events.push(replied(last, message, model));
    for (const call of message.toolCalls) {
      const result = results.get(call.id) ?? null;
      calls.push({ step: last, key: callKey(call), call, result: isUnfinished(result) ? null : result });
      if (result) events.push(resultEvent(last, result));
    }
  };
  for (const row of stored) {
    const { message } = row;
    addReply(row);
    if (message.role === "user" && last > 0 && !asked.has(message.id)) events.push(steerEvent(last + 1, message));
  }
  fillUpTo(run.steps + 1, run.model ?? "");
  return { events, calls };
}

const EMPTY = { content: "", toolCalls: [] };

function replied(
  step: number,
  {
    content,
    toolCalls,
    reasoning = [],
  }: Pick<Extract<Message, { role: "assistant" }>, "content" | "toolCalls" | "reasoning">,
  model: string,
): RunEvent {
  const finishReason = toolCalls.length > 0 ? "tool-calls" : "stop";
  const reply: ModelReply = {
    content,
    reasoning,
    toolCalls,
    finishReason,
    ...NO_SPENDING,
    model,
    timeToFirstTokenMs: null,
  };
  return { type: "model.completed", step, reply, durationMs: 0 };
}

function resultEvent(step: number, { toolCallId, name, content, isError, images }: ToolMessage): RunEvent {
  const text = isError ? { output: "", error: content } : { output: content };
  const result = { toolCallId, name, ...text, ...(images ? { images } : {}) };
  return { type: "tool.result", step, result, durationMs: 0 };
}

function steerEvent(step: number, { id = "", content, images }: Extract<Message, { role: "user" }>): RunEvent {
  return { type: "steer.read", step, messageId: id, content, sentAtMs: 0, ...(images ? { images } : {}) };
}

/** What stands for the result of a call that the end of its run cut off is no result. */
function isUnfinished(result: ToolMessage | null): boolean {
  return result?.isError === true && UNFINISHED_CALLS.includes(result.content);
}

/** A run that ends with a result has been ended by its tool. */
function endingToolsOf(run: RunRow, lastRole: string | undefined, calls: readonly RecordedCall[]): ReadonlySet<string> {
  if (run.status !== "completed" || lastRole !== "tool") return new Set();
  const last = calls.at(-1)?.step;
  return new Set(calls.filter(({ step }) => step === last).map(({ call }) => call.name));
}

/** Plan and summary with which a step of the run began; null if they were not recorded or are no longer kept. */
export async function recordedState(db: Database, runId: string, step: number): Promise<RunState | null> {
  const row = await db.runStep.findUnique({ where: { runId_step: { runId, step } } });
  if (row === null) return null;
  const { todosHash, summaryHash } = row;
  const texts = await readKeptTexts(
    db,
    [todosHash, summaryHash].flatMap((hash) => hash ?? []),
  );
  const [todos, summary] = [todosHash, summaryHash].map((hash) => (hash === null ? "null" : texts.get(hash)));
  if (todos === undefined || summary === undefined) return null;
  return {
    todos: z.array(Todo).nullable().parse(JSON.parse(todos)) ?? [],
    summary: RunSummary.nullable().parse(JSON.parse(summary)),
  };
}
