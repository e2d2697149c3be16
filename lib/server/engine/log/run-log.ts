import type { RunLog } from "@/lib/agent/run-context";
import type { RunEvent, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { DatabaseAway } from "@/lib/server/engine/lease-lost";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { encodeRunEvent } from "./event-row";
import type { EventRow, EventWriter } from "./event-writer";

type Delta = Extract<RunEvent, { type: "text.delta" | "reasoning.delta" | "tool.delta" }>;
/** The fields that deltas must share to be merged. */
type DeltaPart = Pick<Delta, "type" | "step"> & { readonly toolCallId?: string };

const NOTHING: readonly SqlStatement[] = [];

function isDelta(event: RunEvent): event is Delta {
  return event.type === "text.delta" || event.type === "reasoning.delta" || event.type === "tool.delta";
}

function isPart(part: DeltaPart | null, event: Delta): boolean {
  const callId = event.type === "tool.delta" ? event.toolCallId : undefined;
  return part?.type === event.type && part.step === event.step && part.toolCallId === callId;
}

const MERGE_MS = 50;
const MERGE_CHARS = 32_768;

interface RunLogOptions {
  readonly runId: string;
  readonly epoch: number;
  /** The number of the last row already stored; 0 for a new run. */
  readonly lastSeq: number;
  readonly writer: EventWriter;
  readonly now: () => number;
  /** Called once if rows could not be stored (LeaseLost, disk full): the run must stop. */
  readonly onFailure: (error: unknown) => void;
  /** Called after each commit; may throw a suspension to stop the run at this point, where nothing is in flight. */
  readonly afterCommit?: () => void;
  /** Statements stored in the same commit as the row; asked for every row except deltas. */
  readonly storedWith?: (row: StoredRunEvent) => readonly SqlStatement[];
}

/**
 * The log of one run in one process: numbers events, merges adjacent deltas (the first of a part is written at once,
 * the rest every 50 ms or 32 KB), and passes rows to the writer that all runs share.
 */
export class StoredRunLog implements RunLog {
  /** All events that this process has emitted, deltas merged, in order; earlier `stored` rows are not included. */
  readonly emitted: StoredRunEvent[] = [];
  private part: DeltaPart | null = null;
  private buffer = "";
  private timer: NodeJS.Timeout | null = null;
  private outbox: EventRow[] = [];
  private seq: number;
  private failed = false;
  private readonly openCalls = new Set<string>();

  private readonly options: RunLogOptions;

  constructor(options: RunLogOptions) {
    this.options = options;
    this.seq = options.lastSeq;
  }

  /** True while a tool is running whose result has not arrived. */
  get isInTools(): boolean {
    return this.openCalls.size > 0;
  }

  emit(event: RunEvent): void {
    if (isDelta(event)) this.emitDelta(event);
    else this.emitWhole(event);
  }

  store(): void {
    this.cutBuffer();
    this.sendAside("now");
  }

  async commit(durability: "normal" | "full"): Promise<void> {
    this.cutBuffer();
    await this.send(durability);
    this.options.afterCommit?.();
  }

  /**
   * Numbers events that `store` stores in its own transaction, after everything emitted before them. If it throws, none
   * of them is stored.
   */
  async storeApart(
    events: readonly RunEvent[],
    store: (rows: readonly StoredRunEvent[]) => Promise<void>,
  ): Promise<void> {
    await this.commit("normal");
    const { runId, now } = this.options;
    const before = this.seq;
    const rows = events.map((event, index) => ({ runId, seq: before + 1 + index, at: now(), event }));
    this.seq += rows.length;
    try {
      await store(rows);
    } catch (error) {
      // The numbers are free again, unless something was emitted in the meantime.
      if (this.seq !== before + rows.length) throw new DatabaseAway();
      this.seq = before;
      throw error;
    }
    this.emitted.push(...rows);
  }

  /** Stops timers; nothing more is written. */
  close(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.failed = true;
  }

  private emitWhole(event: RunEvent): void {
    this.endPart();
    this.number(event);
    this.watchCalls(event);
    this.sendAside("soon");
  }

  private watchCalls(event: RunEvent): void {
    if (event.type === "tool.intent") for (const id of event.toolCallIds) this.openCalls.add(id);
    if (event.type === "tool.result") this.openCalls.delete(event.result.toolCallId);
    if (event.type === "tool.pending") this.openCalls.delete(event.toolCallId);
  }

  private emitDelta(event: Delta): void {
    if (event.delta === "") return;
    const isFirst = !isPart(this.part, event);
    if (isFirst) {
      this.endPart();
      const { delta: _, ...part } = event;
      this.part = part;
    }
    this.buffer += event.delta;
    if (isFirst || this.buffer.length >= MERGE_CHARS) this.store();
    else this.timer ??= setTimeout(() => this.store(), MERGE_MS);
  }

  private endPart(): void {
    this.cutBuffer();
    if (this.part && this.buffer !== "") this.number({ ...this.part, delta: this.buffer } as Delta);
    this.buffer = "";
    this.part = null;
  }

  /** Numbers the merged deltas; the first half of a surrogate pair waits for its second. */
  private cutBuffer(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.part === null || this.buffer === "") return;
    const rest = /[\uD800-\uDBFF]$/.exec(this.buffer)?.[0] ?? "";
    const delta = this.buffer.slice(0, this.buffer.length - rest.length);
    this.buffer = rest;
    if (delta !== "") this.number({ ...this.part, delta } as Delta);
  }

  private number(event: RunEvent): void {
    this.seq += 1;
    const { runId, epoch, now, storedWith } = this.options;
    const row = { runId, seq: this.seq, at: now(), event };
    this.emitted.push(row);
    const also = isDelta(event) ? NOTHING : (storedWith?.(row) ?? NOTHING);
    this.outbox.push({ ...row, epoch, data: encodeRunEvent(event), ...(also.length > 0 ? { also } : {}) });
  }

  private sendAside(when: "now" | "soon"): void {
    if (this.failed) return;
    this.options.writer.writeAside(this.options.runId, this.takeOutbox(), when, (error) => this.fail(error));
  }

  private async send(durability: "normal" | "full"): Promise<void> {
    if (this.failed) throw new Error("The run's log is closed.");
    try {
      await this.options.writer.write(this.options.runId, this.takeOutbox(), durability);
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  private takeOutbox(): EventRow[] {
    const rows = this.outbox;
    this.outbox = [];
    return rows;
  }

  private fail(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    this.options.onFailure(error);
  }
}
