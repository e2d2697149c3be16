import type { RunStatus } from "@/lib/schema/run";
import { hasEnded } from "@/lib/schema/run";
import type { RunEventType, StoredRunEvent } from "@/lib/schema/run-event";
import { waitsForPeople, waitsInTree } from "@/lib/server/engine/children/run-tree";
import { isTerminal, PAGE_ROWS, readEvents } from "@/lib/server/engine/log/read-events";
import { onStoredRows } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";

/** How long a reader trusts what it is told, by this process or another, before it looks into the database again. */
const POLL_MS = 1_000;

export interface FollowOptions {
  /** True: it also ends while only subagents are waited for that wait for people themselves. */
  readonly stopsWithChildren?: boolean;
  /** True: where the run itself asks while one of its subagents has not ended, it goes on, to the run's end. */
  readonly staysWithChildren?: boolean;
}

/**
 * The stored rows of a run after `after`, then those to come, in batches; ends after the terminal one, when the run
 * has ended and its rows were swept, or when `signal` aborts. Never yields a row twice, never leaves one out.
 */
export async function* followRun(
  database: Database,
  runId: string,
  after: number,
  signal: AbortSignal,
  options: FollowOptions = {},
): AsyncGenerator<readonly StoredRunEvent[]> {
  const reader: Reader = { runId, cursor: after, rows: [], stays: false };
  const arrivals = listenForRows(runId, signal);
  try {
    while (!signal.aborted) {
      const announced = arrivals.take();
      const { cursor } = reader;
      const rows = isNext(announced, cursor) ? fresh(announced, cursor) : await readEvents(database, runId, cursor);
      reader.rows = rows;
      reader.cursor = rows.at(-1)?.seq ?? cursor;
      if (rows.length > 0) yield rows;
      if (await stopsHere(database, reader, options)) return;
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

interface Reader {
  readonly runId: string;
  cursor: number;
  /** What came last. */
  rows: readonly StoredRunEvent[];
  /** It does not end where the run waits. */
  stays: boolean;
}

async function stopsHere(database: Database, reader: Reader, options: FollowOptions): Promise<boolean> {
  if (await isOver(database, reader, options)) return true;
  // While rows come, something goes on; letting go of a run wakes its followers with none.
  return options.stopsWithChildren === true && reader.rows.length === 0 && (await isHeldUp(database, reader));
}

/**
 * After the terminal row nothing comes, nor after a `run.waiting` until somebody has decided; without rows the run's own
 * row says whether there ever will be more.
 */
async function isOver(database: Database, reader: Reader, { staysWithChildren }: FollowOptions): Promise<boolean> {
  const { runId, cursor, rows } = reader;
  const last = rows.at(-1);
  if (last && !MAY_WAIT.includes(last.event.type)) return rows.some(isTerminal);
  const [run] = await database.raw<{ status: string; waitingFor: string | null }>(
    `select "status", "waitingFor" from "run" where "id" = $1`,
    [runId],
  );
  if (run && !hasEnded(run.status as RunStatus)) {
    if (!waitsForPeople(run) || reader.stays) return false;
    reader.stays = staysWithChildren === true && (await hasOpenChild(database, runId));
    if (reader.stays) return false;
  }
  return (await readEvents(database, runId, cursor)).length === 0;
}

const MAY_WAIT: readonly RunEventType[] = ["run.waiting", "interrupt.decided"];

async function isHeldUp(database: Database, { runId, cursor }: Reader): Promise<boolean> {
  return (await waitsInTree(database, runId)) && (await readEvents(database, runId, cursor)).length === 0;
}

async function hasOpenChild(database: Database, runId: string): Promise<boolean> {
  return (await database.run.count({ where: { parentRunId: runId, endedAt: null } })) > 0;
}

function listenForRows(runId: string, signal: AbortSignal) {
  let queue: StoredRunEvent[] = [];
  let isNews = false;
  let wake: () => void = () => {};
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  const unsubscribe = onStoredRows(runId, (rows) => {
    queue.push(...rows);
    isNews = true;
    wake();
  });
  return {
    take(): readonly StoredRunEvent[] {
      const taken = queue;
      queue = [];
      isNews = false;
      return taken;
    },
    wait(timeoutMs: number): Promise<void> {
      if (isNews || signal.aborted) return Promise.resolve();
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
