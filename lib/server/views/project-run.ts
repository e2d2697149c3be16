import type { RunEventType as ClientEventType, RunEvents } from "@/lib/api-client/run-event";
import { toWireInterrupt } from "@/lib/schema/runs/interrupt";
import type { RunEvent, RunEventType, StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { ServerSentEvent } from "@/lib/server/http/event-stream";
import { type ProjectedRun, wireUsage } from "./project-agents-api";

interface RunState {
  readonly run: ProjectedRun;
  streamedStep: number | null;
}

type Row<Type extends RunEventType> = (event: Extract<RunEvent, { type: Type }>, state: RunState) => Projected | null;

/** As `ringmaster/client` declares them. */
type Projected = {
  [Name in ClientEventType]: { readonly event: Name; readonly data: RunEvents[Name] };
}[ClientEventType];

function wireSubagent(event: Extract<RunEvent, { type: "subagent.started" | "subagent.completed" }>) {
  const { toolCallId, runId, name, description, background, delegate } = event;
  const shared = { tool_call_id: toolCallId, child_run_id: runId, name, description, background };
  return delegate ? { ...shared, delegate } : shared;
}

const TABLE: { readonly [Type in RunEventType]: Row<Type> } = {
  "run.started": (event, { run }) => ({
    event: "run.started",
    data: {
      thread_id: run.clientThreadId,
      agent_id: event.agentId,
      trace_id: run.traceId,
      ...(event.segment > 0 ? { segment: event.segment } : {}),
    },
  }),
  "model.started": () => null,
  "text.delta": (event, state) => {
    state.streamedStep = event.step;
    return { event: "chunk", data: { content: event.delta } };
  },
  "reasoning.delta": (event) => ({ event: "reasoning", data: { content: event.delta } }),
  "tool.input": () => null,
  "tool.delta": () => null,
  "model.retry": () => null,
  "step.reset": (_event, state) => {
    state.streamedStep = null;
    return { event: "chunk", data: { content: "", reset: true } };
  },
  /** A reply that a hook returned in place of the model's was never streamed. */
  "model.completed": ({ step, reply }, state) =>
    reply.content === "" || state.streamedStep === step ? null : { event: "chunk", data: { content: reply.content } },
  "tool.call": ({ call }) => ({
    event: "tool.call",
    data: { name: call.name, id: call.id, args: call.args },
  }),
  "usage.unknown": () => null,
  "tool.intent": () => null,
  "tool.result": ({ result, durationMs }) => ({
    event: "tool.result",
    data: {
      name: result.name,
      id: result.toolCallId,
      is_error: result.error !== undefined,
      output: result.output,
      ...(result.error === undefined ? {} : { error: result.error }),
      ...(result.forUser === undefined ? {} : { for_user: result.forUser }),
      duration_ms: durationMs,
    },
  }),
  "grant.used": () => null,
  "tool.progress": () => null,
  "tool.pending": () => null,
  "approval.requested": ({ toolCallId, tool, args, reason }) => ({
    event: "approval.requested",
    data: { tool_call_id: toolCallId, name: tool, args, ...(reason === undefined ? {} : { reason }) },
  }),
  "question.asked": ({ toolCallId, tool, questions }) => ({
    event: "question.asked",
    data: { tool_call_id: toolCallId, name: tool, questions },
  }),
  /** Not an S4 event: `run.waiting` contains the same. */
  "budget.reached": () => null,
  "connect.asked": () => null,
  "run.waiting": ({ interrupts }) => ({
    event: "run.waiting",
    data: { interrupts: interrupts.map(toWireInterrupt) },
  }),
  /** Not an S4 event: the next `run.started` says that the run continues. */
  "interrupt.decided": () => null,
  "subagent.started": (event) => ({ event: "subagent.started", data: wireSubagent(event) }),
  "subagent.completed": (event) => ({
    event: "subagent.completed",
    data: {
      ...wireSubagent(event),
      status: event.status,
      last_line: event.lastLine,
      ...(event.calls === undefined ? {} : { calls: event.calls }),
      usage: { ...wireUsage(event.usage), cost_usd: event.costUsd },
    },
  }),
  handoff: ({ from, to, reason }) => ({ event: "handoff", data: { from, to, reason } }),
  "todo.updated": (event) => ({ event: "todo.updated", data: { todos: event.todos } }),
  "file.changed": (event) => ({
    event: "file.changed",
    data: {
      path: event.path,
      operation: event.operation,
      version: event.version,
      added_lines: event.addedLines,
      removed_lines: event.removedLines,
      ...(event.toolCallId === undefined ? {} : { tool_call_id: event.toolCallId }),
    },
  }),
  "summary.completed": () => null,
  "generation.prepared": () => null,
  "steer.read": () => null,
  "extension.changed": ({ file, from, to }) => ({ event: "extension.changed", data: { file, from, to } }),
  "run.completed": (event) => ({
    event: "run.completed",
    data: {
      status: event.status,
      ...(event.notice === undefined ? {} : { notice: event.notice }),
      ...(event.defaultResponse === undefined ? {} : { default_response: event.defaultResponse }),
      ...(event.silent ? { silent: true } : {}),
    },
  }),
  "run.failed": (event) => ({
    event: "run.failed",
    data: { error: event.error.message, code: event.error.code, status: event.status },
  }),
  "run.cancelled": () => ({ event: "run.cancelled", data: {} }),
  "compaction.completed": (event) => ({
    event: "compaction.completed",
    data: {
      compacted: event.compacted,
      kept: event.kept,
      tokens_before: event.tokensBefore,
      tokens_after: event.tokensAfter,
      estimated: true,
      compaction_count: event.count,
      memory_flushed: event.memoryFlushed,
    },
  }),
};

/** The events of S4 (`run.*`, `chunk`, `tool.*`): feed it the rows of a run in order. */
export function runProjection(run: ProjectedRun): (stored: StoredRunEvent) => ServerSentEvent[] {
  const state: RunState = { run, streamedStep: null };
  return ({ event }) => {
    const projected = (TABLE[event.type] as Row<RunEventType>)(event, state);
    return projected === null ? [] : [{ event: projected.event, data: { run_id: run.runId, ...projected.data } }];
  };
}
