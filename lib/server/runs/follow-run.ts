import type { RunStatus } from "@/lib/schema/run";
import { hasEnded } from "@/lib/schema/run";
import type { RunEventType, StoredRunEvent } from "@/lib/schema/run-event";
import type { Database } from "../db";
import { isTerminal, PAGE_ROWS, readEvents } from "./read-events";
import { onStoredRows } from "./run-signal";

/** How long a reader trusts this process's own announcements before it looks into the database again. */
const POLL_MS = 1_000;

/**
 * The stored rows of a run after `after`, then those to come, in batches; ends after the terminal one, when the run
 * has ended and its rows were swept, or when `signal` aborts. Never yields a row twice, never leaves one out.
 */
export async function* followRun(
  database: Database,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly StoredRunEvent[]> {
  let cursor = after;
  const arrivals = listenForRows(runId, signal);
  try {
    while (!signal.aborted) {
      const announced = arrivals.take();
      const rows = isNext(announced, cursor) ? fresh(announced, cursor) : await readEvents(database, runId, cursor);
      cursor = rows.at(-1)?.seq ?? cursor;
      if (rows.length > 0) yield rows;
      if (await isOver(database, runId, cursor, rows)) return;
      if (rows.length < PAGE_ROWS) await arrivals.wait(POLL_MS);
    }
  } finally {
    arrivals.stop();
  }
}

function isNext(rows: readonly StoredRunEvent[], cursor: number): boolean {
  const first = rows[0];
  return first !== undefined && first.seq <= cursor + 1 && (rows.at(-1)?.seq ?? 0) > cursor;
}

function fresh(rows: readonly StoredRunEvent[], cursor: number): readonly StoredRunEvent[] {
  return rows[0]?.seq === cursor + 1 ? rows : rows.filter((row) => row.seq > cursor);
}

/**
 * After the terminal row nothing comes, nor after a `run.waiting` until somebody has decided; without rows the run's own
 * row says whether there ever will be more.
 */
async function isOver(
  database: Database,
  runId: string,
  cursor: number,
  rows: readonly StoredRunEvent[],
): Promise<boolean> {
  const last = rows.at(-1);
  if (last && !MAY_WAIT.includes(last.event.type)) return rows.some(isTerminal);
  const [run] = await database.raw<{ status: string; waitingFor: string | null }>(
    `select "status", "waitingFor" from "run" where "id" = $1`,
    [runId],
  );
  if (run && !hasEnded(run.status as RunStatus) && !waitsForPeople(run)) return false;
  return (await readEvents(database, runId, cursor)).length === 0;
}

const MAY_WAIT: readonly RunEventType[] = ["run.waiting", "interrupt.decided"];

/** A run that waits for its child alone goes on by itself. */
export function waitsForPeople({ status, waitingFor }: { status: string; waitingFor: string | null }): boolean {
  return status === "waiting" && /approval|question/.test(waitingFor ?? "");
}

function listenForRows(runId: string, signal: AbortSignal) {
  let queue: StoredRunEvent[] = [];
  let wake: () => void = () => {};
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  const unsubscribe = onStoredRows(runId, (rows) => {
    queue.push(...rows);
    wake();
  });
  return {
    take(): readonly StoredRunEvent[] {
      const taken = queue;
      queue = [];
      return taken;
    },
    wait(timeoutMs: number): Promise<void> {
      if (queue.length > 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    stop(): void {
      unsubscribe();
      signal.removeEventListener("abort", onAbort);
    },
  };
}
