import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import { LeaseLost } from "@/lib/server/engine/lease-lost";
import type { Database } from "@/lib/server/platform/db/database";
import { type InsertedEvents, insertRunEvents, type NewRunEvent } from "@/lib/server/platform/db/queries/run-events";
import type { SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { retry } from "@/lib/server/platform/retry";

/** A row to store; `data` is the event's JSON. */
export interface EventRow extends StoredRunEvent {
  readonly epoch: number;
  readonly data: string;
  /** Statements stored in the same commit; each checks for itself that the row was stored. */
  readonly also?: readonly SqlStatement[];
}

/** Stores rows whose run is still held at the rows' epoch. */
export type InsertRows = (rows: readonly EventRow[], durability: "normal" | "full") => Promise<InsertedEvents>;

/** Stores rows as long as `owner` holds their run. */
export function eventInserter(database: Database, owner: string): InsertRows {
  return (rows, durability) => {
    const also = rows.flatMap((row) => row.also ?? []);
    return insertRunEvents(database, owner, rows.map(toColumns), { durability, also });
  };
}

function toColumns({ runId, seq, epoch, event, data, at }: EventRow): NewRunEvent {
  return { runId, seq, epoch, type: event.type, data, createdAt: new Date(at) };
}

interface LockedRun {
  readonly rows: EventRow[];
  readonly waiters: Waiter[];
}

const NOTHING: InsertedEvents = { stored: new Set(), locked: new Set() };

interface Waiter {
  readonly runId: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** How long rows that no run waits for are collected, so that a fast model's whole reply shares one statement. */
const GATHER_MS = 10;
const RUNS_PER_TURN = 8;
/** Half a minute in total: time for a database server to restart. */
const RETRY_DELAYS_MS = [25, 100, 400, 1_500, 3_000, 5_000, 5_000, 5_000, 5_000, 5_000];

/**
 * Collects the rows of all runs of this process and stores them in one statement per turn. Rows of one run keep their
 * order. A failed batch is retried if the database was only busy; otherwise it takes the later rows of its runs with it.
 */
export class EventWriter {
  private rows: EventRow[] = [];
  private waiters: Waiter[] = [];
  private full = false;
  private scheduled = false;
  private timer: NodeJS.Timeout | null = null;
  private writing = false;
  private announcing = false;
  private readonly unannounced: (() => void)[] = [];
  /** Runs whose row is locked by another connection: their writes wait here, so that other runs need not. */
  private readonly locked = new Map<string, LockedRun>();
  private readonly attempts = new Map<string, number>();

  private readonly insert: InsertRows;
  private readonly announce: (runId: string, rows: readonly StoredRunEvent[]) => void;
  private readonly isBusy: (error: unknown) => boolean;

  constructor(
    insert: InsertRows,
    announce: (runId: string, rows: readonly StoredRunEvent[]) => void,
    isBusy: (error: unknown) => boolean,
  ) {
    this.insert = insert;
    this.announce = announce;
    this.isBusy = isBusy;
  }

  /** Accepts rows; resolves once they are stored. Rejects with LeaseLost when another process owns the run. */
  write(runId: string, rows: readonly EventRow[], durability: "normal" | "full"): Promise<void> {
    if (durability === "full") this.full = true;
    const done = new Promise<void>((resolve, reject) => this.accept(rows, { runId, resolve, reject }));
    this.schedule();
    return done;
  }

  /** Accepts rows that the run does not wait for: `now` stores them at once, `soon` within a few ms. */
  writeAside(
    runId: string,
    rows: readonly EventRow[],
    when: "now" | "soon",
    onFailure: (error: unknown) => void,
  ): void {
    this.accept(rows, { runId, resolve: () => undefined, reject: onFailure });
    if (when === "now") this.schedule();
    else this.timer ??= setTimeout(() => this.schedule(), GATHER_MS);
  }

  private accept(rows: readonly EventRow[], waiter: Waiter): void {
    const { rows: all, waiters } = this.locked.get(waiter.runId) ?? { rows: this.rows, waiters: this.waiters };
    all.push(...rows);
    waiters.push(waiter);
  }

  private schedule(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.scheduled || this.writing) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.writing = true;
      void this.flush().finally(() => {
        this.writing = false;
        if (this.waiters.length > 0) this.schedule();
      });
    });
  }

  private async flush(): Promise<void> {
    const { rows, waiters, full } = this;
    this.rows = [];
    this.waiters = [];
    this.full = false;
    try {
      const { stored, locked } =
        rows.length === 0 ? NOTHING : await this.insertWithRetry(rows, full ? "full" : "normal");
      if (locked.size === 0) return this.settle(rows, waiters, stored);
      const isLocked = ({ runId }: { readonly runId: string }) => locked.has(runId);
      this.settle(
        rows.filter((row) => !isLocked(row)),
        waiters.filter((waiter) => !isLocked(waiter)),
        stored,
      );
      for (const runId of locked) this.putAside(runId, rows, waiters);
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
      this.dropLater(new Set(rows.map(({ runId }) => runId)), error);
    }
  }

  /** Rows that a run has written since a batch of it failed would leave a gap in its log. */
  private dropLater(failed: ReadonlySet<string>, error: unknown): void {
    const isOfFailed = ({ runId }: { readonly runId: string }) => failed.has(runId);
    const waiters = this.waiters.filter(isOfFailed);
    this.rows = this.rows.filter((row) => !isOfFailed(row));
    this.waiters = this.waiters.filter((waiter) => !isOfFailed(waiter));
    for (const waiter of waiters) waiter.reject(error);
  }

  /** Rows that the run has written since the batch was taken stay behind it: rows of one run keep their order. */
  private putAside(runId: string, rows: readonly EventRow[], waiters: readonly Waiter[]): void {
    const ofRun = (item: { readonly runId: string }) => item.runId === runId;
    const run = {
      rows: [...rows.filter(ofRun), ...this.rows.filter(ofRun)],
      waiters: [...waiters.filter(ofRun), ...this.waiters.filter(ofRun)],
    };
    this.rows = this.rows.filter((row) => !ofRun(row));
    this.waiters = this.waiters.filter((waiter) => !ofRun(waiter));
    const attempt = (this.attempts.get(runId) ?? 0) + 1;
    const delayMs = RETRY_DELAYS_MS[attempt - 1];
    if (delayMs === undefined) {
      this.attempts.delete(runId);
      for (const { reject } of run.waiters)
        reject(new Error("database is locked: another process holds the run's row"));
      return;
    }
    this.attempts.set(runId, attempt);
    this.locked.set(runId, run);
    setTimeout(() => this.takeBack(runId), delayMs);
  }

  private takeBack(runId: string): void {
    const run = this.locked.get(runId);
    this.locked.delete(runId);
    this.rows.push(...(run?.rows ?? []));
    this.waiters.push(...(run?.waiters ?? []));
    this.full = true;
    this.schedule();
  }

  private settle(rows: readonly EventRow[], waiters: readonly Waiter[], stored: ReadonlySet<string>): void {
    const rowsOf = Map.groupBy(rows, (row) => row.runId);
    for (const [runId, waiting] of Map.groupBy(waiters, (waiter) => waiter.runId)) {
      const ofRun = rowsOf.get(runId) ?? [];
      const isLost = ofRun.length > 0 && !stored.has(runId);
      this.attempts.delete(runId);
      this.unannounced.push(() => {
        if (ofRun.length > 0 && !isLost) this.announce(runId, ofRun);
        for (const waiter of waiting) isLost ? waiter.reject(new LeaseLost()) : waiter.resolve();
      });
    }
    if (!this.announcing) this.announceSome();
  }

  /** Only a few runs continue per turn of the event loop: a hundred at once would delay everything else. */
  private announceSome(): void {
    for (const settleRun of this.unannounced.splice(0, RUNS_PER_TURN)) settleRun();
    this.announcing = this.unannounced.length > 0;
    if (this.announcing) setImmediate(() => this.announceSome());
  }

  private insertWithRetry(rows: readonly EventRow[], durability: "normal" | "full") {
    return retry(() => this.insert(rows, durability), { when: this.isBusy, delays: RETRY_DELAYS_MS });
  }
}
