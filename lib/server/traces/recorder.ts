import type { SpanHandle, TraceRecorder } from "@/lib/agent/run-context";
import type { CallRecord } from "@/lib/agent/tracing/call-record";
import type { SpanStatus } from "@/lib/schema/traces/span";
import { hashMessage, messageBody, rowOf } from "@/lib/server/engine/transcript/message-hash";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { upsertCallsStatement } from "@/lib/server/platform/db/queries/calls/calls";
import { type NewSpan, upsertSpansStatement } from "@/lib/server/platform/db/queries/spans";
import { addDroppedSpans } from "@/lib/server/platform/db/queries/traces";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";
import { type CallOwner, callRows } from "./calls/call-rows";
import { KeptTexts } from "./kept-texts";

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
}

interface TracedRun {
  readonly traceId: string;
  readonly runId: string;
  readonly rootId: string;
  /** The run's claim; absent for work after the run's end. */
  readonly epoch?: number;
  /** Whose calls they are; absent for work after the run's end, whose calls get no row. */
  readonly owner?: CallOwner;
}

/**
 * Buffers spans between the loop, which never waits for them, and the database, which gets them every 100 ms. Beyond
 * 20,000 waiting spans they are dropped and counted on their trace.
 */
export class SpanBuffer {
  private readonly pending = new Map<string, PendingSpan>();
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
    const dropped = [...this.dropped];
    this.pending.clear();
    this.dropped.clear();
    try {
      await this.store(spans, dropped);
      if (spans.length > 0) this.noteStored(spans.length);
    } catch (error) {
      // Before the log line, which fails on the same full disk.
      this.failures += 1;
      for (const span of spans) if (!this.pending.has(span.id)) this.add(span);
      for (const [traceId, count] of dropped) this.dropped.set(traceId, (this.dropped.get(traceId) ?? 0) + count);
      this.noteFailed(error, spans.length);
    }
    // Only once the batch is stored; callers in the meantime wait for it.
    if (this.pending.size === 0 && this.dropped.size === 0) buffers.delete(this);
  }

  private async store(
    spans: readonly PendingSpan[],
    dropped: readonly (readonly [traceId: string, count: number])[],
  ): Promise<void> {
    await this.texts.store(this.database);
    for (let start = 0; start < spans.length; start += MAX_ROWS_PER_STATEMENT) {
      await this.storeRows(spans.slice(start, start + MAX_ROWS_PER_STATEMENT));
    }
    for (const [traceId, count] of dropped) await addDroppedSpans(this.database, traceId, count);
  }

  /** One statement, or two in the same transaction if there are tool calls among the spans. */
  private async storeRows(spans: readonly PendingSpan[]): Promise<void> {
    const stored = upsertSpansStatement(this.database, spans);
    const calls = callRows(spans);
    const ofCalls = calls.length === 0 ? [] : [upsertCallsStatement(this.database, calls)];
    await this.database.runAll([stored, ...ofCalls], "normal");
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

/** S0's recorder for one run: spans without a parent are placed below the run's root span. */
export function createRecorder(buffer: SpanBuffer, run: TracedRun): TraceRecorder {
  const claim = run.epoch === undefined ? {} : { epoch: run.epoch };
  const { owner } = run;
  return {
    keepText: (text) => buffer.texts.keep(text),
    keepMessage(message, willBeStored) {
      const held = willBeStored ? hashMessage(message) : rowOf(message)?.hash;
      return held ?? buffer.texts.keep(messageBody(message));
    },
    rowPosition: (message) => rowOf(message)?.position ?? null,
    startSpan: ({ name, type, parentId = run.rootId, attributes = {}, call, startedAtMs = Date.now() }) =>
      openSpan(buffer, {
        id: createId("sp"),
        traceId: run.traceId,
        runId: run.runId,
        parentId,
        type,
        name,
        status: "running",
        startedAtMs,
        attributes: { ...attributes },
        error: null,
        endedAtMs: null,
        ...claim,
        ...(call && owner ? { call, owner } : {}),
      }),
    recordEvent: (name, attributes, parentId = run.rootId) => {
      const nowMs = Date.now();
      const { traceId, runId } = run;
      const moment = { startedAtMs: nowMs, endedAtMs: nowMs, status: "completed", error: null };
      buffer.add({ id: createId("sp"), traceId, runId, parentId, type: "hook", name, attributes, ...moment, ...claim });
    },
  };
}

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
