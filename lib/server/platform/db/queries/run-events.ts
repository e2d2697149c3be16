import { type CompiledQuery, type Expression, sql } from "kysely";
import type { Database } from "@/lib/server/platform/db/database";
import { type Dialect, type SqlValue, sqlTimestamp } from "@/lib/server/platform/db/dialect";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import { build } from "@/lib/server/platform/db/kysely/build";
import { hotStatement, type PlaceFor } from "@/lib/server/platform/db/kysely/hot-statement";
import { idRows, jsonRows } from "@/lib/server/platform/db/kysely/json-rows";
import { insertRow, updateRows } from "@/lib/server/platform/db/kysely/row-statements";
import { toIds, withDates } from "@/lib/server/platform/db/rows";
import type { Durability, SqlRow, SqlStatement } from "@/lib/server/platform/db/sql-statement";
import { deleteEventsOfRun } from "./retention/purge";
import { QUEUED, RUNNING, WAITING } from "./runs";

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
  const inserts: CompiledQuery<{ runId: string }>[] = [];
  for (let start = 0; start < rows.length; start += MAX_ROWS) {
    const batch = rows.slice(start, start + MAX_ROWS);
    inserts.push({
      ...fencedInsert(database.dialect, batch.length),
      parameters: [...batch.flatMap(toParameters), owner],
    });
  }
  const count = (found: readonly SqlRow[]) => {
    inserted += found.length;
    for (const { runId } of found as { runId: string }[]) counts.set(runId, (counts.get(runId) ?? 0) + 1);
  };
  if (also.length > 0) {
    const found = await database.runAll([...inserts, ...also], durability);
    count(found.slice(0, inserts.length).flat());
  } else {
    for (const insert of inserts) count(await database.execute(insert, durability));
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
  database: Database,
  owner: string,
  rows: readonly NewRunEvent[],
): Promise<ReadonlySet<string>> {
  const epochs = rows.map(({ runId, epoch }) => ({ runId, epoch }));
  const held = await database.execute(
    build
      .selectFrom("run as r")
      .innerJoin(jsonRows(database.dialect, { runId: "text", epoch: "integer" }, epochs).as("h"), (join) =>
        join.onRef("h.runId", "=", "r.id").onRef("h.epoch", "=", "r.epoch"),
      )
      .select("r.id")
      .distinct()
      .where("r.leaseOwner", "=", owner)
      .where("r.status", "=", RUNNING),
  );
  return new Set(toIds(held));
}

/** The values of a row, by their number. */
interface Given {
  readonly column1: string;
  readonly column2: number;
  readonly column3: number;
  readonly column4: string;
  readonly column5: string;
  readonly column6: string;
}

const COLUMNS = ["runId", "seq", "epoch", "type", "data", "createdAt"] as const;

const built = { sqlite: new Map<number, Insert>(), postgresql: new Map<number, Insert>() };

type Insert = CompiledQuery<{ runId: string }>;

/** The insert for so many rows, without its parameters: those of each row, and the owner. */
function fencedInsert(dialect: Dialect, count: number): Insert {
  const known = built[dialect.provider].get(count);
  if (known !== undefined) return known;
  const insert = buildInsert(dialect, count);
  built[dialect.provider].set(count, insert);
  return insert;
}

function buildInsert({ provider }: Dialect, count: number): Insert {
  const types = ["text", "integer", "integer", "text", "text", provider === "sqlite" ? "text" : "timestamp(3)"];
  const row = sql`(${sql.join(types.map((type) => sql`cast(${null} as ${sql.raw(type)})`))})`;
  // SQLite compares a bare parameter with the condition of each partial index of "run", and then prepares the statement
  // again for every value. A cast keeps it prepared.
  const owner = sql<string>`cast(${null} as text)`;
  const held = build
    .selectFrom(sql<Given>`(values ${sql.join(Array.from({ length: count }, () => row))})`.as("r"))
    .innerJoin("run", (join) =>
      join
        .onRef("run.id", "=", "r.column1")
        .onRef("run.epoch", "=", "r.column3")
        .on("run.leaseOwner", "=", owner)
        .on("run.status", "=", RUNNING),
    )
    .select(["r.column1", "r.column2", "r.column3", "r.column4", "r.column5", "r.column6"])
    .where(sql.lit(true));
  const insert = build.insertInto("run_event").columns(COLUMNS).returning("runId");
  if (provider === "sqlite") return insert.expression(held).compile();
  // A connection that broke during the commit leaves open whether it succeeded, so the rows are sent again.
  return insert
    .expression(held.forShare("run").skipLocked())
    .onConflict((conflict) =>
      conflict
        .columns(["runId", "seq"])
        .doUpdateSet((eb) => ({ epoch: eb.ref("excluded.epoch") }))
        .whereRef("run_event.epoch", "=", "excluded.epoch"),
    )
    .compile();
}

function toParameters({ runId, seq, epoch, type, data, createdAt }: NewRunEvent): SqlValue[] {
  return [runId, seq, epoch, type, data, sqlTimestamp(createdAt)];
}

/** Without the epoch fence: for a transaction that first changes the run's own row. */
export function insertRunEventStatement({ runId, seq, epoch, type, data, createdAt }: NewRunEvent): SqlStatement {
  return insertRow("run_event", { runId, seq, epoch, type, data, createdAt });
}

type StoredData = Pick<NewRunEvent, "seq" | "data" | "createdAt">;

const runEvents = hotStatement((value: PlaceFor<{ runId: string; after: number; limit: number }>) =>
  build
    .selectFrom("run_event")
    .select(["seq", "data", "createdAt"])
    .where("runId", "=", value("runId"))
    .where("seq", ">", value("after"))
    .orderBy("seq")
    .limit(value("limit")),
);

/** Up to `limit` rows of the run after `after`, in order. */
export async function selectRunEvents(
  database: Database,
  runId: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredData[]> {
  return withDates(await database.execute(runEvents({ runId, after, limit })), "createdAt");
}

/** The JSON of the run's first event of a type; null if there is none. */
export async function selectFirstEvent(database: Database, runId: string, type: string): Promise<string | null> {
  const ofType = build.selectFrom("run_event").select("data").where("runId", "=", runId).where("type", "=", type);
  const [row] = await database.execute(ofType.orderBy("seq").limit(1));
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
  const next = (than: Expression<string>) =>
    build
      .selectFrom("run_event as e")
      .select((eb) => eb.fn.min<string | null>("e.runId").as("id"))
      .where("e.runId", ">", than);
  const rows = await database.execute(
    build
      .withRecursive("logged(id)", (cte) =>
        next(sql`${after}`).unionAll(
          cte
            .selectFrom("logged")
            .select(next(sql.ref("logged.id")).as("id"))
            .where("logged.id", "is not", null),
        ),
      )
      .selectFrom("logged")
      .select("id")
      .where("id", "is not", null)
      .limit(RUNS_PER_PAGE)
      .$narrowType<{ id: string }>(),
  );
  return toIds(rows);
}

async function selectFinished(
  database: Database,
  runIds: readonly string[],
  { others, agents }: EndedBefore,
): Promise<string[]> {
  const rows = await database.execute(
    build
      .selectFrom(idRows(database.dialect, runIds).as("l"))
      .leftJoin("run as r", "r.id", "l.id")
      .select(["l.id", "r.agentId", "r.endedAt"])
      .where((eb) => {
        const isContinued = eb.exists(
          eb
            .selectFrom("run as n")
            .select("n.id")
            .whereRef("n.threadId", "=", "r.threadId")
            .where("n.parentRunId", "is", null)
            .whereRef("n.position", ">", "r.position"),
        );
        const isComplete = eb.and([eb("r.status", "=", "completed"), eb("r.notice", "is", null)]);
        const isDone = eb.or([eb("r.parentRunId", "is not", null), isComplete, isContinued]);
        return eb.or([eb("r.id", "is", null), eb.and([eb("r.endedAt", "is not", null), isDone])]);
      }),
  );
  const isOver = ({ agentId, endedAt }: (typeof rows)[number]) => {
    if (agentId === null || endedAt === null) return true;
    const own = agents.get(agentId);
    const before = own === undefined ? others : own;
    return before !== null && new Date(endedAt) < before;
  };
  return toIds(rows.filter(isOver));
}

/** Those of the runs that have events. */
export async function selectRunsWithEvents(database: Database, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return [];
  const rows = await database.execute(
    build
      .selectFrom(idRows(database.dialect, runIds).as("r"))
      .select("r.id")
      .where((eb) => eb.exists(eb.selectFrom("run_event as e").select("e.seq").whereRef("e.runId", "=", "r.id"))),
  );
  return toIds(rows);
}

type EventData = Pick<NewRunEvent, "runId" | "seq" | "data">;

/** Replies and summaries without a cost in the logs of runs that have not ended, the latest of a run first. */
export function selectUnpricedReplies(database: Database): Promise<EventData[]> {
  return database.execute(
    build
      .selectFrom("run as r")
      .innerJoin("run_event as e", "e.runId", "r.id")
      .select(["e.runId", "e.seq", "e.data"])
      .where("r.status", "in", [QUEUED, RUNNING, WAITING])
      .where("e.type", "in", ["model.completed", "summary.completed"])
      .where("e.data", "not like", '%"costUsd":%')
      .orderBy("e.runId")
      .orderBy("e.seq", "desc"),
  );
}

export async function updateEventData(database: Database, { runId, seq, data }: EventData): Promise<void> {
  await database.execute(updateRows("run_event", { runId, seq }, { data }));
}
