import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import type { Database } from "@/lib/server/platform/db/database";
import { selectRunEvents } from "@/lib/server/platform/db/queries/run-events";
import { decodeOrUnknown, decodeRunEvent } from "./event-row";

/** The most rows that `readEvents` returns at once. */
export const PAGE_ROWS = 1_000;

/** Up to 1,000 stored rows of the run after `after`, in order. The caller has checked who may see the run. */
export async function readEvents(
  database: Database,
  runId: string,
  after: number,
  decode = decodeOrUnknown,
): Promise<StoredRunEvent[]> {
  const rows = await selectRunEvents(database, runId, { after, limit: PAGE_ROWS });
  return rows.map(({ seq, data, createdAt }) => ({ runId, seq, at: createdAt.getTime(), event: decode(data) }));
}

/** Every stored row of the run that is to continue, in order. Throws if one of them can't be read. */
export function readJournal(database: Database, runId: string): Promise<StoredRunEvent[]> {
  return readAllEvents(database, runId, decodeRunEvent);
}

/** Every stored row of the run, in order. */
export async function readAllEvents(
  database: Database,
  runId: string,
  decode = decodeOrUnknown,
): Promise<StoredRunEvent[]> {
  const all: StoredRunEvent[] = [];
  for (;;) {
    const page = await readEvents(database, runId, all.at(-1)?.seq ?? 0, decode);
    all.push(...page);
    if (page.length < PAGE_ROWS) return all;
  }
}

/** The number of the run's last row, or of the last one stored at `until` or before; 0 if there is none. */
export async function lastSeq(database: Database, runId: string, until?: Date): Promise<number> {
  const { _max } = await database.runEvent.aggregate({
    where: { runId, ...(until === undefined ? {} : { createdAt: { lte: until } }) },
    _max: { seq: true },
  });
  return _max.seq ?? 0;
}

/** Whether the event is the last of its run. */
export function isTerminal({ event }: StoredRunEvent): boolean {
  return event.type === "run.completed" || event.type === "run.failed" || event.type === "run.cancelled";
}
