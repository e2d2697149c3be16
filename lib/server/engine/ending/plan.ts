import type { RunOutcome } from "@/lib/agent/hooks/hook";
import { openInterrupts } from "@/lib/agent/interrupts";
import { findOpenStep, foldJournal, foldSteers, type JournalStep, usageOutsideReplies } from "@/lib/agent/journal";
import { cleanText } from "@/lib/agent/messages/clean-text";
import { cutError } from "@/lib/agent/messages/cut-error";
import type { Message } from "@/lib/schema/messages/message";
import type { ENDED_STATUSES, RunError } from "@/lib/schema/runs/run";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { Todo } from "@/lib/schema/runs/todo";
import { addSpending, type Spending, UNKNOWN_SPENDING } from "@/lib/schema/runs/usage";
import type { ChildTotals } from "@/lib/server/engine/children/child-totals";
import { type RunInput, readInputOrNone } from "@/lib/server/engine/run-input";
import { foldTranscript, plainText } from "@/lib/server/engine/transcript/fold-transcript";
import { redactOpenSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { causeOf, type EndCause } from "./cause";

/** A run that has not ended, as the caller read it; an ending is refused if the run's state has changed since. */
export interface OpenRun {
  readonly id: string;
  readonly threadId: string;
  readonly ownerId: string;
  /** The project of the run's thread. */
  readonly projectId: string | null;
  readonly agentId: string;
  readonly traceId: string;
  readonly assistantMessageId: string;
  readonly segment: number;
  readonly status: "queued" | "running" | "waiting";
  readonly epoch: number;
  readonly input: RunInput;
}

type OpenRunRow = Omit<OpenRun, "status" | "input"> & { readonly status: string; readonly input: string };

export function toOpenRun(row: OpenRunRow): OpenRun {
  const { id, threadId, ownerId, projectId, agentId, traceId, assistantMessageId, segment, epoch } = row;
  const status = row.status === "queued" || row.status === "waiting" ? row.status : "running";
  const input = readInputOrNone(row.input);
  return { id, threadId, ownerId, projectId, agentId, traceId, assistantMessageId, segment, epoch, status, input };
}

/** Why a run ends. */
export type EndReason =
  /** The loop has finished; `cancelledBy` applies if its outcome is `cancelled`. */
  | { readonly kind: "outcome"; readonly outcome: RunOutcome; readonly cancelledBy: string }
  /** The loop could not continue: a time limit, a full disk, a bug. */
  | { readonly kind: "failed"; readonly error: RunError }
  /** Several processes died while executing the run. */
  | { readonly kind: "too-many-takeovers" }
  /** The run was stopped while no process was executing it. */
  | { readonly kind: "cancelled"; readonly by: string }
  /** The calls that the run waited for were not decided on. */
  | { readonly kind: "undecided"; readonly by: string; readonly why: Undecided };

type Undecided = "new-message" | "cancelled" | "agent-deleted";

/** How the open calls of an undecided run are recorded, and the results that the model reads for them. */
const UNDECIDED = {
  "new-message": {
    decision: "declined",
    text: "declined: the user sent a new message instead of deciding on this call",
  },
  cancelled: {
    decision: "declined",
    text: "cancelled: the run was stopped before the user had decided on this call",
  },
  "agent-deleted": {
    decision: "expired",
    text: "expired: nobody decided on this call in time, and the agent was deleted in the meantime",
  },
} as const satisfies Record<Undecided, unknown>;

const TOO_MANY_TAKEOVERS: RunError = {
  code: "unavailable",
  message: "The server stopped several times during this run. Continue it to resume from its last finished step.",
};

/** The last event of every run's log. */
export type EndEvent = Extract<RunEvent, { type: "run.completed" | "run.failed" | "run.cancelled" }>;

/** The ending of a run alone, without its subagents. */
export interface RunEnding extends Spending {
  readonly event: EndEvent;
  /** Events stored right before the end: decisions and results for calls that nobody decided on. */
  readonly closing: readonly RunEvent[];
  /** The run's messages for the model's history, including the user's. */
  readonly added: readonly Message[];
  readonly steps: number;
}

/** The ending that `reason` gives a run. `events` are all of its known events, stored or not, in order. */
export function endingOf(reason: EndReason, run: OpenRun, events: readonly RunEvent[]): RunEnding {
  switch (reason.kind) {
    case "outcome": {
      const { added, usage, costUsd, steps } = reason.outcome;
      return { event: outcomeEvent(reason), closing: [], added, usage, costUsd, steps };
    }
    case "failed":
      return endingOfJournal(run, events, failure("failed", reason.error));
    case "too-many-takeovers":
      return endingOfJournal(run, events, failure("interrupted", TOO_MANY_TAKEOVERS));
    case "cancelled":
      return endingOfJournal(run, events, { type: "run.cancelled", by: reason.by });
    case "undecided": {
      const closing = closeCalls(events, reason);
      const event: EndEvent = { type: "run.cancelled", by: reason.by };
      return { ...endingOfJournal(run, [...events, ...closing], event), closing };
    }
  }
}

function outcomeEvent({ outcome, cancelledBy }: Extract<EndReason, { kind: "outcome" }>): EndEvent {
  const { status, notice, noticeKind, defaultResponse, silent, error } = outcome;
  if (status === "cancelled") return { type: "run.cancelled", by: cancelledBy };
  if (status !== "completed" && status !== "limit") {
    return failure("failed", error ?? { code: "internal", message: "The run stopped without saying why." });
  }
  return {
    type: "run.completed",
    status,
    ...(notice === undefined ? {} : { notice }),
    ...(noticeKind === undefined ? {} : { noticeKind }),
    ...(defaultResponse === undefined ? {} : { defaultResponse }),
    ...(silent ? { silent } : {}),
  };
}

/** The message may quote a provider, so text that no database accepts is removed. */
function failure(status: "failed" | "interrupted", error: RunError): EndEvent {
  return {
    type: "run.failed",
    status,
    error: { ...error, message: cutError(redactOpenSecrets(cleanText(error.message))) },
  };
}

/** The ending of a run that can no longer report anything itself: its events are all that is known. */
function endingOfJournal({ id, input }: OpenRun, events: readonly RunEvent[], event: EndEvent): RunEnding {
  const journal = foldJournal(events);
  const spent = journal.reduce((sum, { reply }) => addSpending(sum, reply), usageOutsideReplies(events));
  // The usage of a call that was lost with its process is unknown.
  const all = findOpenStep(events) ? addSpending(spent, UNKNOWN_SPENDING) : spent;
  const steered = foldSteers(events);
  const read = journal.flatMap((step) => {
    const steers = steered.get(step.step) ?? [];
    steered.delete(step.step);
    return [...steers, ...stepMessages(id, step)];
  });
  // Messages read by a step that has no reply.
  const added = [...input.messages, ...read, ...[...steered.values()].flat()];
  return { event, closing: [], added, ...all, steps: journal.at(-1)?.step ?? 0 };
}

function stepMessages(runId: string, { step, reply, results }: JournalStep): Message[] {
  const { content, toolCalls, reasoning } = reply;
  if (content === "" && toolCalls.length === 0) return [];
  return [
    { id: `${runId}:${step}`, role: "assistant", content, toolCalls, ...(reasoning.length > 0 ? { reasoning } : {}) },
    ...toolCalls.map((call, index): Message => {
      const result = results.get(call.id);
      const error = result ? result.error : "interrupted: outcome unknown, check before repeating";
      return {
        id: `${runId}:${step}.${index + 1}`,
        role: "tool",
        content: error ?? result?.output ?? "",
        toolCallId: call.id,
        name: call.name,
        ...(error === undefined ? {} : { isError: true }),
      };
    }),
  ];
}

/** The open calls are declined or expire, and each call without a result gets one that says so. */
function closeCalls(events: readonly RunEvent[], { by, why }: Extract<EndReason, { kind: "undecided" }>): RunEvent[] {
  const { decision, text } = UNDECIDED[why];
  const via = decision === "expired" ? ({ via: "time" } as const) : {};
  const decisions = openInterrupts(events).map(
    ({ kind, toolCallId }): RunEvent => ({ type: "interrupt.decided", kind, toolCallId, decision, by, ...via }),
  );
  const last = foldJournal(events).at(-1);
  const unanswered = last?.reply.toolCalls.filter(({ id }) => !last.results.has(id)) ?? [];
  const results = unanswered.map(
    ({ id, name }): RunEvent => ({
      type: "tool.result",
      step: last?.step ?? 0,
      result: { toolCallId: id, name, output: "", error: text, refused: decision },
      durationMs: 0,
    }),
  );
  return [...decisions, ...results];
}

/** The columns of a run's row that describe its end. */
export interface EndColumns {
  readonly status: (typeof ENDED_STATUSES)[number];
  readonly notice: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly cancelledBy?: string | null;
}

export function endColumns(event: EndEvent): EndColumns {
  const none = { notice: null, errorCode: null, errorMessage: null };
  switch (event.type) {
    case "run.completed":
      return { ...none, status: event.status, notice: event.notice ?? null };
    case "run.failed":
      return { ...none, status: event.status, errorCode: event.error.code, errorMessage: event.error.message };
    case "run.cancelled":
      return { ...none, status: "cancelled", cancelledBy: event.by };
  }
}

/**
 * The event that the columns were derived from, for a run whose events are deleted; null while the run has not ended.
 */
export function endEvent(row: Omit<EndColumns, "status"> & { readonly status: string }): EndEvent | null {
  switch (row.status) {
    case "completed":
    case "limit":
      return { type: "run.completed", status: row.status, ...(row.notice === null ? {} : { notice: row.notice }) };
    case "cancelled":
      return { type: "run.cancelled", by: row.cancelledBy ?? "unknown" };
    case "failed":
    case "interrupted": {
      const error = { code: row.errorCode ?? "internal", message: row.errorMessage ?? "The run failed." };
      return { type: "run.failed", status: row.status, error };
    }
    default:
      return null;
  }
}

/** Everything that is stored with a run's end, in one transaction. */
export interface EndingPlan {
  readonly run: OpenRun;
  readonly columns: EndColumns;
  readonly figures: RunFigures;
  /** New rows of the run's log; the last is the end. */
  readonly rows: readonly StoredRunEvent[];
  /** The messages added to the model's history. */
  readonly added: readonly Message[];
  /** The reply added to the transcript; null for a silent reply of which nobody saw anything (D-40). */
  readonly reply: { readonly parts: readonly object[]; readonly text: string } | null;
  /** Whether steers entered the transcript before the run's reply. */
  readonly isSteered: boolean;
  /** Null keeps the previous run's todos. */
  readonly todos: readonly Todo[] | null;
  /** What happens to the run's open asks. */
  readonly approvals: { readonly status: "declined" } | { readonly status: "expired"; readonly decidedVia: "time" };
  /** The spans that nobody else closes: those of a run that no process executes. */
  readonly spans: { readonly waitingSince: Date; readonly error: string | null } | null;
  /** The agent that the run has handed the conversation over to. */
  readonly handoff: Handoff | null;
  /** Ids of the child runs whose usage is included. */
  readonly countedChildren: readonly string[];
  /** The model that replied in each step. */
  readonly models: ReadonlyMap<number, string>;
  readonly why: EndCause;
}

type Handoff = Extract<RunEvent, { type: "handoff" }>;

function handoffOf({ event }: RunEnding, events: readonly StoredRunEvent[]): Handoff | null {
  if (event.type !== "run.completed" || event.status !== "completed") return null;
  const found = events.findLast((row) => row.event.type === "handoff")?.event;
  return found?.type === "handoff" ? found : null;
}

/** Spending includes the counted children. */
interface RunFigures extends Spending {
  readonly steps: number;
  readonly model: string | null;
  readonly timeToFirstTokenMs: number | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** The part of that time spent waiting for people. */
  readonly waitedMs: number;
}

interface KnownOfRun {
  /** Every stored row of the run's log. */
  readonly stored: readonly StoredRunEvent[];
  readonly children: ChildTotals;
  readonly todos: readonly Todo[] | null;
  readonly nowMs: number;
  readonly waitedMs: number;
}

export function planEnding(
  run: OpenRun,
  ending: RunEnding,
  { stored, children, todos, nowMs, waitedMs }: KnownOfRun,
): EndingPlan {
  const rows = lastRows(run, ending, { stored, children, nowMs, waitedMs });
  const events = [...stored, ...rows];
  const { model, timeToFirstTokenMs } = measureRun(events);
  const startedAt = new Date(events[0]?.at ?? nowMs);
  // Withdrawn from the queue before it began: no model has read it, and it is not in the transcript.
  const isWithdrawn = run.status === "queued" && run.input.transcriptPosition === null;
  return {
    run,
    columns: endColumns(ending.event),
    figures: {
      ...addSpending(ending, children),
      steps: ending.steps,
      model,
      timeToFirstTokenMs,
      startedAt,
      // The clock may have been set back since the start.
      endedAt: new Date(Math.max(nowMs, startedAt.getTime())),
      waitedMs,
    },
    rows,
    added: isWithdrawn ? [] : ending.added,
    reply: isWithdrawn ? null : replyOf(ending, events),
    isSteered: stored.some(({ event }) => event.type === "steer.read"),
    todos,
    approvals: hasExpired(ending) ? { status: "expired", decidedVia: "time" } : { status: "declined" },
    spans: run.status === "running" ? null : leftSpans(ending, events),
    handoff: handoffOf(ending, events),
    countedChildren: children.ids,
    models: new Map(
      events.flatMap(({ event }) =>
        event.type === "model.completed" ? [[event.step, event.reply.model] as const] : [],
      ),
    ),
    why: causeOf(ending, events, model),
  };
}

/** A run that never started also gets its first row, so that every stream has a start. */
function lastRows(
  { id: runId, threadId, agentId, traceId, assistantMessageId, segment }: OpenRun,
  { event, closing }: RunEnding,
  { stored, children, nowMs, waitedMs }: Omit<KnownOfRun, "todos">,
): StoredRunEvent[] {
  const started: RunEvent = { type: "run.started", threadId, agentId, traceId, assistantMessageId, segment };
  const before = stored.length === 0 ? [started] : [...closing, ...children.completed];
  const lastSeq = stored.at(-1)?.seq ?? 0;
  const end = waitedMs === 0 ? event : { ...event, waitedMs };
  return [...before, end].map((item, index) => ({ runId, seq: lastSeq + 1 + index, at: nowMs, event: item }));
}

function replyOf({ event }: RunEnding, events: readonly StoredRunEvent[]): EndingPlan["reply"] {
  const parts = foldTranscript(events)?.parts ?? [];
  const isSilent = event.type === "run.completed" && event.silent === true;
  return isSilent && parts.every(({ type }) => type === "step-start") ? null : { parts, text: plainText(parts) };
}

function hasExpired({ closing }: RunEnding): boolean {
  return closing.some((event) => event.type === "interrupt.decided" && event.decision === "expired");
}

/** The calls of the last segment no longer wait for anything. */
function leftSpans({ closing }: RunEnding, events: readonly StoredRunEvent[]): EndingPlan["spans"] {
  const segmentAt = events.findLast(({ event }) => event.type === "run.started")?.at ?? 0;
  const result = closing.find((event) => event.type === "tool.result");
  return { waitingSince: new Date(segmentAt), error: result?.result.error ?? null };
}

/** Figures about a run, taken from its events. */
export function measureRun(events: readonly StoredRunEvent[]) {
  const replies = events.flatMap(({ event }) => (event.type === "model.completed" ? [event.reply] : []));
  const startedAt = events.find(({ event }) => event.type === "run.started")?.at;
  const firstAt = events.find(({ event }) => FIRST_SIGNS.includes(event.type))?.at;
  const asked = events.findLast(({ event }) => event.type === "model.started")?.event;
  const model = replies.at(-1)?.model ?? (asked?.type === "model.started" ? asked.model : null);
  return {
    model,
    timeToFirstTokenMs: startedAt === undefined || firstAt === undefined ? null : firstAt - startedAt,
  };
}

/** Types of the events that show that a model has begun to answer. */
export const FIRST_SIGNS: readonly string[] = ["text.delta", "reasoning.delta", "tool.input", "tool.call"];
