import type { RunStatus } from "@/lib/schema/runs/run";
import { hasEnded } from "@/lib/schema/runs/run";
import type { RunEventType, StoredRunEvent } from "@/lib/schema/runs/run-event";
import { waitsForPeople, waitsInTree } from "@/lib/server/engine/children/run-tree";
import { isTerminal, PAGE_ROWS, readEvents } from "@/lib/server/engine/log/read-events";
import { onStoredRows } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import { selectRunState } from "@/lib/server/platform/db/queries/runs";
import type { Services } from "@/lib/server/platform/services";
import { changeWatch } from "./change-watch";
import { collectNotifications } from "./notifications";
import type { OpenedRun } from "./opened-run";

/**
 * Where a reader stops before the run has ended. `asked`: when the run itself asks a person. `held-up`: also when it
 * only waits for subagents that all ask. `at-rest`: when it asks itself, but not while a subagent is running. `never`:
 * nowhere.
 */
export type StopsWhere = "asked" | "held-up" | "at-rest" | "never";

/**
 * The stored rows of a run after `after`, then future ones, in batches; ends after the terminal row, where `stopsWhere`
 * says, when the run has ended and its rows were deleted, or when `signal` aborts. Never yields a row twice, never
 * skips one.
 */
export function followRun(
  services: Services,
  runId: string,
  after: number,
  signal: AbortSignal,
  stopsWhere: StopsWhere = "asked",
): AsyncGenerator<readonly StoredRunEvent[]> {
  return follow(services, { runId, cursor: after, rows: [], stays: stopsWhere === "never" }, { signal, stopsWhere });
}

/** The same from the run's first row on; what the opening statement has read is not read again. */
export function followOpened(
  services: Services,
  opened: OpenedRun,
  signal: AbortSignal,
  stopsWhere: StopsWhere,
): AsyncGenerator<readonly StoredRunEvent[]> {
  const reader = { runId: opened.run.id, cursor: 0, rows: [], stays: stopsWhere === "never" };
  return follow(services, reader, { signal, stopsWhere, opened });
}

interface Following {
  readonly signal: AbortSignal;
  readonly stopsWhere: StopsWhere;
  readonly opened?: OpenedRun;
}

async function* follow(
  services: Services,
  reader: Reader,
  { signal, stopsWhere, opened }: Following,
): AsyncGenerator<readonly StoredRunEvent[]> {
  const { database } = services;
  const { runId } = reader;
  // What the opening has not read is read on from here, so only a change since then is news.
  const mark = opened?.mark ?? null;
  const arrivals = collectNotifications<StoredRunEvent>((tell) => listen(services, { runId, mark }, tell), signal);
  // This reader listens by now, so what is stored from here on is announced to it.
  let known = opened?.isOutdated() ? undefined : opened;
  try {
    while (!signal.aborted) {
      const announced = arrivals.take();
      const rows = known ? known.rows : await nextRows(database, reader, announced);
      reader.rows = untilEnd(rows);
      reader.cursor = rows.at(-1)?.seq ?? reader.cursor;
      if (rows.length > 0) yield reader.rows;
      if (await stopsHere(database, reader, { stopsWhere, known })) return;
      if (known ? known.isWhole : rows.length < PAGE_ROWS) await arrivals.wait(Number.POSITIVE_INFINITY);
      known = undefined;
    }
  } finally {
    arrivals.stop();
  }
}

async function nextRows(
  database: Database,
  { runId, cursor }: Reader,
  announced: readonly StoredRunEvent[],
): Promise<readonly StoredRunEvent[]> {
  return isNext(announced, cursor) ? fresh(announced, cursor) : readEvents(database, runId, cursor);
}

/**
 * `tell` gets rows of this process as they are stored; an empty list means that another process may have stored some,
 * so it is time to look.
 */
function listen(
  services: Services,
  { runId, mark }: { readonly runId: string; readonly mark: string | null },
  tell: (rows: readonly StoredRunEvent[]) => void,
): () => void {
  const stops = [onStoredRows(runId, tell), changeWatch(services).watchRun(runId, () => tell([]), mark)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Logs of earlier versions may continue after the end of their run. */
function untilEnd(rows: readonly StoredRunEvent[]): readonly StoredRunEvent[] {
  const end = rows.findIndex(isTerminal);
  return end === -1 ? rows : rows.slice(0, end + 1);
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
  /** The latest batch. */
  rows: readonly StoredRunEvent[];
  /** Whether it continues through the run's waits. */
  stays: boolean;
}

interface Stop {
  readonly stopsWhere: StopsWhere;
  /** What the latest batch was read with. */
  readonly known: OpenedRun | undefined;
}

async function stopsHere(database: Database, reader: Reader, stop: Stop): Promise<boolean> {
  if (await isOver(database, reader, stop)) return true;
  if (stop.stopsWhere !== "held-up") return false;
  // While rows arrive, something is running; a run that pauses wakes its followers without any.
  const mayBeHeldUp = stop.known ? stop.known.isWhole && stop.known.run.status === "waiting" : reader.rows.length === 0;
  return mayBeHeldUp && (await waitsForPerson(database, reader));
}

/**
 * Nothing comes after the terminal row, nor after a `run.waiting` until it is decided; without rows, the run's own row
 * says whether more will come.
 */
async function isOver(database: Database, reader: Reader, { stopsWhere, known }: Stop): Promise<boolean> {
  const { runId, cursor, rows } = reader;
  const last = rows.at(-1);
  if (last && !MAY_WAIT.includes(last.event.type)) return rows.some(isTerminal);
  const run = known ? known.run : await selectRunState(database, runId);
  if (run && !hasEnded(run.status as RunStatus)) {
    if (!waitsForPeople(run) || reader.stays) return false;
    reader.stays = stopsWhere === "at-rest" && (known ? known.hasOpenChild : await hasOpenChild(database, runId));
    if (reader.stays) return false;
  }
  return known ? known.isWhole : (await readEvents(database, runId, cursor)).length === 0;
}

const MAY_WAIT: readonly RunEventType[] = ["run.waiting", "interrupt.decided"];

async function waitsForPerson(database: Database, { runId, cursor }: Reader): Promise<boolean> {
  return (await waitsInTree(database, runId)) && (await readEvents(database, runId, cursor)).length === 0;
}

async function hasOpenChild(database: Database, runId: string): Promise<boolean> {
  return (await database.run.count({ where: { parentRunId: runId, endedAt: null } })) > 0;
}
