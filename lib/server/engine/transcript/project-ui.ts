import type { MessageMetadata, NoticeData } from "@/lib/schema/messages/ui-message";
import type { RunStatus } from "@/lib/schema/runs/run";
import type { RunEvent, RunEventType, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { addSpending, cardTokens, showUsage, unknownSpending } from "@/lib/schema/runs/usage";
import { NO_TRACE } from "@/lib/server/engine/trace-id";
import { completionText } from "./completion-text";
import {
  closeInterrupts,
  showApproval,
  showBudget,
  showConnect,
  showDecision,
  showQuestion,
  showWaiting,
  statusMetadata,
} from "./project-interrupts";
import { showSubagent } from "./project-subagent";
import {
  type ChatChunk,
  closePart,
  countChild,
  countReply,
  newUiState,
  type UiState,
  wholeText,
  writePart,
} from "./ui-projection-state";

interface Stored {
  readonly runId: string;
  readonly seq: number;
  readonly at: number;
}

type Row<Type extends RunEventType> = (
  event: Extract<RunEvent, { type: Type }>,
  state: UiState,
  stored: Stored,
) => ChatChunk[];

const UNANSWERED: Partial<Record<RunStatus, string>> = {
  cancelled: "Cancelled before the tool had finished.",
  interrupted: "Interrupted: outcome unknown, check before repeating.",
};

interface Ending {
  readonly status: RunStatus;
  readonly waitedMs?: number | undefined;
}

/**
 * The chunks that every ending shares: parts and calls closed, a notice, the step's end, the message's final metadata.
 */
function endRun(state: UiState, { at }: Stored, ending: Ending, notice: NoticeData | null): ChatChunk[] {
  const { status, waitedMs } = ending;
  const errorText = UNANSWERED[status] ?? "The run ended before the tool had finished.";
  const metadata: Partial<MessageMetadata> = {
    status,
    // The clock may have been set back since the start.
    endedAtMs: Math.max(at, state.startedAtMs),
    ...(waitedMs === undefined ? {} : { waitedMs }),
    usage: showUsage(state.usage),
    costUsd: state.costUsd,
    ...(state.model === undefined ? {} : { model: state.model }),
    ...(state.step === null ? {} : { steps: state.step }),
  };
  const unanswered = [...state.openCalls.keys()];
  state.openCalls.clear();
  return [
    ...closePart(state),
    ...unanswered.map((toolCallId): ChatChunk => ({ type: "tool-output-error", toolCallId, errorText, dynamic: true })),
    ...closeInterrupts(state, at),
    ...(notice === null ? [] : [{ type: "data-notice" as const, id: "notice", data: notice }]),
    ...(state.step === null ? [] : [{ type: "finish-step" as const }]),
    { type: "message-metadata", messageMetadata: metadata as MessageMetadata },
  ];
}

type Completed = Omit<Extract<RunEvent, { type: "run.completed" }>, "type" | "silent">;

function completionNotice(event: Completed, { streamedText, unansweredStep }: UiState): NoticeData | null {
  const text = completionText(event);
  if (text === null) return null;
  if (event.status === "limit") return { kind: "limit", text };
  const kind = event.noticeKind ?? (streamedText ? "cut" : "empty");
  return { kind, text, ...(streamedText ? {} : retried(unansweredStep)) };
}

function retried(step: number | null): Pick<NoticeData, "retryStep"> {
  return step === null ? {} : { retryStep: step };
}

/** Begins a later segment. */
function continueSegment(state: UiState, { runId }: Stored): ChatChunk[] {
  const before = closePart(state);
  if (!state.isWaiting) return before;
  state.isWaiting = false;
  return [...before, statusMetadata(runId, "running")];
}

/** A call that waited is now running: its card counts from here. */
function startAgain(state: UiState, toolCallId: string, at: number): ChatChunk[] {
  const open = state.openCalls.get(toolCallId);
  if (!state.pendingCalls.delete(toolCallId) || open === undefined) return [];
  const meta = { ...open, startedAtMs: at };
  state.openCalls.set(toolCallId, meta);
  return [{ type: "data-tool-meta", id: toolCallId, data: { toolCallId, ...meta } }];
}

const NOTHING_YET = { lastLine: "", tokens: 0, costUsd: 0 };

const TABLE: { readonly [Type in RunEventType]: Row<Type> } = {
  "run.started": (event, state, stored) => {
    if (state.started) return continueSegment(state, stored);
    state.started = true;
    state.startedAtMs = stored.at;
    const { agentId, assistantMessageId: messageId, draftRevision } = event;
    const tried = draftRevision === undefined ? {} : { draftRevision };
    const traced = event.traceId === NO_TRACE ? {} : { traceId: event.traceId };
    const named = event.agent ? { agentName: event.agent.name, agentVersion: event.agent.version } : {};
    const messageMetadata = { runId: stored.runId, ...traced, ...tried, agentId, ...named, status: "running" } as const;
    return [{ type: "start", messageId, messageMetadata: { ...messageMetadata, startedAtMs: stored.at } }];
  },
  "model.started": ({ step, model, rebuilt }, state) => {
    state.asked = model;
    state.unansweredStep = step;
    if (state.step === step) return [];
    const before: ChatChunk[] = state.step === null ? [] : [...closePart(state), { type: "finish-step" }];
    // Ahead of the step, so that a repeated attempt does not retract it.
    const why: ChatChunk[] = rebuilt === undefined ? [] : [{ type: "data-rebuilt", data: { reason: rebuilt } }];
    state.step = step;
    state.streamedText = false;
    return [...before, ...why, { type: "start-step" }];
  },
  "text.delta": ({ delta }, state, { seq }) => writePart(state, "text", delta, seq),
  "reasoning.delta": ({ delta }, state, { seq }) => writePart(state, "reasoning", delta, seq),
  "tool.input": ({ toolCallId, name: toolName }, state) => [
    ...closePart(state),
    { type: "tool-input-start", toolCallId, toolName, dynamic: true },
  ],
  "tool.delta": ({ toolCallId, delta }) => [{ type: "tool-input-delta", toolCallId, inputTextDelta: delta }],
  "model.retry": ({ step, attempt, error, delayMs, nextModel }, state, { at }) => {
    const model = state.asked === undefined ? {} : { model: state.asked };
    state.asked = nextModel;
    const data = { attempt, error, delayMs, ...model, nextModel, untilMs: at + delayMs };
    return [{ type: "data-retry", id: `retry-${step}`, data }];
  },
  "step.reset": (_event, state) => {
    state.open = null;
    state.streamedText = false;
    return [{ type: "reset-step" }];
  },
  "usage.unknown": ({ estimate }, state) => {
    Object.assign(state, addSpending(state, unknownSpending(estimate)));
    return [];
  },
  "model.completed": ({ step, reply }, state, { runId, seq }) => {
    countReply(state, reply);
    state.unansweredStep = reply.content === "" && reply.toolCalls.length === 0 ? step : null;
    const unseen = reply.content !== "" && !state.streamedText;
    const { costUsd } = state;
    const usage = showUsage(state.usage);
    const metadata: Partial<MessageMetadata> = { runId, model: reply.model, steps: step, usage, costUsd };
    return [
      ...(unseen ? writePart(state, "text", reply.content, seq) : []),
      ...closePart(state),
      ...(reply.notices ?? []).map((text): ChatChunk => ({ type: "data-remark", data: { text } })),
      { type: "message-metadata", messageMetadata: metadata as MessageMetadata },
    ];
  },
  "tool.call": ({ call, facts }, state, { at }) => {
    const meta = { startedAtMs: at, ...(facts === undefined ? {} : { kind: facts.kind, gist: facts.gist }) };
    state.openCalls.set(call.id, meta);
    return [
      ...closePart(state),
      { type: "tool-input-available", toolCallId: call.id, toolName: call.name, input: call.args, dynamic: true },
      { type: "data-tool-meta", id: call.id, data: { toolCallId: call.id, ...meta } },
    ];
  },
  "tool.intent": ({ toolCallIds }, state, { at }) => toolCallIds.flatMap((id) => startAgain(state, id, at)),
  "tool.result": ({ result, durationMs }, state, { at }) => {
    const { toolCallId, name: toolName, output: text, error, display, truncatedChars, forUser, refused } = result;
    const open = state.openCalls.get(toolCallId);
    state.openCalls.delete(toolCallId);
    const unknown: ChatChunk[] =
      open === undefined ? [{ type: "tool-input-available", toolCallId, toolName, input: {}, dynamic: true }] : [];
    const meta = {
      toolCallId,
      startedAtMs: at - durationMs,
      ...open,
      durationMs,
      ...(refused === undefined ? {} : { refused }),
    };
    return [
      ...unknown,
      error === undefined
        ? {
            type: "tool-output-available",
            toolCallId,
            output: { text, ...(display === undefined ? {} : { display }) },
            dynamic: true,
          }
        : { type: "tool-output-error", toolCallId, errorText: error, dynamic: true },
      {
        type: "data-tool-meta",
        id: toolCallId,
        data: truncatedChars === undefined ? meta : { ...meta, truncatedChars },
      },
      ...(forUser ? wholeText(`for-user-${toolCallId}`, forUser) : []),
    ];
  },
  "grant.used": ({ toolCallId, pattern }, state) => {
    const open = state.openCalls.get(toolCallId);
    if (open === undefined) return [];
    const meta = { ...open, granted: pattern === undefined ? {} : { pattern } };
    state.openCalls.set(toolCallId, meta);
    return [{ type: "data-tool-meta", id: toolCallId, data: { toolCallId, ...meta } }];
  },
  "tool.progress": ({ toolCallId, progress, total, message }, state) => {
    const open = state.openCalls.get(toolCallId);
    if (open === undefined) return [];
    const said = { progress, ...(total === undefined ? {} : { total }), ...(message === undefined ? {} : { message }) };
    return [{ type: "data-tool-meta", id: toolCallId, data: { toolCallId, ...open, progress: said } }];
  },
  "tool.pending": ({ toolCallId }, state) => {
    state.pendingCalls.add(toolCallId);
    return closePart(state);
  },
  "approval.requested": (event, state, { at }) => showApproval(event, state, at),
  "question.asked": (event, state, { at }) => showQuestion(event, state, at),
  "budget.reached": (event, state, { at }) => showBudget(event, state, at),
  "connect.asked": (event, state, { at }) => showConnect(event, state, at),
  "run.waiting": (event, state, { runId }) => {
    state.isWaiting = true;
    return showWaiting(event, state, runId);
  },
  "interrupt.decided": (event, state, { at }) => showDecision(event, state, at),
  "subagent.started": (event) => [showSubagent({ ...event, status: "queued", ...NOTHING_YET })],
  "subagent.completed": (event, state) => {
    const isCounted = state.countedChildren.has(event.toolCallId);
    if (!isCounted) countChild(state, event);
    return [showSubagent({ ...event, ...cardTokens(event.usage) })];
  },
  handoff: ({ toolCallId, from, to, reason }, state, { at }) => [
    ...closePart(state),
    { type: "data-handoff", id: toolCallId, data: { toolCallId, from, to, reason, atMs: at } },
  ],
  "steer.read": ({ messageId, content, step, sentAtMs }, state, { at }) => [
    ...closePart(state),
    {
      type: "data-steer",
      id: messageId,
      data: { messageId, text: content, step, afterMs: Math.max(0, at - sentAtMs) },
    },
  ],
  "todo.updated": ({ todos }) => [{ type: "data-todos", id: "todos", data: { todos } }],
  "file.changed": ({ type: _type, ...data }) => [{ type: "data-file", id: `${data.path}@${data.version}`, data }],
  "run.completed": ({ silent, ...event }, state, stored) => [
    ...endRun(state, stored, event, completionNotice(event, state)),
    ...(silent ? [{ type: "message-metadata" as const, messageMetadata: { silent } as MessageMetadata }] : []),
    { type: "finish", finishReason: event.status === "limit" ? "length" : "stop" },
  ],
  "summary.completed": () => [],
  "generation.prepared": () => [],
  "extension.changed": () => [],
  "run.failed": (event, state, stored) => [
    ...endRun(state, stored, event, {
      kind: event.status,
      text: event.error.message,
      error: event.error,
      ...retried(state.unansweredStep),
    }),
    { type: "error", errorText: event.error.message },
  ],
  "run.cancelled": ({ by, waitedMs }, state, stored) => [
    ...endRun(
      state,
      stored,
      { status: "cancelled", waitedMs },
      {
        kind: "cancelled",
        text: "The run was cancelled.",
        ...retried(state.unansweredStep),
      },
    ),
    { type: "message-metadata", messageMetadata: { stoppedBy: { id: by } } as MessageMetadata },
    { type: "abort", reason: "cancelled" },
  ],
  "compaction.completed": ({ type: _type, ...data }) => [
    { type: "data-compaction", id: `compaction-${data.count}`, data },
  ],
};

/**
 * The AI SDK's UI message chunks: feed it the rows of a run in order, from the first one. A reader that resumes also
 * feeds the earlier rows and drops their chunks, because a delta needs the start of its part.
 */
export function uiProjection(): (stored: StoredRunEvent) => ChatChunk[] {
  const state = newUiState();
  return ({ runId, seq, at, event }) => (TABLE[event.type] as Row<RunEventType>)(event, state, { runId, seq, at });
}
