import { toWireInterrupt } from "@/lib/schema/runs/interrupt";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { RunEvent, RunEventType, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { showUsage, totalTokens, type Usage, wireUsageNotes } from "@/lib/schema/runs/usage";
import { restartNotice } from "@/lib/server/engine/log/signals";
import type { ServerSentEvent } from "@/lib/server/http/event-stream";

/** What a projection needs besides the events: the ids as the API shows them. */
export interface ProjectedRun {
  readonly runId: string;
  /** Null if no trace is kept. */
  readonly traceId: string | null;
  /** The id that the client chose for its thread (D-58). */
  readonly clientThreadId: string;
}

interface StreamState {
  readonly run: ProjectedRun;
  startedAtMs: number | null;
  streamedStep: number | null;
}

interface Envelope {
  readonly event: string;
  readonly name?: string;
  readonly data?: unknown;
  readonly thread_id?: string;
}

type Row<Type extends RunEventType> = (
  event: Extract<RunEvent, { type: Type }>,
  state: StreamState,
  at: number,
) => readonly Envelope[];

/** `usage` as `/agents` spells it. */
export function wireUsage(usage: Usage) {
  const shown = showUsage(usage);
  return {
    input_tokens: shown.inputTokens,
    output_tokens: shown.outputTokens,
    total_tokens: totalTokens(usage),
    ...wireUsageNotes(shown),
  };
}

const stream = (data: { delta: string; reset?: true }): Envelope => ({ event: "on_chat_model_stream", data });

function done(
  state: StreamState,
  at: number,
  status: RunStatus,
  more: { notice?: string; default_response?: string; silent?: true } = {},
): Envelope {
  return {
    event: "done",
    thread_id: state.run.clientThreadId,
    data: {
      trace_id: state.run.traceId,
      status,
      total_duration_ms: at - (state.startedAtMs ?? at),
      ...more,
    },
  };
}

const TABLE: { readonly [Type in RunEventType]: Row<Type> } = {
  "run.started": (_event, state, at) => {
    state.startedAtMs ??= at;
    return [];
  },
  "model.started": (event) => [{ event: "on_chat_model_start", name: event.model }],
  "text.delta": (event, state) => {
    state.streamedStep = event.step;
    return [stream({ delta: event.delta })];
  },
  "reasoning.delta": () => [],
  "tool.input": () => [],
  "tool.delta": () => [],
  "model.retry": () => [],
  "step.reset": (_event, state) => {
    state.streamedStep = null;
    return [stream({ delta: "", reset: true })];
  },
  "usage.unknown": () => [],
  "model.completed": ({ reply, step }, state) => [
    ...(reply.content !== "" && state.streamedStep !== step ? [stream({ delta: reply.content })] : []),
    { event: "on_chat_model_end", name: reply.model, data: { usage: wireUsage(reply.usage) } },
  ],
  "tool.call": ({ call }) => [
    { event: "on_tool_start", name: call.name, data: { args: call.args, tool_call_id: call.id } },
  ],
  "tool.intent": () => [],
  "tool.result": ({ result }) => [
    {
      event: "on_tool_end",
      name: result.name,
      data: {
        output: result.output,
        ...(result.error === undefined ? {} : { error: result.error }),
        ...(result.forUser === undefined ? {} : { for_user: result.forUser }),
        tool_call_id: result.toolCallId,
      },
    },
  ],
  "grant.used": () => [],
  "tool.progress": () => [],
  "tool.pending": () => [],
  "approval.requested": () => [],
  "question.asked": () => [],
  "budget.reached": () => [],
  "connect.asked": () => [],
  "run.waiting": ({ interrupts }, state, at) => [
    { event: "on_interrupt", data: { interrupts: interrupts.map(toWireInterrupt) } },
    done(state, at, "waiting"),
  ],
  "interrupt.decided": () => [],
  "subagent.started": () => [],
  "subagent.completed": () => [],
  handoff: () => [],
  "todo.updated": () => [],
  "summary.completed": () => [],
  "generation.prepared": () => [],
  "extension.changed": () => [],
  "steer.read": () => [],
  "file.changed": () => [],
  "run.completed": ({ status, notice, defaultResponse, silent }, state, at) => [
    done(state, at, status, {
      ...(notice === undefined ? {} : { notice }),
      ...(defaultResponse === undefined ? {} : { default_response: defaultResponse }),
      ...(silent ? { silent } : {}),
    }),
  ],
  "run.failed": ({ error }) => [{ event: "error", data: { error: error.message, code: error.code } }],
  "run.cancelled": () => [{ event: "error", data: { error: "The run was cancelled.", code: "cancelled" } }],
  "compaction.completed": () => [],
};

/** The events of S0 and S1 (`on_chat_model_*`, `on_tool_*`, `done`, `error`): feed it the rows of a run in order. */
export function agentsApiProjection(run: ProjectedRun): (stored: StoredRunEvent) => ServerSentEvent[] {
  const state: StreamState = { run, startedAtMs: null, streamedStep: null };
  return ({ event, at }) =>
    (TABLE[event.type] as Row<RunEventType>)(event, state, at).map(({ event: name, ...rest }) => ({
      event: name,
      data: { event: name, run_id: run.runId, ...rest },
    }));
}

/**
 * The last event for a reader disconnected by a shutdown: unlike the other formats this one has no way to reconnect.
 */
export function agentsApiRestart({ runId }: ProjectedRun): ServerSentEvent {
  const data = { error: restartNotice(runId), code: "unavailable" };
  return { event: "error", data: { event: "error", run_id: runId, data } };
}
