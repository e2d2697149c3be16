import type { Database } from "@/lib/server/platform/db/database";
import { type SqlValue, sqlJson, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import { readRows } from "@/lib/server/platform/db/rows";
import type { Durability, SqlRow, SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { insertRow } from "@/lib/server/platform/db/statements";
import { deleteEventsOfRun } from "./purge";

/** `data` is the event's JSON. */
export interface NewRunEvent {
  readonly runId: string;
  readonly seq: number;
  readonly epoch: number;
  readonly type: string;
  readonly data: string;
  readonly createdAt: Date;
}

interface Commit {
  readonly durability: Durability;
  /** Stored with the rows, in one transaction. Each statement checks for itself that its row was stored. */
  readonly also?: readonly SqlStatement[];
}

/** Few enough that the statements for each number of rows stay prepared. */
const MAX_ROWS = 40;

/**
 * The outcome by run: all its rows were stored, or none can be now because another connection has locked the run's row.
 */
export interface InsertedEvents {
  readonly stored: ReadonlySet<string>;
  readonly locked: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * One statement for the rows of many runs. A run that `owner` no longer holds at the row's epoch is skipped (the epoch
 * fence): it is in neither part of the result. On Postgres the rows of the runs are locked meanwhile, so that a
 * takeover comes before or after and never in between; a run's row locked by another connection is not waited for.
 */
export async function insertRunEvents(
  database: Database,
  owner: string,
  rows: readonly NewRunEvent[],
  { durability, also = [] }: Commit,
): Promise<InsertedEvents> {
  const counts = new Map<string, number>();
  let inserted = 0;
  const inserts: SqlStatement[] = [];
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    const batch = rows.slice(start, start + MAX_ROWS);
    const parameters = [owner, ...batch.flatMap(toParameters)];
    inserts.push({ sql: fencedInsert(database, batch.length), parameters });
  }
  const count = (found: readonly SqlRow[]) => {
    inserted += found.length;
    for (const { runId } of found as { runId: string }[]) counts.set(runId, (counts.get(runId) ?? 0) + 1);
  };
  if (also.length > 0) {
    const found = await database.runAll([...inserts, ...also], durability);
    count(found.slice(0, inserts.length).flat());
  } else {
    for (const { sql, parameters } of inserts) count(await database.raw(sql, parameters, durability));
  }
  if (inserted === rows.length) return { stored: new Set(counts.keys()), locked: NONE };
  const stored = new Set<string>();
  for (const [runId, sent] of Map.groupBy(rows, (row) => row.runId)) {
    if (counts.get(runId) === sent.length) stored.add(runId);
  }
  const missing = rows.filter(({ runId }) => !stored.has(runId));
  if (missing.length === 0 || database.dialect.provider === "sqlite") return { stored, locked: NONE };
  return { stored, locked: await selectHeld(database, owner, missing) };
}

/** The runs that `owner` still holds at the rows' epoch. */
async function selectHeld(
  { raw, dialect }: Database,
  owner: string,
  rows: readonly NewRunEvent[],
): Promise<ReadonlySet<string>> {
  const held = await raw<{ id: string }>(
    `select distinct r."id" from "run" r join ${dialect.rows("h", { runId: "text", epoch: "integer" }, "$1")}
      on h."runId" = r."id" and h."epoch" = r."epoch" where r."leaseOwner" = $2 and r."status" = 'running'`,
    [sqlJson(rows.map(({ runId, epoch }) => ({ runId, epoch }))), owner],
  );
  return new Set(held.map(({ id }) => id));
}

/** A connection that broke during the commit leaves open whether the commit succeeded, so the rows are sent again. */
const AGAIN = `on conflict ("runId", "seq") do update set "epoch" = excluded."epoch"
  where "run_event"."epoch" = excluded."epoch"`;

/**
 * SQLite compares a bare parameter with the condition of each partial index of "run", and then prepares the statement
 * again for every value. A cast keeps it prepared.
 */
const OWNER = "cast($1 as text)";

const statements = { sqlite: new Map<number, string>(), postgresql: new Map<number, string>() };

function fencedInsert({ dialect: { provider } }: Database, count: number): string {
  const known = statements[provider].get(count);
  if (known !== undefined) return known;
  const timestamp = provider === "sqlite" ? "text" : "timestamp(3)";
  const types = ["text", "integer", "integer", "text", "text", timestamp];
  const tuples = Array.from({ length: count }, (_, row) => {
    const values = types.map((type, column) => `cast($${2 + row * types.length + column} as ${type})`);
    return `(${values.join(", ")})`;
  });
  const sql = `insert into "run_event" ("runId", "seq", "epoch", "type", "data", "createdAt")
    select r.column1, r.column2, r.column3, r.column4, r.column5, r.column6 from (values ${tuples.join(", ")}) as r
    join "run" on "run"."id" = r.column1 and "run"."epoch" = r.column3
      and "run"."leaseOwner" = ${OWNER} and "run"."status" = 'running'
    where true ${provider === "postgresql" ? `for share of "run" skip locked ${AGAIN}` : ""} returning "runId"`;
  statements[provider].set(count, sql);
  return sql;
}

function toParameters({ runId, seq, epoch, type, data, createdAt }: NewRunEvent): SqlValue[] {
  return [runId, seq, epoch, type, data, sqlTimestamp(createdAt)];
}

/** Without the epoch fence: for a transaction that first changes the run's own row. */
export function insertRunEventStatement({ runId, seq, epoch, type, data, createdAt }: NewRunEvent): SqlStatement {
  return insertRow("run_event", { runId, seq, epoch, type, data, createdAt });
}

type StoredData = Pick<NewRunEvent, "seq" | "data" | "createdAt">;

/** Up to `limit` rows of the run after `after`, in order. */
export async function selectRunEvents(
  database: Database,
  runId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredData[]> {
  const rows = await database.raw(
    `select "seq", "data", "createdAt" from "run_event" where "runId" = $1 and "seq" > $2 order by "seq" limit ${limit}`,
    [runId, after],
  );
  return readRows<StoredData>(rows, { dates: ["createdAt"] });
}

/** The JSON of the run's first event of a type; null if there is none. */
export async function selectFirstEvent(database: Database, runId: string, type: string): Promise<string | null> {
  const [row] = await database.raw<{ data: string }>(
    `select "data" from "run_event" where "runId" = $1 and "type" = $2 order by "seq" limit 1`,
    [runId, type],
  );
  return row?.data ?? null;
}

/** How many runs one statement looks at. */
const RUNS_PER_PAGE = 200;

/** When a run must have ended for its events to be deleted; null for never. `agents` have their own times. */
export interface EndedBefore {
  readonly others: Date | null;
  readonly agents: ReadonlyMap<string, Date | null>;
}

/**
 * Deletes the events of runs that ended before then, and of runs that no longer exist, but not of those that a person
 * can still continue: a run that failed, was stopped, reached its limit or left its answer open keeps them until its
 * thread continues (D-85). Walks from run to run through the key of the events, so that they need no separate index,
 * which would cost every insert.
 */
export async function deleteEventsOfRunsEndedBefore(
  database: Database,
  endedBefore: EndedBefore,
  pace: Pace,
): Promise<void> {
  for (let after = ""; ; ) {
    const page = await selectLoggedRuns(database, after);
    for (const runId of await selectFinished(database, page, endedBefore)) {
      await deleteEventsOfRun(database, runId, pace);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < RUNS_PER_PAGE || !(await pace.rest(1))) return;
    after = last;
  }
}

/** The next runs that have events, by id. */
async function selectLoggedRuns(database: Database, after: string): Promise<string[]> {
  const rows = await database.raw<{ id: string }>(
    `with recursive logged("id") as (
      select min("runId") from "run_event" where "runId" > $1
      union all
      select (select min(e."runId") from "run_event" e where e."runId" > logged."id") from logged
        where logged."id" is not null)
    select "id" from logged where "id" is not null limit ${RUNS_PER_PAGE}`,
    [after],
  );
  return rows.map(({ id }) => id);
}

async function selectFinished(
  database: Database,
  runIds: readonly string[],
  { others, agents }: EndedBefore,
): Promise<string[]> {
  const rows = await database.raw<{ id: string; agentId: string | null; endedAt: string | null }>(
    `select l."id", r."agentId", r."endedAt"
      from ${database.dialect.rows("l", { id: "text" }, "$1")} left join "run" r on r."id" = l."id"
      where r."id" is null or (r."endedAt" is not null
        and (r."parentRunId" is not null or (r."status" = 'completed' and r."notice" is null) or exists (
          select 1 from "run" n where n."threadId" = r."threadId" and n."parentRunId" is null
            and n."position" > r."position")))`,
    [sqlJson(runIds.map((id) => ({ id })))],
  );
  const isOver = ({ agentId, endedAt }: (typeof rows)[number]) => {
    if (agentId === null || endedAt === null) return true;
    const own = agents.get(agentId);
    const before = own === undefined ? others : own;
    return before !== null && new Date(endedAt) < before;
  };
  return rows.filter(isOver).map(({ id }) => id);
}

/** Those of the runs that have events. */
export async function selectRunsWithEvents(database: Database, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return [];
  const rows = await database.raw<{ id: string }>(
    `select r."id" from ${database.dialect.rows("r", { id: "text" }, "$1")}
      where exists (select 1 from "run_event" e where e."runId" = r."id")`,
    [sqlJson(runIds.map((id) => ({ id })))],
  );
  return rows.map(({ id }) => id);
}

type EventData = Pick<NewRunEvent, "runId" | "seq" | "data">;

/** Replies and summaries without a cost in the logs of runs that have not ended, the latest of a run first. */
export function selectUnpricedReplies(database: Database): Promise<EventData[]> {
  return database.raw<EventData>(
    `select e."runId", e."seq", e."data" from "run" r join "run_event" e on e."runId" = r."id"
      where r."status" in ('queued', 'running', 'waiting') and e."type" in ('model.completed', 'summary.completed')
        and e."data" not like '%"costUsd":%'
      order by e."runId", e."seq" desc`,
  );
}

export async function updateEventData(database: Database, { runId, seq, data }: EventData): Promise<void> {
  await database.raw(`update "run_event" set "data" = $3 where "runId" = $1 and "seq" = $2`, [runId, seq, data]);
}
