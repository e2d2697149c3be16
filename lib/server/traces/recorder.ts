import type { SpanHandle, TraceRecorder } from "@/lib/agent/run-context";
import type { CallRecord } from "@/lib/agent/tracing/call-record";
import type { StepRecord } from "@/lib/agent/tracing/step-record";
import type { SpanStatus } from "@/lib/schema/traces/span";
import { hashMessage, messageBody, rowOf } from "@/lib/server/engine/transcript/message-hash";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { upsertCallsStatement } from "@/lib/server/platform/db/queries/calls/calls";
import { type RunStepRow, upsertStepsStatement } from "@/lib/server/platform/db/queries/calls/run-steps";
import { type NewSpan, upsertSpansStatement } from "@/lib/server/platform/db/queries/spans";
import { addDroppedSpans } from "@/lib/server/platform/db/queries/traces";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";
import { type CallOwner, callRows } from "./calls/call-rows";
import { KeptTexts } from "./kept-texts";
import { silentRecorder, silentSpan } from "./sample";

const FLUSH_MS = 100;
/** After failures the wait before the next attempt doubles each time, up to this limit. */
const MAX_RETRY_MS = 5_000;
const MAX_PENDING = 20_000;
const MAX_ROWS_PER_STATEMENT = 1_000;

/** The buffers of this process that may hold spans. */
const buffers = processState("span-buffers", () => new Set<SpanBuffer>());

/** Stores the spans waiting in this process, for a reader who has just seen the run end. */
export async function flushSpans(): Promise<void> {
  await Promise.all([...buffers].map((buffer) => buffer.flush()));
}

/** A span waiting to be stored. */
export interface PendingSpan extends NewSpan {
  status: string;
  attributes: Record<string, unknown>;
  error: string | null;
  endedAtMs: number | null;
  /** Of a tool call's span: what is stored as the call's own row. */
  call?: CallRecord;
  owner?: CallOwner;
  /** Of a run whose spans are not recorded: only its call is stored. */
  isCallOnly?: boolean;
}

interface TracedRun {
  readonly traceId: string;
  readonly runId: string;
  readonly rootId: string;
  /** The run's claim; absent for work after the run's end. */
  readonly epoch?: number;
  /** Whose calls and steps they are; absent for work whose calls and steps get no row. */
  readonly owner?: CallOwner;
}

/**
 * Buffers spans between the loop, which never waits for them, and the database, which gets them every 100 ms. Beyond
 * 20,000 waiting spans they are dropped and counted on their trace.
 */
export class SpanBuffer {
  private readonly pending = new Map<string, PendingSpan>();
  private readonly steps = new Map<string, RunStepRow>();
  private readonly dropped = new Map<string, number>();
  /** Texts that spans reference, stored with the next batch. */
  readonly texts = new KeptTexts();
  private timer: NodeJS.Timeout | null = null;
  private flushing: Promise<void> = Promise.resolve();
  /** Consecutive attempts that stored nothing. */
  private failures = 0;
  private readonly database: Database;
  private readonly maxPending: number;

  constructor(database: Database, maxPending = MAX_PENDING) {
    this.database = database;
    this.maxPending = maxPending;
  }

  /** Puts the span's current state in the next batch. */
  add(span: PendingSpan): void {
    buffers.add(this);
    if (this.pending.size >= this.maxPending && !this.pending.has(span.id)) {
      this.dropped.set(span.traceId, (this.dropped.get(span.traceId) ?? 0) + 1);
    } else {
      this.pending.set(span.id, span);
    }
    this.timer ??= setTimeout(() => void this.flush(), flushDelayMs(this.failures));
  }

  /** Puts what a step began with in the next batch. */
  addStep(step: RunStepRow): void {
    buffers.add(this);
    if (this.steps.size >= this.maxPending) return;
    this.steps.set(`${step.runId} ${step.step}`, step);
    this.timer ??= setTimeout(() => void this.flush(), flushDelayMs(this.failures));
  }

  /** Stores everything currently waiting; resolves when it is stored or has failed. */
  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const write = () => this.write();
    // Also after a write that threw: one rejection must not be the result of every later flush.
    this.flushing = this.flushing.then(write, write);
    return this.flushing;
  }

  private async write(): Promise<void> {
    const spans = [...this.pending.values()].map((span) => ({ ...span }));
    const steps = [...this.steps];
    const dropped = [...this.dropped];
    this.pending.clear();
    this.steps.clear();
    this.dropped.clear();
    try {
      await this.store(
        spans,
        steps.map(([, step]) => step),
        dropped,
      );
      if (spans.length + steps.length > 0) this.noteStored(spans.length);
    } catch (error) {
      // Before the log line, which fails on the same full disk.
      this.failures += 1;
      for (const span of spans) if (!this.pending.has(span.id)) this.add(span);
      for (const [key, step] of steps) if (!this.steps.has(key)) this.addStep(step);
      for (const [traceId, count] of dropped) this.dropped.set(traceId, (this.dropped.get(traceId) ?? 0) + count);
      this.noteFailed(error, spans.length);
    }
    // Only once the batch is stored; callers in the meantime wait for it.
    if (this.pending.size + this.steps.size + this.dropped.size === 0) buffers.delete(this);
  }

  private async store(
    spans: readonly PendingSpan[],
    steps: readonly RunStepRow[],
    dropped: readonly (readonly [traceId: string, count: number])[],
  ): Promise<void> {
    await this.texts.store(this.database);
    for (let start = 0; start < Math.max(spans.length, steps.length); start += MAX_ROWS_PER_STATEMENT) {
      const end = start + MAX_ROWS_PER_STATEMENT;
      await this.storeRows(spans.slice(start, end), steps.slice(start, end));
    }
    for (const [traceId, count] of dropped) await addDroppedSpans(this.database, traceId, count);
  }

  /** One transaction with a statement for the spans, for the tool calls among them, and for the steps. */
  private async storeRows(all: readonly PendingSpan[], steps: readonly RunStepRow[]): Promise<void> {
    const spans = all.filter(({ isCallOnly }) => !isCallOnly);
    const calls = callRows(all);
    await this.database.runAll(
      [
        ...(spans.length === 0 ? [] : [upsertSpansStatement(this.database, spans)]),
        ...(calls.length === 0 ? [] : [upsertCallsStatement(this.database, calls)]),
        ...(steps.length === 0 ? [] : [upsertStepsStatement(this.database, steps)]),
      ],
      "normal",
    );
  }

  private noteStored(spans: number): void {
    if (this.failures > 0) logger().info({ spans, failures: this.failures }, "spans are stored again");
    this.failures = 0;
  }

  /** One line for consecutive failures: ten stacks a second do not help a full disk. */
  private noteFailed(error: unknown, spans: number): void {
    if (this.failures === 1) logger().error({ err: error, spans }, "could not store spans; trying again");
  }
}

/** How long spans wait for their batch after this many consecutive failed attempts. */
export function flushDelayMs(failures: number): number {
  return Math.min(FLUSH_MS * 2 ** Math.min(failures, 10), MAX_RETRY_MS);
}

/** A recorder that is told when its run has ended. */
export interface RunRecorder extends TraceRecorder {
  /** Stores what the workspace was when the run ended after this many steps. */
  endSteps(steps: number): void;
}

/** S0's recorder for one run: spans without a parent are placed below the run's root span. */
export function createRecorder(buffer: SpanBuffer, run: TracedRun): RunRecorder {
  const claim = run.epoch === undefined ? {} : { epoch: run.epoch };
  return {
    ...stepRecorder(buffer, run),
    keepText: (text) => buffer.texts.keep(text),
    keepMessage(message, willBeStored) {
      const held = willBeStored ? hashMessage(message) : rowOf(message)?.hash;
      return held ?? buffer.texts.keep(messageBody(message));
    },
    rowPosition: (message) => rowOf(message)?.position ?? null,
    startSpan: (span) => openSpan(buffer, newSpan(run, span)),
    recordEvent: (name, attributes, parentId = run.rootId) => {
      const nowMs = Date.now();
      const { traceId, runId } = run;
      const moment = { startedAtMs: nowMs, endedAtMs: nowMs, status: "completed", error: null };
      buffer.add({ id: createId("sp"), traceId, runId, parentId, type: "hook", name, attributes, ...moment, ...claim });
    },
  };
}

function newSpan({ traceId, runId, rootId, epoch, owner }: TracedRun, begun: BegunSpan): PendingSpan {
  const { name, type, parentId = rootId, attributes = {}, call, startedAtMs = Date.now() } = begun;
  return {
    id: createId("sp"),
    traceId,
    runId,
    parentId,
    type,
    name,
    status: "running",
    startedAtMs,
    attributes: { ...attributes },
    error: null,
    endedAtMs: null,
    ...(epoch === undefined ? {} : { epoch }),
    ...(call && owner ? { call, owner } : {}),
  };
}

type BegunSpan = Parameters<TraceRecorder["startSpan"]>[0];

/** Records of a run whose spans are not recorded what other questions need: its tool calls and its steps. */
export function createRowRecorder(buffer: SpanBuffer, run: TracedRun): RunRecorder {
  return {
    ...silentRecorder(),
    ...stepRecorder(buffer, run),
    keepText: (text) => buffer.texts.keep(text),
    startSpan: (span) =>
      span.call && run.owner ? openSpan(buffer, { ...newSpan(run, span), isCallOnly: true }) : silentSpan(),
  };
}

/** What no hash stands for at the end of a run. */
const ENDED = {
  promptHash: null,
  toolsHash: null,
  rulesHash: null,
  grants: null,
  todosHash: null,
  summaryHash: null,
  preparedHash: null,
};

function stepRecorder(buffer: SpanBuffer, { owner, traceId, runId, epoch }: TracedRun) {
  let workspaceId: string | null = null;
  const add = (step: StepRecordToStore) => {
    if (!owner) return;
    const { rootRunId } = owner;
    const claim = epoch === undefined ? {} : { epoch };
    buffer.addStep({ ...step, workspaceId, runId, rootRunId, traceId, startedAtMs: Date.now(), ...claim });
  };
  return {
    keepStep({ grants, ...step }: StepRecord) {
      workspaceId = step.workspaceId;
      add({ ...step, grants: JSON.stringify(grants) });
    },
    endSteps: (steps: number) => add({ ...ENDED, step: steps + 1 }),
  };
}

type StepRecordToStore = Omit<RunStepRow, "workspaceId" | "runId" | "rootRunId" | "traceId" | "startedAtMs" | "epoch">;

/** A handle on a span that is stored now and again when it ends. */
export function openSpan(buffer: SpanBuffer, span: PendingSpan): SpanHandle {
  buffer.add(span);
  return {
    id: span.id,
    set(attributes) {
      Object.assign(span.attributes, attributes);
      if (span.endedAtMs !== null) buffer.add(span);
    },
    setCall(facts) {
      if (!span.call) return;
      span.call = { ...span.call, ...facts };
      buffer.add(span);
    },
    end(status: SpanStatus, error?: string) {
      if (span.endedAtMs !== null) return;
      span.status = status;
      span.error = error ?? null;
      span.endedAtMs = Math.max(span.startedAtMs, Date.now());
      buffer.add(span);
    },
  };
}
